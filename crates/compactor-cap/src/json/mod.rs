//! Messages as JSON values, in the shapes that providers' APIs use, and in a transcript's.
//!
//! Fields are looked for in every known shape at once, so that a conversation may mix them. Within
//! what a tool returned, everything but media counts as its text: known text fields as text, what
//! is not understood as its JSON. Nothing here can fail, and nothing vanishes without a word.

mod call;
mod edit;
mod gemini;
mod media;
mod output;
mod parts;
mod values;

pub use edit::{output_with_text, with_result_texts};
pub use values::JsonMessage;

use alloc::vec::Vec;

use serde_json::Value;

/// The text in `field`.
fn string<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field)?.as_str()
}

/// The fields with what a tool returned, if `message` as a whole is a result. Whoever speaks with
/// the role of a tool says nothing but tool output, whatever its blocks call themselves.
fn output_fields(message: &Value) -> Vec<&'static str> {
    let kind = string(message, "type").unwrap_or_default();
    let is_tool = matches!(string(message, "role"), Some("tool" | "function"));
    if is_tool && is_all_results(message) {
        return Vec::new();
    }
    if is_tool && gemini::parts(message).is_some() {
        return Vec::from(["parts"]);
    }
    if is_tool || string(message, "op-id").is_some() {
        return present(message, ALL, "content");
    }
    // OpenAI's responses: function, custom tool, shell, patch, computer, tool search.
    if kind.ends_with("_output") {
        return present(message, ALL, "output");
    }
    match kind {
        // A picture that was made; and the tools that a server has.
        "image_generation_call" => Vec::new(),
        "mcp_list_tools" => present(message, &["tools", "error"], "tools"),
        _ if kind.ends_with("_call") => {
            let fields = OUTPUTS.iter().copied();
            fields.filter(|field| is_said(message, field)).collect()
        }
        _ => Vec::new(),
    }
}

fn present(message: &Value, fields: &[&'static str], otherwise: &'static str) -> Vec<&'static str> {
    let said: Vec<_> = fields
        .iter()
        .copied()
        .filter(|field| is_said(message, field))
        .collect();
    match said.is_empty() {
        true => Vec::from([otherwise]),
        false => said,
    }
}

fn is_said(value: &Value, field: &str) -> bool {
    value.get(field).is_some_and(|value| !value.is_null())
}

/// Where a message has its blocks.
fn blocks_field(message: &Value) -> &'static str {
    match gemini::parts(message) {
        Some(_) => "parts",
        None => "content",
    }
}

/// Whether the content is results, each a block of its own, and perhaps media, but nothing else.
fn is_all_results(message: &Value) -> bool {
    let blocks = message.get(blocks_field(message)).and_then(Value::as_array);
    let fits = |block: &Value| is_result(block) || media::kind(block).is_some();
    blocks.is_some_and(|blocks| blocks.iter().any(is_result) && blocks.iter().all(fits))
}

/// Whether a block of the content is a result of its own, as Anthropic and Gemini have them.
fn is_result(block: &Value) -> bool {
    match string(block, "type") {
        Some(kind) => kind.ends_with("tool_result"),
        None => gemini::Answer::of(block).is_some(),
    }
}

/// Where a call's outcome is, in an item that is both.
const OUTPUTS: &[&str] = &["output", "outputs", "results", "result", "error"];

const ALL: &[&str] = &[
    "content", "output", "outputs", "results", "result", "tools", "error",
];
