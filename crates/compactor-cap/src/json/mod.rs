//! Messages as JSON values, in the shapes that providers' APIs use, and in a transcript's.
//!
//! Fields are looked for in every known shape at once, so that a conversation may mix them. What
//! is not understood has no parts, and is viewed as it is; nothing here can fail.

mod output;
mod parts;
mod values;

pub use values::JsonMessage;

use serde_json::Value;

/// The text in `field`.
fn string<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field)?.as_str()
}

/// Where the output of a result is, if `message` as a whole is one.
fn output_field(message: &Value) -> Option<&'static str> {
    match string(message, "type") {
        // OpenAI's responses: function, custom tool, shell, patch, computer.
        Some(kind) if kind.ends_with("_call_output") => Some("output"),
        Some("mcp_call") => message.get("output").map(|_| "output"),
        // The completion of a background task, in a transcript's payload.
        _ if string(message, "op-id").is_some() => Some("content"),
        _ => match string(message, "role") {
            Some("tool" | "function") if !holds_results(message) => Some("content"),
            _ => None,
        },
    }
}

/// Whether the content has results as blocks.
fn holds_results(message: &Value) -> bool {
    let blocks = message.get("content").and_then(Value::as_array);
    blocks.is_some_and(|blocks| blocks.iter().any(is_result))
}

/// Whether a block of the content is a result of its own, as Anthropic has them.
fn is_result(block: &Value) -> bool {
    matches!(
        string(block, "type"),
        Some("tool_result" | "mcp_tool_result")
    )
}
