//! The lines of a transcript: the one place that knows their JSON (`docs/transcript.md`).
//!
//! Structs that are written declare their fields in sorted order, as the format asks.

mod message;
mod settled;

use std::borrow::Cow;

use artifacts_core::OpId;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::json;
use crate::record::{Record, ToolSettled};
use crate::{ErrorKind, Message, Operation, Policy, Timestamp};

pub(crate) use message::MessagePayload;

use message::MessageIn;
use settled::{SettledIn, SettledOut};

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
    let op_id = operation.op_id().as_str();
    line(DISPATCHED, op_id, ts, payload, None, LINE_BYTES)
}

/// The line of a message. `id` is the op id of a message that holds an observation, `settling`
/// what its settle record will say: a run that is stopped in between is settled as it would have
/// been.
pub(crate) fn message(
    id: &str,
    message: &Message,
    settling: Option<&ToolSettled>,
    ts: Timestamp,
) -> Vec<u8> {
    // A line break in every 30 characters, escaped, lengthens a text by so much.
    let text = message.text().map_or(0, str::len);
    let bytes = text + text / 30 + LINE_BYTES;
    let settling = settling.map(SettledOut::settling);
    line(MESSAGE, id, ts, MessagePayload(message), settling, bytes)
}

/// The line of a settle record.
pub(crate) fn settled(envelope: &ToolSettled, ts: Timestamp) -> Vec<u8> {
    let payload = SettledOut::record(envelope);
    let op_id = envelope.op_id.as_str();
    line(SETTLED, op_id, ts, payload, None, LINE_BYTES)
}

/// Reads one line, without its newline.
pub(crate) fn parse(line: &[u8]) -> Result<Record, (ErrorKind, String)> {
    // The version comes first: what another one has in its lines is for it to say.
    let line =
        serde_json::from_slice::<LineIn<'_>>(line).map_err(
            |error| match serde_json::from_slice::<VersionIn>(line) {
                Ok(VersionIn { v }) if v != VERSION => newer(v),
                _ => damaged(error),
            },
        )?;
    if line.v != VERSION {
        return Err(newer(line.v));
    }
    let payload = line.payload.get();
    let is_of = |op_id: &OpId| match op_id.as_str() == line.id {
        true => Ok(()),
        false => Err(damaged("its id is not the op-id of its payload")),
    };
    match &*line.kind {
        DISPATCHED => {
            let ts = line.ts.parse::<Timestamp>().map_err(damaged)?;
            let payload = serde_json::from_str::<DispatchedIn<'_>>(payload).map_err(damaged)?;
            let operation = Operation::from(payload);
            is_of(operation.op_id())?;
            Ok(Record::Dispatched(operation, ts))
        }
        MESSAGE => {
            let MessageIn(message) = json::from_payload(payload).map_err(damaged)?;
            message.op_id.as_ref().map_or(Ok(()), is_of)?;
            let settling = match (message.observation(), line.settling) {
                (Some(_), Some(settling)) => {
                    let settling = serde_json::from_str::<SettledIn<'_>>(settling.get());
                    Some(settling.map_err(damaged)?.settling(OpId::new(&*line.id))?)
                }
                _ => None,
            };
            Ok(Record::Message {
                id: line.id.into_owned(),
                message,
                settling: settling.map(Box::new),
            })
        }
        SETTLED => {
            let payload = serde_json::from_str::<SettledIn<'_>>(payload).map_err(damaged)?;
            let envelope = payload.record()?;
            is_of(&envelope.op_id)?;
            Ok(Record::Settled(envelope))
        }
        _ => Ok(Record::Unknown),
    }
}

fn line(
    kind: &'static str,
    id: &str,
    ts: Timestamp,
    payload: impl Serialize,
    settling: Option<SettledOut<'_>>,
    bytes: usize,
) -> Vec<u8> {
    let line = LineOut {
        id,
        payload,
        settling,
        ts: ts.to_string(),
        kind,
        v: VERSION,
    };
    json::to_line(&line, bytes)
}

fn newer(version: u64) -> (ErrorKind, String) {
    let what = format!("it is of version {version}");
    (ErrorKind::Version, what)
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

/// Room for a line beside the text in it.
const LINE_BYTES: usize = 512;

#[derive(Serialize)]
struct LineOut<'a, P> {
    id: &'a str,
    payload: P,
    #[serde(skip_serializing_if = "Option::is_none")]
    settling: Option<SettledOut<'a>>,
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
    #[serde(borrow, default)]
    settling: Option<&'a RawValue>,
    #[serde(borrow)]
    ts: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    v: u64,
}

#[derive(Deserialize)]
struct VersionIn {
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
