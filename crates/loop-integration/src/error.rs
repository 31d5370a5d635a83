//! The one error type of this crate.

use std::fmt;
use std::io;

/// What went wrong on the settle path or with the transcript. The message is one line, names base
/// names only (I5) and says what to do; the cause is the [`source`](std::error::Error::source).
///
/// A store that fails is no error: its result is settled as not stored (I9).
///
/// ```
/// use loop_integration::{ErrorKind, Transcript};
///
/// # let folder = tempfile::tempdir()?;
/// let error = Transcript::load(folder.path().join("none.jsonl")).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Transcript);
/// assert_eq!(error.to_string(), "cannot read none.jsonl");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The kinds of [`Error`], for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operation has a settle record, or is being settled.
    AlreadySettled,
    /// The op id was dispatched before.
    AlreadyDispatched,
    /// The operation has its message but no settle record.
    AlreadyAnswered,
    /// No such operation was dispatched, or it has no message yet.
    UnknownOperation,
    /// A line of the transcript is damaged.
    Damaged,
    /// A line is of a version this release does not read.
    Version,
    /// The conversation is not the one the transcript holds.
    Seed,
    /// The transcript is no regular file, or could not be opened, read or appended to.
    Transcript,
    /// Artifacts could not be copied. Settling never fails with it.
    Store,
    /// A message that only the settle path may write, or a field that is not what it must be.
    Message,
    /// The runtime shut down before the result was settled.
    Cancelled,
    /// Caps in an order that loses data silently.
    Caps,
    /// A limit too small for what it must hold.
    Limit,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
        }
    }

    pub(crate) fn io(operation: &str, label: &str, source: io::Error) -> Self {
        Self {
            kind: ErrorKind::Transcript,
            message: format!("cannot {operation} {label}"),
            source: Some(source.into()),
        }
    }

    /// The same, because of `source`.
    pub(crate) fn with_source(self, source: io::Error) -> Self {
        Self {
            source: Some(source.into()),
            ..self
        }
    }

    /// The kind, for decisions.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.source {
            Some(source) => Some(source.as_ref()),
            None => None,
        }
    }
}
