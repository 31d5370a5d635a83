//! Outputs and contents with shorter texts.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::gemini::Answer;
use super::media::{self, is_small};
use super::output::{BESIDE, Output, TEXTS, within};
use super::{is_result, string};

/// `output` with `text` in place of all its text, before everything that is no text, which stays
/// (SPEC 5.4).
///
/// ```
/// use compactor_cap::output_with_text;
/// use serde_json::json;
///
/// let output = json!([{"type": "image"}, {"type": "text", "text": "0123456789"}, {"row": 7}]);
/// assert_eq!(
///     output_with_text(&output, "0123"),
///     json!([{"type": "text", "text": "0123"}, {"type": "image"}]),
/// );
/// ```
#[must_use]
pub fn output_with_text(output: &Value, text: &str) -> Value {
    match output {
        Value::Array(blocks) => {
            let mut edited = Vec::from([text_block(blocks, text)]);
            edited.extend(media_of([output]));
            Value::Array(edited)
        }
        Value::Object(fields) if has_text(output) => block_with_text(output, fields, text),
        Value::Object(fields) if fields.contains_key("value") => Value::Object(Map::from_iter([
            ("type".into(), "text".into()),
            ("value".into(), text.into()),
        ])),
        Value::Object(_) => text_beside_media(output, text),
        _ => text.into(),
    }
}

/// `text` alone, or with the media of `output`.
pub(super) fn text_beside_media(output: &Value, text: &str) -> Value {
    let media = media_of([output]);
    match media.is_empty() {
        true => text.into(),
        false => Value::Array([plain_block(text)].into_iter().chain(media).collect()),
    }
}

/// The media of several outputs in a row.
pub(super) fn media_of<'a>(outputs: impl IntoIterator<Item = &'a Value>) -> Vec<Value> {
    let read = Output::of_all(outputs, []);
    let blocks = read.media().iter();
    blocks.map(|(_, block)| (*block).clone()).collect()
}

/// `content` with `texts` in place of the texts of its results, in order; `None` keeps a result,
/// and everything else stays.
///
/// ```
/// use compactor_cap::with_result_texts;
/// use serde_json::json;
///
/// let content = json!([{"type": "tool_result", "content": "0123456789"}, {"type": "image"}]);
/// assert_eq!(
///     with_result_texts(&content, [Some("0123")]),
///     json!([{"type": "tool_result", "content": "0123"}, {"type": "image"}]),
/// );
/// ```
#[must_use]
pub fn with_result_texts<'t>(
    content: &Value,
    texts: impl IntoIterator<Item = Option<&'t str>>,
) -> Value {
    let mut texts = texts.into_iter();
    let mut edit = |block: &Value| match is_result(block) {
        true => block_with_result(block, texts.next().flatten()),
        false => block.clone(),
    };
    match content {
        Value::Array(blocks) => blocks.iter().map(edit).collect(),
        block => edit(block),
    }
}

/// The block, a result, with `text` for what it says, if there is a text.
fn block_with_result(block: &Value, text: Option<&str>) -> Value {
    match (Answer::of(block), text) {
        (Some(answer), Some(text)) if string(block, "type").is_none() => answer.with_text(text),
        _ => field_with_text(block, "content", text),
    }
}

/// `value` with `text` in its `field`, if there is a text.
pub(super) fn field_with_text(value: &Value, field: &str, text: Option<&str>) -> Value {
    match (value, value.get(field), text) {
        (Value::Object(fields), Some(output), Some(text)) => {
            replaced(fields, field, output_with_text(output, text))
        }
        _ => value.clone(),
    }
}

/// The fields, with `value` for `field`; the old value is not copied.
pub(super) fn replaced(fields: &Map<String, Value>, field: &str, value: Value) -> Value {
    let mut value = Some(value);
    let copy = |(name, old): (&String, &Value)| match name == field {
        true => (name.clone(), value.take().unwrap_or_default()),
        false => (name.clone(), old.clone()),
    };
    Value::Object(fields.iter().map(copy).collect())
}

/// One block for all that have text: as the first of them is, with the last cache mark that any
/// has.
fn text_block(blocks: &[Value], text: &str) -> Value {
    let mut texts = blocks
        .iter()
        .filter(|block| block.is_string() || has_text(block));
    let mut edited = match texts.next() {
        Some(block @ Value::Object(fields)) => block_with_text(block, fields, text),
        Some(_) => return text.into(),
        None => plain_block(text),
    };
    let marks = blocks
        .iter()
        .rev()
        .filter(|block| media::kind(block).is_none());
    let mark = marks
        .filter_map(|block| block.get(CACHE_MARK))
        .find(|mark| is_small(mark));
    if let (Some(mark), Some(fields)) = (mark, edited.as_object_mut()) {
        fields.insert(CACHE_MARK.into(), mark.clone());
    }
    edited
}

/// Whether a block has a known text field.
fn has_text(block: &Value) -> bool {
    TEXTS.iter().any(|name| string(block, name).is_some())
}

/// The block with `text` in its first text field and nothing in the others. Of the fields beside
/// them those stay that count as no text.
fn block_with_text(block: &Value, fields: &Map<String, Value>, text: &str) -> Value {
    let wrapped = within(block);
    let first = TEXTS
        .iter()
        .find(|name| fields.get(**name).is_some_and(Value::is_string));
    let keep = |(name, value): (&String, &Value)| match name.as_str() {
        name if Some(&name) == first => Some(text.into()),
        name if TEXTS.contains(&name) && value.is_string() => Some("".into()),
        name if BESIDE.contains(&name) && is_small(value) => Some(value.clone()),
        "content" if wrapped.is_some_and(|wrapped| core::ptr::eq(wrapped, value)) => {
            let blocks = value.as_array()?.iter();
            let files = blocks.filter(|block| media::kind(block).is_some());
            Some(files.cloned().collect::<Vec<_>>().into())
        }
        _ => None,
    };
    let kept = fields
        .iter()
        .filter_map(|field| Some((field.0.clone(), keep(field)?)));
    Value::Object(kept.collect())
}

fn plain_block(text: &str) -> Value {
    Value::Object(Map::from_iter([
        ("type".into(), "text".into()),
        ("text".into(), text.into()),
    ]))
}

/// Where Anthropic's prompt cache is told to keep what comes before.
const CACHE_MARK: &str = "cache_control";
