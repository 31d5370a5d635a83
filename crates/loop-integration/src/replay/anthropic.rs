//! Anthropic's messages.

use serde_json::{Value, json};

use crate::Message;
use crate::message::TOOL;
use crate::replay::{Image, content, sorted};

/// System messages go to `system`; neighbouring tool results share one message of the user, as
/// all results of one turn must.
pub(super) fn request(messages: &[Message]) -> Value {
    let mut system = Vec::new();
    let mut out = Vec::new();
    let mut results = Vec::new();
    for message in messages {
        if message.role() == TOOL {
            results.push(tool_result(message));
            continue;
        }
        flush(&mut results, &mut out);
        match message.role() {
            "system" => system.extend(blocks(content(message))),
            role => out.push(json!({"role": role, "content": turn(message)})),
        }
    }
    flush(&mut results, &mut out);
    match system.is_empty() {
        true => json!({ "messages": out }),
        false => json!({"system": system, "messages": out}),
    }
}

fn flush(results: &mut Vec<Value>, out: &mut Vec<Value>) {
    if !results.is_empty() {
        out.push(json!({"role": "user", "content": std::mem::take(results)}));
    }
}

fn tool_result(message: &Message) -> Value {
    let content = match message.parts() {
        [] => match content(message) {
            Value::String(text) if text.is_empty() && message.is_error() => NO_TEXT.into(),
            content => content,
        },
        parts => blocks(content(message))
            .into_iter()
            .chain(parts.iter().map(block))
            .collect(),
    };
    let mut result = json!({
        "type": "tool_result",
        "tool_use_id": message.tool_call_id(),
        "content": content,
    });
    if let (true, Some(fields)) = (message.is_error(), result.as_object_mut()) {
        fields.insert("is_error".into(), true.into());
    }
    result
}

/// What an error without text says: one whose content is empty is refused, and with it the request.
const NO_TEXT: &str = "(no text)";

fn turn(message: &Message) -> Value {
    if message.tool_calls().is_empty() && message.parts().is_empty() {
        return content(message);
    }
    let calls = message.tool_calls().iter().map(|call| {
        json!({
            "type": "tool_use",
            "id": call.id(),
            "name": call.name(),
            "input": call.arguments(),
        })
    });
    blocks(content(message))
        .into_iter()
        .chain(message.parts().iter().map(block))
        .chain(calls)
        .collect()
}

/// Content as blocks; text that is empty has none, because an empty block is refused.
fn blocks(content: Value) -> Vec<Value> {
    match content {
        Value::Array(blocks) => blocks,
        Value::String(text) if !text.is_empty() => vec![json!({"type": "text", "text": text})],
        _ => Vec::new(),
    }
}

fn block(part: &Value) -> Value {
    match Image::of(part) {
        Some(image) => json!({
            "type": "image",
            "source": {"type": "base64", "media_type": image.media_type, "data": image.data},
        }),
        None => json!({"type": "text", "text": sorted(part)}),
    }
}
