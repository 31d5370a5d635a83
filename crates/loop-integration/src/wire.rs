//! The lines of a transcript: the one place that knows their JSON (`docs/transcript.md`).
//!
//! Structs that are written declare their fields in sorted order, as the format asks.

use std::borrow::Cow;

use artifacts_core::{Capture, OpId, SettledDigest};
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap as _, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::{self, Sorted};
use crate::message::{Content, Message, TOOL, ToolCall};
use crate::record::{Record, RecordedArtifact, ToolSettled};
use crate::tool_result::Outcome;
use crate::{ErrorKind, Operation, Policy, SettledResult, Timestamp};

/// The version every line says it has.
pub(crate) const VERSION: u64 = 1;

/// The line of a dispatched operation.
pub(crate) fn dispatched(operation: &Operation, policy: Option<&Policy>, ts: Timestamp) -> Vec<u8> {
    let payload = DispatchedOut {
        op_id: operation.op_id().as_str(),
        policy: policy.map(PolicyOut::of),
        tool: operation.tool(),
        tool_call_id: operation.tool_call_id(),
    };
    line(DISPATCHED, operation.op_id().as_str(), ts, payload)
}

/// The line of a message. `id` is the op id of a message that holds an observation.
pub(crate) fn message(id: &str, message: &Message, ts: Timestamp) -> Vec<u8> {
    line(MESSAGE, id, ts, MessagePayload(message))
}

/// The line of a settle record.
pub(crate) fn settled(envelope: &ToolSettled, ts: Timestamp) -> Vec<u8> {
    let hex = |digest: &SettledDigest| digest.to_string();
    let payload = SettledOut {
        artifact: envelope.artifact.as_ref().map(ArtifactOut::of),
        capture: (envelope.capture != Capture::Complete).then_some(INTERRUPTED),
        duration: envelope.duration_micros,
        not_stored: envelope.not_stored.as_deref(),
        op_id: envelope.op_id.as_str(),
        outcome: envelope.outcome.as_str(),
        reason: envelope.reason.as_deref(),
        replaced: (envelope.replaced > 0).then_some(envelope.replaced),
        result_digest: envelope.result_digest.as_ref().map(hex),
    };
    line(SETTLED, envelope.op_id.as_str(), ts, payload)
}

/// Reads one line, without its newline.
pub(crate) fn parse(line: &[u8]) -> Result<Record, (ErrorKind, String)> {
    let line = serde_json::from_slice::<LineIn<'_>>(line).map_err(damaged)?;
    if line.v != VERSION {
        let found = format!("it is of version {}", line.v);
        return Err((ErrorKind::Version, found));
    }
    let payload = line.payload.get();
    match &*line.kind {
        DISPATCHED => {
            let ts = line.ts.parse::<Timestamp>().map_err(damaged)?;
            let payload = serde_json::from_str::<DispatchedIn<'_>>(payload).map_err(damaged)?;
            Ok(Record::Dispatched(payload.into(), ts))
        }
        MESSAGE => Ok(Record::Message {
            id: line.id.into_owned(),
            message: serde_json::from_str::<MessageIn>(payload)
                .map_err(damaged)?
                .0,
        }),
        SETTLED => {
            let payload = serde_json::from_str::<SettledIn<'_>>(payload).map_err(damaged)?;
            Ok(Record::Settled(payload.try_into()?))
        }
        _ => Ok(Record::Unknown),
    }
}

fn line(kind: &'static str, id: &str, ts: Timestamp, payload: impl Serialize) -> Vec<u8> {
    json::to_line(&LineOut {
        id,
        payload,
        ts: ts.to_string(),
        kind,
        v: VERSION,
    })
}

fn damaged(error: impl std::fmt::Display) -> (ErrorKind, String) {
    (ErrorKind::Damaged, error.to_string())
}

const DISPATCHED: &str = "tool-dispatched";
const MESSAGE: &str = "message";
const SETTLED: &str = "tool-settled";
const INTERRUPTED: &str = "interrupted";

#[derive(Serialize)]
struct LineOut<'a, P> {
    id: &'a str,
    payload: P,
    ts: String,
    #[serde(rename = "type")]
    kind: &'static str,
    v: u64,
}

#[derive(Deserialize)]
struct LineIn<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    payload: &'a RawValue,
    #[serde(borrow)]
    ts: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    v: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct DispatchedOut<'a> {
    op_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'a str>,
    tool_call_id: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct PolicyOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_ceiling: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    render: Option<&'static str>,
    treatment: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
}

impl PolicyOut {
    fn of(policy: &Policy) -> Self {
        let limit = policy.shape().map(|shape| shape.limit());
        Self {
            byte_ceiling: limit.map(|limit| limit.byte_ceiling()),
            limit: limit.map(|limit| limit.amount()),
            render: policy.shape().map(|shape| shape.rendering().as_str()),
            treatment: policy.name(),
            unit: limit.map(|limit| limit.unit().as_str()),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct DispatchedIn<'a> {
    #[serde(borrow)]
    op_id: Cow<'a, str>,
    #[serde(borrow, default)]
    tool: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tool_call_id: Cow<'a, str>,
}

impl From<DispatchedIn<'_>> for Operation {
    fn from(payload: DispatchedIn<'_>) -> Self {
        let operation = Self::new(&*payload.op_id).answering(&*payload.tool_call_id);
        match payload.tool {
            Some(tool) => operation.of_tool(&*tool),
            None => operation,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct SettledOut<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    artifact: Option<ArtifactOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<&'static str>,
    duration: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_stored: Option<&'a str>,
    op_id: &'a str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_digest: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ArtifactOut<'a> {
    bytes: u64,
    chars: u64,
    digest: String,
    elided_chars: u64,
    file: &'a str,
}

impl<'a> ArtifactOut<'a> {
    fn of(artifact: &'a RecordedArtifact) -> Self {
        Self {
            bytes: artifact.bytes,
            chars: artifact.chars,
            digest: artifact.digest.to_string(),
            elided_chars: artifact.elided_chars,
            file: artifact.file.as_str(),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct SettledIn<'a> {
    #[serde(default)]
    artifact: Option<ArtifactIn>,
    #[serde(borrow, default)]
    capture: Option<Cow<'a, str>>,
    duration: u64,
    #[serde(default)]
    not_stored: Option<String>,
    #[serde(borrow)]
    op_id: Cow<'a, str>,
    #[serde(borrow)]
    outcome: Cow<'a, str>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    replaced: u64,
    #[serde(borrow, default)]
    result_digest: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ArtifactIn {
    bytes: u64,
    chars: u64,
    digest: String,
    elided_chars: u64,
    file: String,
}

impl TryFrom<SettledIn<'_>> for ToolSettled {
    type Error = (ErrorKind, String);

    fn try_from(payload: SettledIn<'_>) -> Result<Self, Self::Error> {
        let outcome = [Outcome::Completed, Outcome::Failed, Outcome::OutcomeUnknown]
            .into_iter()
            .find(|outcome| outcome.as_str() == payload.outcome)
            .ok_or_else(|| damaged(format_args!("unknown outcome {:?}", payload.outcome)))?;
        let result_digest = payload.result_digest.map(|digest| digest.parse());
        let artifact = payload.artifact.map(RecordedArtifact::try_from);
        Ok(Self {
            op_id: OpId::new(&*payload.op_id),
            outcome,
            reason: payload.reason,
            duration_micros: payload.duration,
            result_digest: result_digest.transpose().map_err(damaged)?,
            artifact: artifact.transpose()?,
            not_stored: payload.not_stored,
            capture: match payload.capture.as_deref() {
                Some(INTERRUPTED) => Capture::Interrupted,
                _ => Capture::Complete,
            },
            replaced: payload.replaced,
        })
    }
}

impl TryFrom<ArtifactIn> for RecordedArtifact {
    type Error = (ErrorKind, String);

    fn try_from(artifact: ArtifactIn) -> Result<Self, Self::Error> {
        Ok(Self {
            file: artifact.file.parse().map_err(damaged)?,
            digest: artifact.digest.parse().map_err(damaged)?,
            bytes: artifact.bytes,
            chars: artifact.chars,
            elided_chars: artifact.elided_chars,
        })
    }
}

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
struct MessageIn(Message);

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
