//! The output of a result: a text, or blocks of text and of other kinds.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::string;

/// The text parts of `output`, put together.
pub(super) fn text(output: &Value) -> Cow<'_, str> {
    match output {
        Value::Null => Cow::Borrowed(""),
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(blocks) => {
            let mut texts = blocks.iter().filter_map(text_of_block);
            match (texts.next(), texts.next()) {
                (None, _) => Cow::Borrowed(""),
                (Some(text), None) => Cow::Borrowed(text),
                (Some(first), Some(second)) => {
                    let mut whole = String::from(first);
                    whole.push_str(second);
                    whole.extend(texts);
                    Cow::Owned(whole)
                }
            }
        }
        Value::Object(_) => match (text_of_block(output), string(output, "type")) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, Some(_)) => Cow::Borrowed(""),
            (None, None) => Cow::Owned(output.to_string()),
        },
        Value::Bool(_) | Value::Number(_) => Cow::Owned(output.to_string()),
    }
}

/// The kinds of the parts of `output` that are not text.
pub(super) fn media(output: &Value) -> Vec<&str> {
    let kind = |block| string(block, "type").unwrap_or("unknown");
    match output {
        Value::Array(blocks) => {
            let other = blocks.iter().filter(|block| text_of_block(block).is_none());
            other.map(kind).collect()
        }
        Value::Object(_) if text_of_block(output).is_none() => {
            string(output, "type").into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The same output with `text` in place of its text parts, before all others (SPEC 5.4).
pub(super) fn with_text(output: &Value, text: &str) -> Value {
    let text = Value::from(text);
    match output {
        Value::Array(blocks) => {
            let (texts, others): (Vec<_>, Vec<_>) = blocks
                .iter()
                .partition(|block| text_of_block(block).is_some());
            let mut edited = Vec::from([text_block(&texts, text)]);
            edited.extend(others.into_iter().cloned());
            Value::Array(edited)
        }
        Value::Object(fields) if text_of_block(output).is_some() => replaced(fields, "text", text),
        _ => text,
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

/// One block for `blocks`: the first one's fields, and the last cache mark that any of them has.
fn text_block(blocks: &[&Value], text: Value) -> Value {
    let Some(Value::Object(first)) = blocks.first() else {
        return text;
    };
    let mut block = replaced(first, "text", text);
    let mark = blocks.iter().rev().find_map(|block| block.get(CACHE_MARK));
    if let (Some(mark), Some(fields)) = (mark, block.as_object_mut()) {
        fields.insert(CACHE_MARK.into(), mark.clone());
    }
    block
}

fn text_of_block(block: &Value) -> Option<&str> {
    block.as_str().or_else(|| string(block, "text"))
}

/// Where Anthropic's prompt cache is told to keep what comes before.
const CACHE_MARK: &str = "cache_control";
