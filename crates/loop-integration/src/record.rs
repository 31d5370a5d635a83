//! The records of a transcript, as the rest of the crate knows them.

use artifacts_core::{ArtifactName, Capture, ContentDigest, OpId, SettledDigest};
use artifacts_fs::{ArtifactRef, DurableArtifact};

use crate::tool_result::Outcome;
use crate::{Kept, Message, Operation, Settled, Timestamp};

/// One line of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Record {
    Dispatched(Operation, Timestamp),
    Message {
        id: String,
        message: Message,
        /// What the settle record is to say, in the line of an observation.
        settling: Option<Box<ToolSettled>>,
    },
    Settled(ToolSettled),
    Unknown,
}

/// The settle record of an operation: the envelope (SPEC 5.2).
///
/// ```
/// use artifacts_core::Shape;
/// use loop_integration::{Operation, Outcome, Settler, ToolResult};
///
/// let settled = Settler::new(Shape::excerpt()).settle(&Operation::new("op-1"), ToolResult::success("ok"));
/// let envelope = settled.envelope(1_500);
/// assert_eq!(envelope.outcome(), Outcome::Completed);
/// assert_eq!(envelope.result_digest(), Some(settled.result().digest()));
/// assert!(envelope.artifact().is_none());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSettled {
    pub(crate) op_id: OpId,
    pub(crate) outcome: Outcome,
    pub(crate) reason: Option<String>,
    pub(crate) duration_micros: u64,
    pub(crate) result_digest: Option<SettledDigest>,
    pub(crate) artifact: Option<RecordedArtifact>,
    pub(crate) not_stored: Option<String>,
    pub(crate) capture: Capture,
    pub(crate) replaced: u64,
    pub(crate) redacted: u64,
    pub(crate) turn_limit: Option<u64>,
    pub(crate) store_error: Option<String>,
    pub(crate) error: Option<String>,
}

/// What a settle record says of an artifact. It proves nothing of the file: reading checks it.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::{Limit, Shape};
/// use artifacts_fs::{ArtifactStore as _, MemoryStore};
/// use loop_integration::{Operation, Settler, ToolResult};
///
/// let store = MemoryStore::default();
/// let settler =
///     Settler::new(Shape::new(Limit::graphemes(100)?)).with_store(Arc::new(store.clone()));
/// let text = "0".repeat(9_000);
/// let settled = settler.settle(&Operation::new("op-1"), ToolResult::success(text.as_str()));
/// let envelope = settled.envelope(1_500);
/// let artifact = envelope.artifact().ok_or("not stored")?;
/// assert_eq!(store.read(&artifact.reference())?, text.into_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedArtifact {
    pub(crate) file: ArtifactName,
    pub(crate) digest: ContentDigest,
    pub(crate) bytes: u64,
    pub(crate) chars: u64,
    pub(crate) elided_chars: u64,
    /// The whole result, where the file holds only its first part.
    pub(crate) total: Option<RecordedTotal>,
}

/// What a settle record says of a result of which the file holds only the first part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordedTotal {
    pub(crate) bytes: u64,
    pub(crate) digest: ContentDigest,
    /// Graphemes; unknown in a record that does not say them.
    pub(crate) chars: Option<u64>,
}

impl ToolSettled {
    /// The operation.
    #[must_use]
    pub fn op_id(&self) -> &OpId {
        &self.op_id
    }

    /// How it ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Why it failed, where a word is known: `denied`, `timed-out`, `malformed-arguments`.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// What went wrong, where the producer named it.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Microseconds from dispatch to settling.
    #[must_use]
    pub fn duration_micros(&self) -> u64 {
        self.duration_micros
    }

    /// SHA-256 of the observation; none where the outcome is unknown.
    #[must_use]
    pub fn result_digest(&self) -> Option<&SettledDigest> {
        self.result_digest.as_ref()
    }

    /// The artifact; none where the result passed whole or was not stored.
    #[must_use]
    pub fn artifact(&self) -> Option<&RecordedArtifact> {
        self.artifact.as_ref()
    }

    /// Why the result is in no file, in the words of the marker.
    #[must_use]
    pub fn not_stored(&self) -> Option<&str> {
        self.not_stored.as_deref()
    }

    /// Whether the tool's output was captured to its end.
    #[must_use]
    pub fn capture(&self) -> Capture {
        self.capture
    }

    /// Invalid UTF-8 sequences of the result shown as U+FFFD (SPEC 1.7).
    #[must_use]
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Places that the redactor changed; bytes and digest of the artifact are of what it left.
    #[must_use]
    pub fn redacted(&self) -> u64 {
        self.redacted
    }

    /// Graphemes that the turn's budget left it, where they are fewer than it shows by its policy.
    #[must_use]
    pub fn turn_limit(&self) -> Option<u64> {
        self.turn_limit
    }

    /// Why the store could not keep the result: the store's own message.
    #[must_use]
    pub fn store_error(&self) -> Option<&str> {
        self.store_error.as_deref()
    }

    /// Whether it was written from a message alone, whose line did not say what to record.
    pub(crate) fn is_recovered(&self) -> bool {
        self.reason.as_deref() == Some(RECOVERED)
    }

    /// Whether this and `other` differ in nothing but digest and duration, which the line of a
    /// message does not say.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let bare = |envelope: &Self| Self {
            result_digest: None,
            duration_micros: 0,
            ..envelope.clone()
        };
        bare(self) == bare(other)
    }
}

impl RecordedArtifact {
    /// The file's base name.
    #[must_use]
    pub fn file(&self) -> &ArtifactName {
        &self.file
    }

    /// SHA-256 of the file's bytes.
    #[must_use]
    pub fn digest(&self) -> &ContentDigest {
        &self.digest
    }

    /// Bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Graphemes of the file's text.
    #[must_use]
    pub fn chars(&self) -> u64 {
        self.chars
    }

    /// Graphemes that the observation leaves out.
    #[must_use]
    pub fn elided_chars(&self) -> u64 {
        self.elided_chars
    }

    /// Bytes of the whole result, where the file holds only its first part.
    #[must_use]
    pub fn total_bytes(&self) -> Option<u64> {
        self.total.map(|total| total.bytes)
    }

    /// SHA-256 of the whole result, where the file holds only its first part.
    #[must_use]
    pub fn total_digest(&self) -> Option<&ContentDigest> {
        self.total.as_ref().map(|total| &total.digest)
    }

    /// Graphemes of the whole result, where the file holds only its first part and the record
    /// says them.
    #[must_use]
    pub fn total_chars(&self) -> Option<u64> {
        self.total.and_then(|total| total.chars)
    }

    /// What a store needs to read the artifact and to know that it is the right one.
    #[must_use]
    pub fn reference(&self) -> ArtifactRef {
        ArtifactRef::new(self.file.clone(), self.digest, self.bytes)
    }

    fn of(artifact: &DurableArtifact, settled: &Settled) -> Self {
        let measure = artifact.measured().measure();
        let total = settled.measured().map(|whole| RecordedTotal {
            bytes: whole.measure().bytes(),
            digest: *whole.digest(),
            chars: Some(whole.measure().graphemes()),
        });
        Self {
            file: artifact.name().clone(),
            digest: *artifact.digest(),
            bytes: measure.bytes(),
            chars: measure.graphemes(),
            elided_chars: settled.elided(),
            total: total.filter(|total| total.bytes != measure.bytes()),
        }
    }
}

impl Settled {
    /// The settle record, for an operation that took `duration_micros` microseconds.
    #[must_use]
    pub fn envelope(&self, duration_micros: u64) -> ToolSettled {
        let (artifact, not_stored) = match self.kept() {
            Kept::Whole => (None, None),
            Kept::Stored(artifact) => (Some(RecordedArtifact::of(artifact, self)), None),
            Kept::NotStored(why) => (None, Some(why.as_str().to_owned())),
        };
        ToolSettled {
            op_id: self.operation().op_id().clone(),
            outcome: self.outcome(),
            reason: self.ending().reason().map(str::to_owned),
            duration_micros,
            result_digest: match self.outcome() {
                Outcome::OutcomeUnknown => None,
                _ => Some(*self.result().digest()),
            },
            artifact,
            not_stored,
            capture: self.capture(),
            replaced: self.replaced(),
            redacted: self.redacted(),
            turn_limit: self.turn_limit(),
            store_error: self.store_error().map(str::to_owned),
            error: self.facts.error.clone(),
        }
    }
}

/// The reason of a settle record that was written from the message alone.
pub(crate) const RECOVERED: &str = "recovered";
