//! What a settle record says: in the payload of its line, and before that on the line of the
//! message.

use std::borrow::Cow;

use artifacts_core::{Capture, OpId};
use serde::{Deserialize, Serialize};

use crate::ErrorKind;
use crate::record::{RecordedArtifact, RecordedTotal, ToolSettled};
use crate::tool_result::Outcome;
use crate::wire::damaged;

type Fault = (ErrorKind, String);

/// Without what a message's line says already, and the duration, on the line of a message.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct SettledOut<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    artifact: Option<ArtifactOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_stored: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    op_id: Option<&'a str>,
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

impl<'a> SettledOut<'a> {
    /// The payload of a settle record.
    pub(super) fn record(envelope: &'a ToolSettled) -> Self {
        Self {
            duration: Some(envelope.duration_micros),
            op_id: Some(envelope.op_id.as_str()),
            result_digest: envelope.result_digest.as_ref().map(ToString::to_string),
            ..Self::settling(envelope)
        }
    }

    /// What the line of a message says of the record that is to follow.
    pub(super) fn settling(envelope: &'a ToolSettled) -> Self {
        let counted = |count: u64| (count > 0).then_some(count);
        Self {
            artifact: envelope.artifact.as_ref().map(ArtifactOut::of),
            capture: (envelope.capture != Capture::Complete).then_some(INTERRUPTED),
            duration: None,
            error: envelope.error.as_deref(),
            not_stored: envelope.not_stored.as_deref(),
            op_id: None,
            outcome: envelope.outcome.as_str(),
            reason: envelope.reason.as_deref(),
            redacted: counted(envelope.redacted),
            replaced: counted(envelope.replaced),
            result_digest: None,
            store_error: envelope.store_error.as_deref(),
            turn_limit: envelope.turn_limit,
        }
    }
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
pub(super) struct SettledIn<'a> {
    #[serde(default)]
    artifact: Option<ArtifactIn>,
    #[serde(borrow, default)]
    capture: Option<Cow<'a, str>>,
    #[serde(default)]
    duration: Option<u64>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    not_stored: Option<String>,
    #[serde(borrow, default)]
    op_id: Option<Cow<'a, str>>,
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

impl SettledIn<'_> {
    /// The settle record of which this is the payload.
    pub(super) fn record(mut self) -> Result<ToolSettled, Fault> {
        let missing = |field: &str| damaged(format_args!("missing field `{field}`"));
        let op_id = self.op_id.take().ok_or_else(|| missing("op-id"))?;
        let duration = self.duration.ok_or_else(|| missing("duration"))?;
        let digest = self.result_digest.take().map(|digest| digest.parse());
        let result_digest = digest.transpose().map_err(damaged)?;
        let settling = self.settling(OpId::new(&*op_id))?;
        if result_digest.is_none() && settling.outcome != Outcome::OutcomeUnknown {
            return Err(missing("result-digest"));
        }
        Ok(ToolSettled {
            duration_micros: duration,
            result_digest,
            ..settling
        })
    }

    /// The record that is to follow the message of `op_id`, without digest and duration.
    pub(super) fn settling(self, op_id: OpId) -> Result<ToolSettled, Fault> {
        let outcome = [Outcome::Completed, Outcome::Failed, Outcome::OutcomeUnknown]
            .into_iter()
            .find(|outcome| outcome.as_str() == self.outcome)
            .ok_or_else(|| damaged(format_args!("unknown outcome {:?}", self.outcome)))?;
        let artifact = self.artifact.map(RecordedArtifact::try_from);
        Ok(ToolSettled {
            op_id,
            outcome,
            reason: self.reason,
            duration_micros: 0,
            error: self.error,
            result_digest: None,
            artifact: artifact.transpose()?,
            not_stored: self.not_stored,
            capture: match self.capture.as_deref() {
                Some(INTERRUPTED) => Capture::Interrupted,
                _ => Capture::Complete,
            },
            replaced: self.replaced,
            redacted: self.redacted,
            turn_limit: self.turn_limit,
            store_error: self.store_error,
        })
    }
}

impl TryFrom<ArtifactIn> for RecordedArtifact {
    type Error = Fault;

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

const INTERRUPTED: &str = "interrupted";
