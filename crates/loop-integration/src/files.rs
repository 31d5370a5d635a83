//! Files as an agent's own tools see them: a small trait, a read-only mount, and their union.

mod glob;
mod mount;
mod union;

use std::fmt;
use std::ops::Range;

use artifacts_fs::{ErrorKind, Pattern, Selection};

pub use self::mount::ArtifactMount;
pub use self::union::MountedFiles;

/// The file tools of an agent. Paths are absolute, with `/` between their parts.
///
/// An agent implements it for its own files and puts an [`ArtifactMount`] beside them with
/// [`MountedFiles`].
pub trait FileTools: fmt::Debug + Send + Sync {
    /// What is in a directory, sorted by path.
    ///
    /// # Errors
    ///
    /// [`FileError`] if there is no such directory.
    fn ls(&self, dir: &str) -> Result<Vec<FileEntry>, FileError>;

    /// A part of a file, or its first page.
    ///
    /// # Errors
    ///
    /// [`FileError`] if there is no such file, or it can't be read.
    fn read(&self, path: &str, selection: &Selection) -> Result<FilePage, FileError>;

    /// The first `most` places in a file, or in the files of a directory, that `pattern` matches.
    ///
    /// # Errors
    ///
    /// [`FileError`] if there is neither, or a file can't be read.
    fn grep(&self, pattern: &Pattern, path: &str, most: usize)
    -> Result<Vec<FileMatch>, FileError>;

    /// The paths that match `pattern`, in which `*` stands for any characters and `?` for one,
    /// but for no `/`, and `**` for any characters.
    ///
    /// # Errors
    ///
    /// [`FileError`] if the files can't be listed.
    fn glob(&self, pattern: &str) -> Result<Vec<String>, FileError>;

    /// Writes a file.
    ///
    /// # Errors
    ///
    /// [`FileError`] if that can't be done or must not be.
    fn write(&self, path: &str, content: &str) -> Result<(), FileError>;

    /// Replaces `old` by `new` in a file.
    ///
    /// # Errors
    ///
    /// [`FileError`] if that can't be done or must not be.
    fn edit(&self, path: &str, old: &str, new: &str) -> Result<(), FileError>;

    /// Deletes a file.
    ///
    /// # Errors
    ///
    /// [`FileError`] if that can't be done or must not be.
    fn delete(&self, path: &str) -> Result<(), FileError>;
}

/// One line of a directory listing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileEntry {
    /// The absolute path; that of a directory ends in `/`.
    pub path: String,
    /// Its size in bytes; none for a directory.
    pub bytes: Option<u64>,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePage {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where they are in the file, in bytes.
    pub range: Range<u64>,
    /// Where what was asked for goes on, in bytes; none at its end.
    pub next: Option<u64>,
}

/// A place that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMatch {
    /// The file.
    pub path: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The bytes that match.
    pub range: Range<u64>,
    /// The line, as much of it around the match as is shown.
    pub text: String,
}

/// Why a file tool refuses: one line that says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    kind: FileErrorKind,
    message: String,
}

/// The kinds of [`FileError`], for decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// There is no such file or directory.
    NotFound,
    /// Nothing can be changed there.
    ReadOnly,
    /// The file can't be read.
    Unreadable,
    /// Any other reason.
    Other,
}

impl FileError {
    /// An error of this kind, for [`FileTools`] of one's own.
    #[must_use]
    pub fn new(kind: FileErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    /// The kind, for decisions.
    #[must_use]
    pub fn kind(&self) -> FileErrorKind {
        self.kind
    }
}

impl From<artifacts_fs::Error> for FileError {
    fn from(error: artifacts_fs::Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::NotFound => FileErrorKind::NotFound,
            _ => FileErrorKind::Unreadable,
        };
        Self::new(kind, error.to_string())
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FileError {}
