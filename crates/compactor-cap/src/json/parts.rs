//! Reading a message's parts.

use alloc::borrow::Cow;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use serde_json::Value;

use super::{is_result, output, output_field, string};
use crate::{Message, Outcome, Part, ToolCall, ToolResult};

/// Messages and items of OpenAI (chat completions, responses) and Anthropic.
impl Message for Value {
    fn role(&self) -> &str {
        string(self, "role")
            .or_else(|| string(self, "type"))
            .unwrap_or("unknown")
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        if let Some(kind) = string(self, "type") {
            parts.extend(call(self, kind));
        }
        match output_field(self) {
            Some(field) => parts.push(Part::Result(result(self, field))),
            None => spoken(self, &mut parts),
        }
        parts
    }
}

/// Content, then calls.
fn spoken<'a>(message: &'a Value, parts: &mut Vec<Part<'a>>) {
    match message.get("content") {
        Some(Value::String(text)) => parts.push(Part::Text(text.into())),
        Some(Value::Array(blocks)) => parts.extend(blocks.iter().filter_map(block)),
        _ => {}
    }
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for entry in calls.into_iter().flatten() {
        parts.extend(entry.get("function").and_then(|of| named(of, "arguments")));
        parts.extend(entry.get("custom").and_then(|of| named(of, "input")));
    }
    let call = message.get("function_call");
    parts.extend(call.and_then(|of| named(of, "arguments")));
}

/// One block of a content array.
fn block(block: &Value) -> Option<Part<'_>> {
    if is_result(block) {
        return Some(Part::Result(result(block, "content")));
    }
    if let Some(text) = block.as_str().or_else(|| string(block, "text")) {
        return Some(Part::Text(text.into()));
    }
    let kind = string(block, "type")?;
    call(block, kind).or(Some(Part::Media(kind)))
}

/// The call that an item or a block of the type `kind` is.
fn call<'a>(value: &'a Value, kind: &str) -> Option<Part<'a>> {
    match kind {
        "function_call" | "mcp_call" => named(value, "arguments"),
        "custom_tool_call" | "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            named(value, "input")
        }
        _ => None,
    }
}

fn named<'a>(value: &'a Value, arguments: &str) -> Option<Part<'a>> {
    let arguments = match value.get(arguments) {
        Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
        Some(arguments) => Cow::Owned(arguments.to_string()),
        None => Cow::Borrowed(""),
    };
    Some(Part::Call(ToolCall::new(string(value, "name")?, arguments)))
}

fn result<'a>(value: &'a Value, field: &str) -> ToolResult<'a> {
    let output = value.get(field).unwrap_or(&Value::Null);
    let mut result = ToolResult::new(output::text(output));
    if let Some(id) = CALL_IDS.iter().find_map(|field| string(value, field)) {
        result = result.with_call_id(id);
    }
    if FAILED
        .iter()
        .any(|field| value.get(field) == Some(&Value::Bool(true)))
    {
        result = result.with_outcome(Outcome::Failed);
    }
    output::media(output)
        .into_iter()
        .fold(result, ToolResult::with_media)
}

const CALL_IDS: &[&str] = &["tool_call_id", "call_id", "tool_use_id", "tool-call-id"];

const FAILED: &[&str] = &["is_error", "is-error"];
