//! OpenAI's chat completions and responses.

use serde_json::{Value, json};

use crate::message::TOOL;
use crate::replay::{Image, arguments, content, sorted};
use crate::{Message, ToolCall};

/// Tool messages hold text only: what else a result had follows the run of tool messages as one
/// message of the user, because nothing may stand between them.
pub(super) fn chat(messages: &[Message]) -> Value {
    let mut out = Vec::new();
    let mut media = Vec::new();
    for message in messages {
        if message.role() != TOOL && !media.is_empty() {
            out.push(json!({"role": "user", "content": std::mem::take(&mut media)}));
        }
        out.push(chat_message(message));
        media.extend(message.parts().iter().map(chat_part));
    }
    if !media.is_empty() {
        out.push(json!({"role": "user", "content": media}));
    }
    json!({ "messages": out })
}

pub(super) fn responses(messages: &[Message]) -> Value {
    let mut input = Vec::new();
    for message in messages {
        match message.tool_call_id() {
            Some(id) if message.role() == TOOL => input.push(json!({
                "type": "function_call_output",
                "call_id": id,
                "output": output(message),
            })),
            _ => {
                let content = content(message);
                if !content.is_null() && content != "" {
                    input.push(json!({"role": message.role(), "content": content}));
                }
                if !message.parts().is_empty() {
                    let parts = message.parts().iter().map(response_part);
                    input.push(json!({"role": "user", "content": parts.collect::<Vec<_>>()}));
                }
                input.extend(message.tool_calls().iter().map(function_call));
            }
        }
    }
    json!({ "input": input })
}

fn chat_message(message: &Message) -> Value {
    let mut out = json!({"role": message.role(), "content": content(message)});
    if let Some(fields) = out.as_object_mut() {
        if let Some(id) = message.tool_call_id() {
            fields.insert("tool_call_id".into(), id.into());
        }
        if !message.tool_calls().is_empty() {
            let calls = message.tool_calls().iter().map(|call| {
                json!({
                    "id": call.id(),
                    "type": "function",
                    "function": {"name": call.name(), "arguments": arguments(call.arguments())},
                })
            });
            fields.insert("tool_calls".into(), calls.collect());
        }
    }
    out
}

fn chat_part(part: &Value) -> Value {
    match Image::of(part) {
        Some(image) => json!({"type": "image_url", "image_url": {"url": image.data_url()}}),
        None => json!({"type": "text", "text": sorted(part)}),
    }
}

fn output(message: &Message) -> Value {
    if message.parts().is_empty() {
        return content(message);
    }
    let text = json!({"type": "input_text", "text": content(message)});
    let parts = message.parts().iter().map(response_part);
    std::iter::once(text).chain(parts).collect()
}

fn response_part(part: &Value) -> Value {
    match Image::of(part) {
        Some(image) => json!({"type": "input_image", "image_url": image.data_url()}),
        None => json!({"type": "input_text", "text": sorted(part)}),
    }
}

fn function_call(call: &ToolCall) -> Value {
    json!({
        "type": "function_call",
        "call_id": call.id(),
        "name": call.name(),
        "arguments": arguments(call.arguments()),
    })
}
