//! The one error type of this crate.

use std::fmt;
use std::io;

use crate::{ArtifactRef, Gone};

/// What went wrong with the store. The message names the operation and the file's base name,
/// never a path (I5); the cause is the [`source`](std::error::Error::source).
///
/// ```
/// use artifacts_core::{ArtifactName, ContentDigest};
/// use artifacts_fs::{ArtifactRef, ArtifactStore as _, ErrorKind, MemoryStore};
///
/// let gone = ArtifactRef::new(ArtifactName::parse("op-1.txt")?, ContentDigest::of(b""), 0);
/// let error = MemoryStore::default().read(&gone).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// # Ok::<(), artifacts_core::Error>(())
/// ```
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
    /// Another process does something that this would disturb, such as a sweep.
    Busy,
    /// A search pattern that is no regular expression, or too large a one.
    Pattern,
    /// It was evicted to keep within bounds.
    Evicted,
    /// It was older than artifacts are kept.
    Expired,
    /// It was removed because a summary covers it.
    Covered,
    /// Bounds that contradict each other.
    Bounds,
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

    /// `action` failed on `name`, for the reason that `cause` tells.
    pub(crate) fn io(action: &str, name: impl fmt::Display, cause: io::Error) -> Self {
        let kind = ErrorKind::of(&cause);
        Self {
            kind,
            message: format!("can't {action} {name}: {}", reason(kind, &cause)),
            source: Some(cause),
        }
    }

    /// Making `name` durable failed.
    pub(crate) fn sync(name: impl fmt::Display, cause: io::Error) -> Self {
        let kind = match ErrorKind::of(&cause) {
            full @ ErrorKind::StorageFull => full,
            _ => ErrorKind::Sync,
        };
        Self {
            kind,
            message: format!("can't make {name} durable: {}", reason(kind, &cause)),
            source: Some(cause),
        }
    }

    pub(crate) fn not_found(name: impl fmt::Display) -> Self {
        let message = format!("{name} is gone: restore it beside the transcript to read it");
        Self::new(ErrorKind::NotFound, message)
    }

    pub(crate) fn gone(name: impl fmt::Display, gone: Gone) -> Self {
        let kind = match gone {
            Gone::Evicted => ErrorKind::Evicted,
            Gone::Expired => ErrorKind::Expired,
            Gone::Covered => ErrorKind::Covered,
        };
        Self::new(kind, format!("{name} {gone}"))
    }

    /// `found` is what it is instead, in one clause.
    pub(crate) fn altered(artifact: &ArtifactRef, found: impl fmt::Display) -> Self {
        let (name, bytes, digest) = (artifact.name(), artifact.bytes(), artifact.digest());
        let message = format!(
            "{name} was altered: {found}; restore the file that has {bytes} bytes and sha256 {digest}"
        );
        Self::new(ErrorKind::Altered, message)
    }

    /// The kind, for decisions.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl ErrorKind {
    fn of(cause: &io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Self::StorageFull,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::PermissionDenied => Self::PermissionDenied,
            io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => Self::Foreign,
            io::ErrorKind::WouldBlock => Self::Busy,
            _ if is_link_loop(cause) => Self::Foreign,
            _ => Self::Io,
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::NotFound => {
                "it or its directory is not there, so make that directory or choose another"
            }
            Self::Altered => "its bytes are not those that were stored",
            Self::StorageFull => "no space is left, so free some or raise the quota",
            Self::ReadOnly => "the file system is read-only, so mount it writable",
            Self::PermissionDenied => "this user may not, so change the permissions",
            Self::Sync => "the device failed to write, so check it",
            Self::Foreign => "something else stands in its place, so move that away",
            Self::Busy => "another process holds the lock, so try again when it is done",
            Self::Pattern => "the pattern is none, so correct it",
            Self::Evicted | Self::Expired | Self::Covered => "it was removed, so make it again",
            Self::Bounds => "the bounds contradict each other, so change them",
            Self::Io => "the system refused, so try again when what it says is put right",
        }
    }
}

/// The kind's advice, and where that is of no help the words of the system, which name no file.
fn reason(kind: ErrorKind, cause: &io::Error) -> String {
    match kind {
        ErrorKind::Io => format!("{} ({cause})", kind.advice()),
        _ => kind.advice().to_owned(),
    }
}

/// Whether a link was met where none may be (ELOOP), or a device without a driver (ENXIO).
fn is_link_loop(cause: &io::Error) -> bool {
    #[cfg(unix)]
    let is = {
        use rustix::io::Errno;
        matches!(
            Errno::from_io_error(cause),
            Some(Errno::LOOP | Errno::NXIO | Errno::NODEV)
        )
    };
    #[cfg(not(unix))]
    let is = {
        let _ = cause;
        false
    };
    is
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
