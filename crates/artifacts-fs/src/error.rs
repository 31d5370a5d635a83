//! The one error type of this crate.

use std::fmt;
use std::io;

/// What went wrong with the store. The message names the operation and the file's base name,
/// never a path (I5); the cause is the [`source`](std::error::Error::source).
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<io::Error>,
}

/// The kinds of [`Error`], for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No artifact of that name.
    NotFound,
    /// The bytes are not those that were stored.
    Altered,
    /// No space, quota or inode left, or a file-size limit.
    StorageFull,
    /// The file system is read-only.
    ReadOnly,
    /// Permission denied.
    PermissionDenied,
    /// The file system refused to make the bytes durable.
    Sync,
    /// Something that is not an artifact stands where one should.
    Foreign,
    /// Any other I/O error.
    Io,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
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
        self.source.as_ref().map(|source| source as _)
    }
}
