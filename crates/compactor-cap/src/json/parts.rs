//! Reading a message's parts.

use alloc::borrow::Cow;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use serde_json::Value;

use super::{is_result, output, output_field, string};
use crate::{Message, Outcome, Part, ToolCall, ToolResult};

/// Messages and items of OpenAI (chat completions, responses) and Anthropic, and the payloads of a
/// transcript's messages.
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
        Some(Value::Array(blocks)) => parts.extend(blocks.iter().filter_map(Part::of_json)),
        _ => {}
    }
    let calls = message.get("tool_calls").and_then(Value::as_array);
    for entry in calls.into_iter().flatten() {
        parts.extend(entry.get("function").and_then(|of| named(of, "arguments")));
        parts.extend(entry.get("custom").and_then(|of| named(of, "input")));
    }
    let call = message.get("function_call");
    parts.extend(call.and_then(|of| named(of, "arguments")));
    let calls = message.get("tool-calls").and_then(Value::as_array);
    parts.extend(
        calls
            .into_iter()
            .flatten()
            .filter_map(|of| named(of, "arguments")),
    );
}

impl<'a> Part<'a> {
    /// The part that a block of a content array is; `None` for what has neither text nor type.
    ///
    /// ```
    /// use compactor_cap::Part;
    /// use serde_json::json;
    ///
    /// let block = json!({"type": "image", "source": {}});
    /// assert_eq!(Part::of_json(&block), Some(Part::Media("image")));
    /// ```
    #[must_use]
    pub fn of_json(block: &'a Value) -> Option<Self> {
        if is_result(block) {
            return Some(Part::Result(result(block, "content")));
        }
        if let Some(text) = block.as_str().or_else(|| string(block, "text")) {
            return Some(Part::Text(text.into()));
        }
        let kind = string(block, "type")?;
        call(block, kind).or(Some(Part::Media(kind)))
    }
}

impl<'a> ToolResult<'a> {
    /// The result with the output `output`: a text, or blocks of text and of other kinds.
    ///
    /// ```
    /// use compactor_cap::ToolResult;
    /// use serde_json::json;
    ///
    /// let output = json!([{"type": "text", "text": "done"}, {"type": "image"}]);
    /// let result = ToolResult::of_json(&output);
    /// assert_eq!((result.text(), result.media()), ("done", ["image"].as_slice()));
    /// ```
    #[must_use]
    pub fn of_json(output: &'a Value) -> Self {
        let result = Self::new(output::text(output));
        let media = output::media(output).into_iter();
        media.fold(result, Self::with_media)
    }
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
    let mut result = ToolResult::of_json(output);
    if let Some(id) = CALL_IDS.iter().find_map(|field| string(value, field)) {
        result = result.with_call_id(id);
    }
    if FAILED
        .iter()
        .any(|field| value.get(field) == Some(&Value::Bool(true)))
    {
        result = result.with_outcome(Outcome::Failed);
    }
    let beside = value.get("parts").map(output::media);
    beside
        .into_iter()
        .flatten()
        .fold(result, ToolResult::with_media)
}

const CALL_IDS: &[&str] = &[
    "tool_call_id",
    "call_id",
    "tool_use_id",
    "tool-call-id",
    "op-id",
];

const FAILED: &[&str] = &["is_error", "is-error"];
