//! The one error type of this crate.

use alloc::string::String;
use core::fmt;

/// What went wrong, with a message that says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// The kinds of [`Error`], for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A limit that can hold nothing, or is below the minimum of its unit.
    Limit,
    /// A file name that is not an artifact's.
    Name,
    /// Text that is not a SHA-256 in lower-case hex.
    Digest,
    /// A line that is not a marker.
    Marker,
    /// A hint that names no tool, or that can't stand in one line.
    Hint,
    /// A split that leaves nothing to show.
    Split,
    /// Caps in an order that would lose data silently.
    Order,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: String) -> Self {
        Self { kind, message }
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

impl core::error::Error for Error {}
