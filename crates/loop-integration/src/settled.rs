//! The one string, and everything that is known of the result behind it.

use std::fmt;
use std::sync::Arc;

use artifacts_core::{Capture, Measured, NotStored, SettledDigest};
use artifacts_fs::DurableArtifact;
use serde_json::Value;

use crate::Operation;
use crate::tool_result::{Ending, Outcome};

/// The one string of an operation, with its digest (I1).
///
/// Only the settle path and a replay that checked the digest make one. Sharing it shares the
/// allocation; it never turns into another string type, so a second string cannot take its place.
///
/// ```compile_fail
/// let settled = loop_integration::SettledResult::from(String::from("mine"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SettledResult {
    text: Arc<str>,
    digest: SettledDigest,
}

impl SettledResult {
    pub(crate) fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let digest = SettledDigest::of(text.as_bytes());
        Self { text, digest }
    }

    /// The observation: what the model sees, what the transcript and the event hold.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// SHA-256 of the observation's bytes: the `result-digest` of the settle record.
    #[must_use]
    pub fn digest(&self) -> &SettledDigest {
        &self.digest
    }
}

/// Shows size and digest, never the content.
impl fmt::Debug for SettledResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SettledResult")
            .field("bytes", &self.text.len())
            .field("digest", &self.digest)
            .finish()
    }
}

/// Where the full bytes of a settled result are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// In the observation: it is the whole result.
    Whole,
    /// In this artifact.
    Stored(DurableArtifact),
    /// Nowhere.
    NotStored(NotStored),
}

/// A settled operation: the observation and what the records say of it.
///
/// ```
/// use artifacts_core::{Limit, NotStored, Shape};
/// use loop_integration::{Kept, Operation, Outcome, Settler, ToolResult};
///
/// let settler = Settler::new(Shape::new(Limit::graphemes(100)?));
/// let settled = settler.settle(&Operation::new("op-1"), ToolResult::success("0".repeat(9_000)));
/// assert_eq!(settled.outcome(), Outcome::Completed);
/// assert_eq!(settled.kept(), &Kept::NotStored(NotStored::NoSession));
/// assert_eq!(settled.elided(), 8_900);
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Settled {
    pub(crate) operation: Operation,
    pub(crate) result: SettledResult,
    pub(crate) parts: Arc<[Value]>,
    pub(crate) ending: Ending,
    pub(crate) kept: Kept,
    pub(crate) capture: Capture,
    pub(crate) is_background: bool,
    pub(crate) facts: Facts,
}

/// What the records say of a result beside its observation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub(crate) measured: Option<Measured>,
    pub(crate) elided: u64,
    pub(crate) replaced: u64,
    pub(crate) redacted: u64,
    pub(crate) turn_limit: Option<u64>,
    pub(crate) store_error: Option<String>,
    pub(crate) error: Option<String>,
}

impl Settled {
    /// The operation.
    #[must_use]
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// The one string.
    #[must_use]
    pub fn result(&self) -> &SettledResult {
        &self.result
    }

    /// The observation: the text of [`result`](Self::result).
    #[must_use]
    pub fn observation(&self) -> &str {
        self.result.as_str()
    }

    /// The parts that are no text, unchanged and in order, to be shown after the observation.
    #[must_use]
    pub fn parts(&self) -> &[Value] {
        &self.parts
    }

    /// How the operation ended.
    #[must_use]
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// What the settle record says of the operation.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.ending.outcome()
    }

    /// Where the full bytes are.
    #[must_use]
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// The artifact, if the full bytes are in one.
    #[must_use]
    pub fn artifact(&self) -> Option<&DurableArtifact> {
        match &self.kept {
            Kept::Stored(artifact) => Some(artifact),
            Kept::Whole | Kept::NotStored(_) => None,
        }
    }

    /// Size and digest of the whole result; counted only where it did not pass whole.
    #[must_use]
    pub fn measured(&self) -> Option<&Measured> {
        self.facts.measured.as_ref()
    }

    /// Graphemes of the result that the observation leaves out.
    #[must_use]
    pub fn elided(&self) -> u64 {
        self.facts.elided
    }

    /// Invalid UTF-8 sequences of the result that are shown as U+FFFD (SPEC 1.7).
    #[must_use]
    pub fn replaced(&self) -> u64 {
        self.facts.replaced
    }

    /// Places that the redactor changed.
    #[must_use]
    pub fn redacted(&self) -> u64 {
        self.facts.redacted
    }

    /// Graphemes that the turn's budget left it, where they are fewer than it shows by its policy.
    #[must_use]
    pub fn turn_limit(&self) -> Option<u64> {
        self.facts.turn_limit
    }

    /// Why the store could not keep the result: the store's own message.
    #[must_use]
    pub fn store_error(&self) -> Option<&str> {
        self.facts.store_error.as_deref()
    }

    /// Whether the tool's output was captured to its end.
    #[must_use]
    pub fn capture(&self) -> Capture {
        self.capture
    }
}
