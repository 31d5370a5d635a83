//! What a tool returned, whichever way it ended.

use artifacts_core::{Capture, ContentType, Measured};
use artifacts_fs::DurableArtifact;
use serde_json::Value;

/// Everything a tool returned for one operation, before it is settled.
///
/// ```
/// use loop_integration::{Ending, ToolResult};
///
/// let result = ToolResult::error("no such file");
/// assert_eq!(result.ending(), Ending::Error);
/// let binary = ToolResult::success(vec![0xFF, 0x00]);
/// assert_eq!(binary.bytes(), [0xFF, 0x00]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    pub(crate) body: Body,
    pub(crate) content: ContentType,
    pub(crate) parts: Vec<Value>,
    pub(crate) ending: Ending,
    pub(crate) capture: Capture,
    pub(crate) framing: Framing,
    pub(crate) error: Option<String>,
    pub(crate) answer: Option<Answer>,
    /// The most bytes of the text that are stored.
    pub(crate) cap_bytes: u64,
}

/// What is behind an answer that was made to fit: a page of an artifact, a late result's
/// observation. A turn's budget leaves it whole, so that no second artifact is made of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answer {
    /// The artifact that it is the first to name: its settle record names it too.
    pub(crate) artifact: Option<DurableArtifact>,
    pub(crate) measured: Option<Measured>,
    pub(crate) elided: u64,
    /// It is an observation, made under its own policy: nothing of it is cut again.
    pub(crate) is_observation: bool,
}

/// How an operation ended.
///
/// ```
/// use loop_integration::{Ending, Outcome};
///
/// assert_eq!(Ending::Denied.outcome(), Outcome::Failed);
/// assert_eq!(Ending::Denied.reason(), Some("denied"));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// The tool did what it was asked.
    #[default]
    Success,
    /// The tool ran and failed.
    Error,
    /// The call was refused before it ran.
    Denied,
    /// The tool was stopped at its time limit.
    TimedOut,
    /// The call's arguments could not be used.
    MalformedArguments,
    /// The run stopped while the tool ran: nobody knows what it did. What is settled with it is a
    /// fixed message, whatever the result holds (SPEC 5.3).
    Unknown,
}

/// The outcome of a settle record (SPEC 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The tool did what it was asked.
    Completed,
    /// It did not.
    Failed,
    /// Nobody knows.
    OutcomeUnknown,
}

impl Ending {
    /// The outcome of the settle record.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Success => Outcome::Completed,
            Self::Error | Self::Denied | Self::TimedOut | Self::MalformedArguments => {
                Outcome::Failed
            }
            Self::Unknown => Outcome::OutcomeUnknown,
        }
    }

    /// The reason of the settle record, where the outcome alone does not tell.
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Success | Self::Error | Self::Unknown => None,
            Self::Denied => Some("denied"),
            Self::TimedOut => Some("timed-out"),
            Self::MalformedArguments => Some("malformed-arguments"),
        }
    }

    /// Whether the model is told that the call failed.
    #[must_use]
    pub fn is_error(self) -> bool {
        self != Self::Success
    }
}

impl Outcome {
    /// The word in the record.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::OutcomeUnknown => "outcome-unknown",
        }
    }
}

/// The text or bytes of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    Text(String),
    Bytes(Vec<u8>),
}

/// What stands around a result and is never cut (SPEC 5.3).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Framing {
    pub(crate) before: String,
    pub(crate) after: String,
    /// The call was answered before: the result is a message of the user's side.
    pub(crate) is_background: bool,
}

impl ToolResult {
    /// The most bytes of an error's name that are recorded.
    pub const ERROR_BYTES: usize = 200;

    /// What a tool returned that did what it was asked.
    #[must_use]
    pub fn success(body: impl Into<ResultBody>) -> Self {
        Self::ended(Ending::Success, body)
    }

    /// What a tool said that failed.
    #[must_use]
    pub fn error(body: impl Into<ResultBody>) -> Self {
        Self::ended(Ending::Error, body)
    }

    /// Why a call was refused.
    #[must_use]
    pub fn denied(body: impl Into<ResultBody>) -> Self {
        Self::ended(Ending::Denied, body)
    }

    /// What a tool had returned when it was stopped at its time limit. Its capture is
    /// [`Interrupted`](Capture::Interrupted).
    #[must_use]
    pub fn timed_out(body: impl Into<ResultBody>) -> Self {
        Self::ended(Ending::TimedOut, body).with_capture(Capture::Interrupted)
    }

    /// Why a call's arguments could not be used.
    #[must_use]
    pub fn malformed_arguments(body: impl Into<ResultBody>) -> Self {
        Self::ended(Ending::MalformedArguments, body)
    }

    /// What a tool returned, with the way it ended.
    #[must_use]
    pub fn ended(ending: Ending, body: impl Into<ResultBody>) -> Self {
        let ResultBody(body) = body.into();
        Self {
            body,
            content: ContentType::Text,
            parts: Vec::new(),
            ending,
            capture: Capture::Complete,
            framing: Framing::default(),
            error: None,
            answer: None,
            cap_bytes: u64::MAX,
        }
    }

    /// Makes this an answer with `answer` behind it.
    pub(crate) fn answering_with(self, answer: Answer) -> Self {
        Self {
            answer: Some(answer),
            ..self
        }
    }

    /// Stores at most the first `cap_bytes` bytes.
    pub(crate) fn with_cap(self, cap_bytes: u64) -> Self {
        Self { cap_bytes, ..self }
    }

    /// Says what the bytes are, which decides the extension of the artifact's name.
    #[must_use]
    pub fn with_content_type(self, content: ContentType) -> Self {
        Self { content, ..self }
    }

    /// Adds parts that are no text, which pass unchanged after the observation (SPEC 5.4).
    #[must_use]
    pub fn with_parts(self, parts: impl IntoIterator<Item = Value>) -> Self {
        let parts = self.parts.into_iter().chain(parts).collect();
        Self { parts, ..self }
    }

    /// Says whether the tool's output was captured to its end.
    #[must_use]
    pub fn with_capture(self, capture: Capture) -> Self {
        Self { capture, ..self }
    }

    /// Names what went wrong, as an error type or an exit code does. The settle record holds the
    /// name, redacted as the result is; the observation does not. Control characters become spaces,
    /// and what is after [`ERROR_BYTES`](Self::ERROR_BYTES) bytes is left out: a record is no place
    /// for a result.
    ///
    /// ```
    /// use loop_integration::ToolResult;
    ///
    /// let result = ToolResult::error("no such file: x").with_error("exit code 2");
    /// ```
    #[must_use]
    pub fn with_error(self, name: &str) -> Self {
        Self {
            error: Some(name.to_owned()),
            ..self
        }
    }

    /// The name of the error as it is recorded.
    pub(crate) fn recorded_error(&self) -> Option<String> {
        let one_line = |c: char| match c {
            '\u{2028}' | '\u{2029}' => ' ',
            c if c.is_control() => ' ',
            c => c,
        };
        let name = self.error.as_ref()?;
        let mut error = String::new();
        for c in name.chars().map(one_line) {
            if error.len() + c.len_utf8() > Self::ERROR_BYTES {
                break;
            }
            error.push(c);
        }
        Some(error)
    }

    /// The fixed message in place of what the result holds, where nobody knows what the tool did.
    pub(crate) fn with_known_words(self) -> Self {
        match self.ending {
            Ending::Unknown => Self {
                framing: self.framing,
                error: self.error,
                ..Self::ended(Ending::Unknown, OUTCOME_UNKNOWN)
            },
            _ => self,
        }
    }

    /// Makes this the completion of a background task whose call was answered when it started:
    /// the observation is `before`, the settled body, `after`, in a message of the user's side.
    /// Only the body is measured, cut and stored (SPEC 5.3).
    #[must_use]
    pub fn in_background(self, before: impl Into<String>, after: impl Into<String>) -> Self {
        Self {
            framing: Framing {
                before: before.into(),
                after: after.into(),
                is_background: true,
            },
            ..self
        }
    }

    /// How the operation ended.
    #[must_use]
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// The bytes of the text, as they are.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.body {
            Body::Text(text) => text.as_bytes(),
            Body::Bytes(bytes) => bytes,
        }
    }

    /// The parts that are no text.
    #[must_use]
    pub fn parts(&self) -> &[Value] {
        &self.parts
    }
}

/// The text or the bytes a [`ToolResult`] is made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultBody(pub(crate) Body);

impl From<String> for ResultBody {
    fn from(text: String) -> Self {
        Self(Body::Text(text))
    }
}

impl From<&str> for ResultBody {
    fn from(text: &str) -> Self {
        Self(Body::Text(text.into()))
    }
}

/// Bytes that are UTF-8 are text.
impl From<Vec<u8>> for ResultBody {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Body::from(bytes))
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Bytes(error.into_bytes()),
        }
    }
}

/// What the model is told of an operation that nobody knows the outcome of.
const OUTCOME_UNKNOWN: &str = "[The outcome of this operation is unknown: the run stopped before \
     its result was recorded. It may have taken effect.]";
