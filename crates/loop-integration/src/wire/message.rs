//! The payload of a message line, read and written with the fields that this release does not
//! know.

use std::borrow::Cow;

use artifacts_core::OpId;
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::SettledResult;
use crate::json::Sorted;
use crate::message::{Content, Message, TOOL, ToolCall};

/// The payload of a message, written with its unknown fields in their sorted places.
pub(crate) struct MessagePayload<'a>(pub(crate) &'a Message);

impl Serialize for MessagePayload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let message = self.0;
        let mut map = serializer.serialize_map(None)?;
        let mut more = message
            .more
            .iter()
            .map(|(key, value)| (key.as_str(), Field::Json(value)))
            .collect::<Vec<_>>();
        more.extend(fields(message));
        more.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
        for (key, field) in more {
            map.serialize_entry(key, &field)?;
        }
        map.end()
    }
}

fn fields(message: &Message) -> Vec<(&'static str, Field<'_>)> {
    let mut fields = vec![("role", Field::Text(&message.role))];
    match &message.content {
        Content::Nothing => {}
        Content::Observation(result) => fields.push(("content", Field::Text(result.as_str()))),
        Content::Text(text) => fields.push(("content", Field::Text(text))),
        Content::Json(value) => fields.push(("content", Field::Json(value))),
    }
    if message.is_error {
        fields.push(("is-error", Field::True));
    }
    if let Some(op_id) = &message.op_id {
        fields.push(("op-id", Field::Text(op_id.as_str())));
    }
    if !message.parts.is_empty() {
        fields.push(("parts", Field::Values(&message.parts)));
    }
    if let Some(id) = &message.tool_call_id {
        fields.push(("tool-call-id", Field::Text(id)));
    }
    if !message.tool_calls.is_empty() {
        fields.push(("tool-calls", Field::Calls(&message.tool_calls)));
    }
    fields
}

enum Field<'a> {
    Text(&'a str),
    True,
    Json(&'a Value),
    Values(&'a [Value]),
    Calls(&'a [ToolCall]),
}

impl Serialize for Field<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::True => serializer.serialize_bool(true),
            Self::Json(value) => Sorted(value).serialize(serializer),
            Self::Values(values) => serializer.collect_seq(values.iter().map(Sorted)),
            Self::Calls(calls) => serializer.collect_seq(calls.iter().map(|call| CallOut {
                arguments: Sorted(&call.arguments),
                id: &call.id,
                name: &call.name,
            })),
        }
    }
}

#[derive(Serialize)]
struct CallOut<'a> {
    arguments: Sorted<'a>,
    id: &'a str,
    name: &'a str,
}

#[derive(Deserialize)]
struct CallIn {
    arguments: Value,
    id: String,
    name: String,
}

/// A message being read. Not `Message` itself, so that nobody else can read an observation in.
pub(super) struct MessageIn(pub(super) Message);

impl<'de> Deserialize<'de> for MessageIn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MessageVisitor).map(Self)
    }
}

struct MessageVisitor;

impl<'de> Visitor<'de> for MessageVisitor {
    type Value = Message;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Message, A::Error> {
        let mut message = Message::empty();
        let mut has_role = false;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match &*key {
                "content" => message.content = map.next_value::<ContentIn>()?.0,
                "role" => {
                    message.role = map.next_value::<String>()?.into();
                    has_role = true;
                }
                "is-error" => message.is_error = map.next_value()?,
                "op-id" => message.op_id = Some(OpId::new(map.next_value::<String>()?)),
                "parts" => message.parts = map.next_value::<Vec<Value>>()?.into(),
                "tool-call-id" => message.tool_call_id = Some(map.next_value::<String>()?.into()),
                "tool-calls" => {
                    let calls = map.next_value::<Vec<CallIn>>()?;
                    message.tool_calls = calls.into_iter().map(ToolCall::from).collect();
                }
                _ => {
                    message.more.insert(key.into_owned(), map.next_value()?);
                }
            }
        }
        if !has_role {
            return Err(A::Error::missing_field("role"));
        }
        if &*message.role == TOOL || message.op_id.is_some() {
            message.content = match message.content {
                Content::Text(text) => Content::Observation(SettledResult::new(text)),
                _ => return Err(A::Error::custom("an observation must be a string")),
            };
        }
        Ok(message)
    }
}

struct ContentIn(Content);

impl<'de> Deserialize<'de> for ContentIn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ContentVisitor;

        impl<'de> Visitor<'de> for ContentVisitor {
            type Value = Content;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string, an array of parts or null")
            }

            fn visit_str<E>(self, text: &str) -> Result<Content, E> {
                Ok(Content::Text(text.into()))
            }

            fn visit_unit<E>(self) -> Result<Content, E> {
                Ok(Content::Nothing)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = seq.next_element()? {
                    parts.push(part);
                }
                Ok(Content::Json(Value::Array(parts)))
            }
        }

        deserializer.deserialize_any(ContentVisitor).map(Self)
    }
}

impl From<CallIn> for ToolCall {
    fn from(call: CallIn) -> Self {
        Self::new(call.id, call.name, call.arguments)
    }
}
