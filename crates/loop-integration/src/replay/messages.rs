//! The payloads as the transcript holds them.

use serde_json::{Value, json};

use crate::Message;
use crate::wire::MessagePayload;

pub(super) fn request(messages: &[Message]) -> Value {
    let payloads = messages.iter().map(|message| {
        // A payload is strings and values, which always serialize.
        serde_json::to_value(MessagePayload(message)).unwrap_or_default()
    });
    json!({ "messages": payloads.collect::<Vec<_>>() })
}
