//! Answers that fit the agent's limit by construction.

use std::fmt;

use artifacts_core::{Limit, Unit};
use artifacts_fs::{DurableArtifact, ErrorKind as StoreErrorKind};

use super::expand::FoundPassage;
use crate::clean::Clean;
use crate::resolve::Unresolved;
use crate::span::Span;
use crate::tool_result::Answer;
use crate::{Error, ErrorKind, ToolResult};

/// What a tool answers: the text for the model, within the limit. Settle it as it is, with `into()`:
/// a [`ToolResult`] made of its text is like any other, and may be cut and stored again.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the answer is what the model asked for"]
pub struct ToolAnswer {
    text: String,
    is_error: bool,
    stored: Option<DurableArtifact>,
    passages: Vec<FoundPassage>,
}

/// What is settled with the operation that called: it passes the seam whole, within a turn's
/// budget too, and the settle record names an artifact that the call stored.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Limit;
/// use artifacts_fs::{Index, MemoryStore};
/// use loop_integration::{ArtifactTools, Operation, Settler, ToolResult};
/// use serde_json::json;
///
/// let store = Arc::new(MemoryStore::default());
/// let tools = ArtifactTools::new(store, Index::default(), Limit::graphemes(1_000)?)?;
/// let answer = tools.call("store_artifact", &json!({"content": "a note"}));
/// let settled = Settler::default().settle(&Operation::new("op-1"), answer.into());
/// assert!(settled.artifact().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl From<ToolAnswer> for ToolResult {
    fn from(answer: ToolAnswer) -> Self {
        let result = match answer.is_error {
            true => Self::error(answer.text),
            false => Self::success(answer.text),
        };
        result.answering_with(Answer {
            artifact: answer.stored,
            ..Answer::default()
        })
    }
}

impl ToolAnswer {
    pub(super) fn new(room: Room, text: String) -> Self {
        Self {
            text: room.clip(text),
            is_error: false,
            stored: None,
            passages: Vec::new(),
        }
    }

    /// The same for a call that stored `artifact`.
    pub(super) fn storing(self, artifact: DurableArtifact) -> Self {
        Self {
            stored: Some(artifact),
            ..self
        }
    }

    /// The same with the passages that its text shows.
    pub(super) fn showing(self, passages: Vec<FoundPassage>) -> Self {
        Self { passages, ..self }
    }

    pub(super) fn refused(room: Room, text: &str) -> Self {
        Self {
            text: room.clip(format!("[{text}]")),
            is_error: true,
            stored: None,
            passages: Vec::new(),
        }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The passages that an answer of `expand_artifact` shows, in the order of the artifact, for
    /// whoever goes on with them; none for other answers.
    #[must_use]
    pub fn passages(&self) -> &[FoundPassage] {
        &self.passages
    }

    /// Whether the call could not be answered as it was made. An artifact that is not there is no
    /// error: that is the answer.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }
}

/// Why a call is not answered as it was made.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The handle leads nowhere.
    Unresolved(Unresolved),
    /// The arguments are not what the tool takes.
    Arguments(String),
    /// The store could not do it.
    Store(artifacts_fs::Error),
}

impl Refusal {
    pub(super) fn into_answer(self, room: Room) -> ToolAnswer {
        match self {
            Self::Unresolved(unresolved) => ToolAnswer::new(room, unresolved.to_string()),
            Self::Arguments(what) => ToolAnswer::refused(room, &what),
            Self::Store(error) => match error.kind() {
                // That it is not there is the answer.
                StoreErrorKind::NotFound
                | StoreErrorKind::Evicted
                | StoreErrorKind::Expired
                | StoreErrorKind::Covered => ToolAnswer::new(room, room.clip(format!("[{error}]"))),
                _ => ToolAnswer::refused(room, &error.to_string()),
            },
        }
    }

    /// The range ends before it begins.
    pub(super) fn reversed(span: Span) -> Self {
        Self::Arguments(format!(
            "the range {span} ends before it begins: put the lower number first, also when counting from the end"
        ))
    }

    /// The arguments are wrong, for the reason that `error` tells.
    pub(super) fn arguments(error: impl fmt::Display) -> Self {
        Self::Arguments(format!(
            "the arguments are wrong: {}",
            Clean::long(&error.to_string())
        ))
    }
}

impl From<Unresolved> for Refusal {
    fn from(unresolved: Unresolved) -> Self {
        Self::Unresolved(unresolved)
    }
}

impl From<artifacts_fs::Error> for Refusal {
    fn from(error: artifacts_fs::Error) -> Self {
        Self::Store(error)
    }
}

/// How many bytes an answer may have: a text of so many bytes is within the limit in any unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    bytes: usize,
}

impl Room {
    pub(super) fn of(limit: Limit) -> Result<Self, Error> {
        let units = match limit.unit() {
            // Four scalars each.
            Unit::Tokens => limit.amount().saturating_mul(4),
            _ => limit.amount(),
        };
        let bytes = usize::try_from(units.min(limit.byte_ceiling())).unwrap_or(usize::MAX);
        if bytes < Self::LEAST_BYTES {
            return Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "limit of the retrieval tools must be at least {} bytes, got {bytes}: raise it or leave the tools out",
                    Self::LEAST_BYTES
                ),
            ));
        }
        Ok(Self {
            bytes: bytes.min(Self::MOST_BYTES),
        })
    }

    pub(super) fn bytes(self) -> usize {
        self.bytes
    }

    /// What is left beside a line of `line_bytes` at most and its line end.
    pub(super) fn beside(self, line_bytes: usize) -> usize {
        self.bytes.saturating_sub(line_bytes + 1)
    }

    fn clip(self, mut text: String) -> String {
        debug_assert!(text.len() <= self.bytes, "an answer is made to fit");
        let is_end = |index: &usize| text.is_char_boundary(*index);
        let end = (0..=self.bytes.min(text.len())).rev().find(is_end);
        text.truncate(end.unwrap_or_default());
        text
    }

    const LEAST_BYTES: usize = 512;
    /// Nobody reads more at a time, and a limit may be meant as none.
    const MOST_BYTES: usize = 1 << 20;
}
