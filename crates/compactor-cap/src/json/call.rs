//! The calls that a model made.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};

use serde_json::{Map, Value};

use super::string;
use crate::ToolCall;

/// The call that an item or a block is, by its type.
pub(super) fn of_type(value: &Value) -> Option<ToolCall<'_>> {
    let kind = string(value, "type")?;
    let is_call = kind.ends_with("_call")
        || kind.ends_with("tool_use")
        || matches!(kind, "mcp_approval_request" | "tool-call" | "tool_call");
    is_call.then(|| of(value))
}

/// An entry of a message's list of calls.
pub(super) fn of_entry(entry: &Value) -> ToolCall<'_> {
    let within = ["function", "custom"]
        .iter()
        .find_map(|field| entry.get(field));
    of(within.filter(|call| call.is_object()).unwrap_or(entry))
}

/// The name, or else the type; the arguments, or else whatever the call says.
pub(super) fn of(call: &Value) -> ToolCall<'_> {
    let name = string(call, "name").or_else(|| string(call, "type"));
    let arguments = ARGUMENTS.iter().find_map(|field| call.get(field));
    let arguments = match arguments {
        Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
        Some(arguments) => Cow::Owned(arguments.to_string()),
        None => Cow::Owned(rest(call)),
    };
    ToolCall::new(name.unwrap_or("unknown"), arguments)
}

/// What a call says beside names and results.
fn rest(call: &Value) -> String {
    let fields = call.as_object().into_iter().flatten();
    let said = fields.filter(|(name, _)| !BESIDE.contains(&name.as_str()));
    let said: Map<_, _> = said
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    match said.is_empty() {
        true => String::new(),
        false => Value::Object(said).to_string(),
    }
}

const ARGUMENTS: &[&str] = &["arguments", "input", "args"];

const BESIDE: &[&str] = &[
    "name", "type", "id", "call_id", "status", "output", "outputs", "results", "result", "error",
];
