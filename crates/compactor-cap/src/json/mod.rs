//! Messages as JSON values, in the shapes that providers' APIs use.
//!
//! Fields are looked for in every known shape at once, so that a conversation may mix them. What
//! is not understood has no parts; nothing here can fail.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use crate::{Message, Part, ToolCall, ToolResult};

impl Message for Value {
    fn role(&self) -> &str {
        string(self, "role")
            .or_else(|| string(self, "type"))
            .unwrap_or("unknown")
    }

    fn parts(&self) -> Vec<Part<'_>> {
        match string(self, "type") {
            // Items of OpenAI's responses.
            Some("function_call") => vec_of(call(self, "name", "arguments")),
            Some("custom_tool_call") => vec_of(call(self, "name", "input")),
            Some("function_call_output" | "custom_tool_call_output") => {
                vec_of(Some(Part::Result(result(self, "call_id", "output"))))
            }
            _ if matches!(string(self, "role"), Some("tool" | "function")) => {
                vec_of(Some(Part::Result(result(self, "tool_call_id", "content"))))
            }
            _ => spoken(self),
        }
    }
}

/// The parts of a message that a user or an assistant sends: content, then calls.
fn spoken(message: &Value) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    match message.get("content") {
        Some(Value::String(text)) => parts.push(Part::Text(text.into())),
        Some(Value::Array(blocks)) => parts.extend(blocks.iter().filter_map(block)),
        _ => {}
    }
    let calls = message.get("tool_calls").and_then(Value::as_array);
    parts.extend(calls.into_iter().flatten().filter_map(|entry| {
        entry
            .get("function")
            .and_then(|function| call(function, "name", "arguments"))
            .or_else(|| call(entry.get("custom")?, "name", "input"))
    }));
    parts
}

/// One block of a content array.
fn block(block: &Value) -> Option<Part<'_>> {
    if let Value::String(text) = block {
        return Some(Part::Text(text.into()));
    }
    match string(block, "type")? {
        // Anthropic's calls and results are blocks.
        "tool_use" => call(block, "name", "input"),
        "tool_result" => Some(Part::Result(result(block, "tool_use_id", "content"))),
        kind => Some(match string(block, "text") {
            Some(text) => Part::Text(text.into()),
            None => Part::Media(kind),
        }),
    }
}

fn call<'a>(value: &'a Value, name: &str, arguments: &str) -> Option<Part<'a>> {
    let arguments = match value.get(arguments) {
        Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
        Some(arguments) => Cow::Owned(arguments.to_string()),
        None => Cow::Borrowed(""),
    };
    Some(Part::Call(ToolCall::new(string(value, name)?, arguments)))
}

fn result<'a>(value: &'a Value, id: &str, content: &str) -> ToolResult<'a> {
    let mut texts: Vec<&str> = Vec::new();
    let mut media = Vec::new();
    match value.get(content) {
        Some(Value::String(text)) => texts.push(text),
        Some(Value::Array(blocks)) => {
            for block in blocks {
                match (block, string(block, "text"), string(block, "type")) {
                    (Value::String(text), _, _) => texts.push(text),
                    (_, Some(text), _) => texts.push(text),
                    (_, None, Some(kind)) => media.push(kind),
                    (_, None, None) => {}
                }
            }
        }
        _ => {}
    }
    let text: Cow<'_, str> = match texts.as_slice() {
        [] => "".into(),
        [text] => (*text).into(),
        texts => texts.iter().copied().collect::<String>().into(),
    };
    let mut result = ToolResult::new(text);
    if let Some(id) = string(value, id) {
        result = result.with_call_id(id);
    }
    media.into_iter().fold(result, ToolResult::with_media)
}

fn string<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field)?.as_str()
}

fn vec_of(part: Option<Part<'_>>) -> Vec<Part<'_>> {
    part.into_iter().collect()
}
