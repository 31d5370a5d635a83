//! Which blocks of an output are no text: pictures, sounds, files, and what only a provider reads.

use alloc::string::String;

use serde_json::{Map, Value};

use super::string;

/// The kind of a block that is media; `None` for everything that counts as text.
///
/// A kind alone makes no media: a field beside the data must be small, so that no text hides there.
pub(super) fn kind(block: &Value) -> Option<&str> {
    let Value::Object(fields) = block else {
        return None;
    };
    let kind = match string(block, "type") {
        Some(kind) => MEDIA.contains(&kind).then_some(kind)?,
        None => kind_of_data(block)?,
    };
    let is_media = match kind {
        "document" => !is_text_document(fields),
        "resource" => block.pointer("/resource/blob").is_some(),
        _ => true,
    };
    let fits = |(name, value): (&String, &Value)| DATA.contains(&name.as_str()) || is_small(value);
    (is_media && fields.iter().all(fits)).then_some(kind)
}

/// What kind of data, in Gemini's spelling, a block holds or names.
pub(super) fn kind_of_data(block: &Value) -> Option<&str> {
    let data = DATA
        .iter()
        .filter(|field| field.ends_with("Data") || field.ends_with("_data"));
    let data = data
        .filter_map(|field| block.get(field))
        .find(|data| data.is_object())?;
    let kind = ["mimeType", "mime_type"].iter();
    let kind = kind.clone().find_map(|field| string(data, field))?;
    let kind = kind.split('/').next()?;
    let is_known = matches!(kind, "image" | "audio" | "video");
    Some(if is_known { kind } else { "file" })
}

/// Whether a document's source is a text, or blocks, and not a file.
fn is_text_document(fields: &Map<String, Value>) -> bool {
    let source = fields
        .get("source")
        .and_then(|source| string(source, "type"));
    matches!(source, Some("text" | "content"))
}

/// Whether a value is a word or two: a mark, an id, an exit code.
pub(super) fn is_small(value: &Value) -> bool {
    is_small_at(value, 3)
}

fn is_small_at(value: &Value, depth: u32) -> bool {
    let below = |value: &Value| depth > 0 && is_small_at(value, depth.saturating_sub(1));
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => text.len() <= SMALL_BYTES,
        Value::Array(items) => items.len() <= SMALL_ITEMS && items.iter().all(below),
        Value::Object(fields) => {
            let is_small =
                |(name, value): (&String, &Value)| name.len() <= SMALL_BYTES && below(value);
            fields.len() <= SMALL_ITEMS && fields.iter().all(is_small)
        }
    }
}

const SMALL_BYTES: usize = 256;

const SMALL_ITEMS: usize = 8;

/// Types of OpenAI, Anthropic and MCP.
const MEDIA: &[&str] = &[
    "image",
    "image_url",
    "input_image",
    "output_image",
    "audio",
    "input_audio",
    "output_audio",
    "video",
    "input_video",
    "file",
    "input_file",
    "document",
    "resource",
    "resource_link",
    "computer_screenshot",
    "container_upload",
    "code_execution_output",
    "bash_code_execution_output",
    "encrypted_code_execution_result",
    "tool_reference",
    "web_search_result",
];

/// Where media have their data, or say where it is.
const DATA: &[&str] = &[
    "source",
    "image_url",
    "url",
    "data",
    "file",
    "file_data",
    "fileData",
    "inline_data",
    "inlineData",
    "input_audio",
    "audio",
    "video",
    "resource",
    "encrypted_content",
    "encrypted_stdout",
];
