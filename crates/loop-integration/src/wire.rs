//! The lines of a transcript: the one place that knows their JSON (`docs/transcript.md`).
//!
//! Structs that are written declare their fields in sorted order, as the format asks.

mod message;

use std::borrow::Cow;

use artifacts_core::{Capture, OpId, SettledDigest};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::json;
use crate::record::{Record, RecordedArtifact, RecordedTotal, ToolSettled};
use crate::tool_result::Outcome;
use crate::{ErrorKind, Message, Operation, Policy, Timestamp};

pub(crate) use message::MessagePayload;

use message::MessageIn;

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
    line(
        DISPATCHED,
        operation.op_id().as_str(),
        ts,
        payload,
        LINE_BYTES,
    )
}

/// The line of a message. `id` is the op id of a message that holds an observation.
pub(crate) fn message(id: &str, message: &Message, ts: Timestamp) -> Vec<u8> {
    // A line break in every 30 characters, escaped, lengthens a text by so much.
    let text = message.text().map_or(0, str::len);
    let bytes = text + text / 30 + LINE_BYTES;
    line(MESSAGE, id, ts, MessagePayload(message), bytes)
}

/// The line of a settle record.
pub(crate) fn settled(envelope: &ToolSettled, ts: Timestamp) -> Vec<u8> {
    let counted = |count: u64| (count > 0).then_some(count);
    let hex = |digest: &SettledDigest| digest.to_string();
    let payload = SettledOut {
        artifact: envelope.artifact.as_ref().map(ArtifactOut::of),
        capture: (envelope.capture != Capture::Complete).then_some(INTERRUPTED),
        duration: envelope.duration_micros,
        error: envelope.error.as_deref(),
        not_stored: envelope.not_stored.as_deref(),
        op_id: envelope.op_id.as_str(),
        outcome: envelope.outcome.as_str(),
        reason: envelope.reason.as_deref(),
        redacted: counted(envelope.redacted),
        replaced: counted(envelope.replaced),
        result_digest: envelope.result_digest.as_ref().map(hex),
        store_error: envelope.store_error.as_deref(),
        turn_limit: envelope.turn_limit,
    };
    line(SETTLED, envelope.op_id.as_str(), ts, payload, LINE_BYTES)
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

fn line(
    kind: &'static str,
    id: &str,
    ts: Timestamp,
    payload: impl Serialize,
    bytes: usize,
) -> Vec<u8> {
    let line = LineOut {
        id,
        payload,
        ts: ts.to_string(),
        kind,
        v: VERSION,
    };
    json::to_line(&line, bytes)
}

/// The fault of a line, without the parser's own count of lines.
fn damaged(error: impl std::fmt::Display) -> (ErrorKind, String) {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    (ErrorKind::Damaged, what.to_owned())
}

const DISPATCHED: &str = "tool-dispatched";
const MESSAGE: &str = "message";
const SETTLED: &str = "tool-settled";
const INTERRUPTED: &str = "interrupted";

/// Room for a line beside the text in it.
const LINE_BYTES: usize = 512;

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
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_stored: Option<&'a str>,
    op_id: &'a str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result_digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store_error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_limit: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ArtifactOut<'a> {
    bytes: u64,
    chars: u64,
    digest: String,
    elided_chars: u64,
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_chars: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_digest: Option<String>,
}

impl<'a> ArtifactOut<'a> {
    fn of(artifact: &'a RecordedArtifact) -> Self {
        Self {
            bytes: artifact.bytes,
            chars: artifact.chars,
            digest: artifact.digest.to_string(),
            elided_chars: artifact.elided_chars,
            file: artifact.file.as_str(),
            total_bytes: artifact.total_bytes(),
            total_chars: artifact.total_chars(),
            total_digest: artifact.total_digest().map(ToString::to_string),
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
    error: Option<String>,
    #[serde(default)]
    not_stored: Option<String>,
    #[serde(borrow)]
    op_id: Cow<'a, str>,
    #[serde(borrow)]
    outcome: Cow<'a, str>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    redacted: u64,
    #[serde(default)]
    replaced: u64,
    #[serde(borrow, default)]
    result_digest: Option<Cow<'a, str>>,
    #[serde(default)]
    store_error: Option<String>,
    #[serde(default)]
    turn_limit: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ArtifactIn {
    bytes: u64,
    chars: u64,
    digest: String,
    elided_chars: u64,
    file: String,
    #[serde(default)]
    total_bytes: Option<u64>,
    #[serde(default)]
    total_chars: Option<u64>,
    #[serde(default)]
    total_digest: Option<String>,
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
            error: payload.error,
            result_digest: result_digest.transpose().map_err(damaged)?,
            artifact: artifact.transpose()?,
            not_stored: payload.not_stored,
            capture: match payload.capture.as_deref() {
                Some(INTERRUPTED) => Capture::Interrupted,
                _ => Capture::Complete,
            },
            replaced: payload.replaced,
            redacted: payload.redacted,
            turn_limit: payload.turn_limit,
            store_error: payload.store_error,
        })
    }
}

impl TryFrom<ArtifactIn> for RecordedArtifact {
    type Error = (ErrorKind, String);

    fn try_from(artifact: ArtifactIn) -> Result<Self, Self::Error> {
        let total_digest = artifact.total_digest.map(|digest| digest.parse());
        Ok(Self {
            file: artifact.file.parse().map_err(damaged)?,
            digest: artifact.digest.parse().map_err(damaged)?,
            bytes: artifact.bytes,
            chars: artifact.chars,
            elided_chars: artifact.elided_chars,
            total: match (
                artifact.total_bytes,
                total_digest.transpose().map_err(damaged)?,
            ) {
                (Some(bytes), Some(digest)) => Some(RecordedTotal {
                    bytes,
                    digest,
                    chars: artifact.total_chars,
                }),
                _ => None,
            },
        })
    }
}
