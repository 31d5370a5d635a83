//! The file of a transcript: opened without following links, locked, appended to, synced.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::transcript::{Transcript, platform};
use crate::{Error, ErrorKind};

/// An open transcript. Messages name it by its base name (I5).
#[derive(Debug)]
pub(crate) struct LogFile {
    file: File,
    path: PathBuf,
    label: String,
}

/// The advisory lock on a transcript, held while lines are read or appended.
#[derive(Debug)]
pub(crate) struct Locked<'a> {
    log: &'a LogFile,
}

impl LogFile {
    pub(crate) fn open_to_read(path: &Path) -> Result<Self, Error> {
        let mut options = OpenOptions::new();
        options.read(true);
        Self::open(path, &mut options, "read")
    }

    /// Opens the file to append to it, and makes it, 0600, if there is none.
    pub(crate) fn open_to_append(path: &Path) -> Result<Self, Error> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let log = Self::open(path, &mut options, "open")?;
        if log.is_empty()? {
            // Whoever made it may not have lived to do so.
            log.sync_parent()?;
        }
        Ok(log)
    }

    /// Opens the file to append to it, if there is one.
    pub(crate) fn open_existing(path: &Path) -> Result<Self, Error> {
        Self::open(path, OpenOptions::new().read(true).append(true), "open")
    }

    fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.metadata()?.len() == 0)
    }

    fn metadata(&self) -> Result<Metadata, Error> {
        let metadata = self.file.metadata();
        metadata.map_err(|error| Error::io("look at", &self.label, error))
    }

    fn open(path: &Path, options: &mut OpenOptions, operation: &str) -> Result<Self, Error> {
        Self::open_as(path, label(path), options, operation)
    }

    /// As the others, under a name for messages that isn't the file's own.
    pub(super) fn open_as(
        path: &Path,
        label: String,
        options: &mut OpenOptions,
        operation: &str,
    ) -> Result<Self, Error> {
        platform::harden(options);
        let refused = |what: &str| {
            let message = format!("cannot {operation} {label}: {what}");
            Error::new(ErrorKind::Transcript, message)
                .with_source(io::Error::from(io::ErrorKind::InvalidInput))
        };
        let file = options.open(path).map_err(|error| match is_link(path) {
            true => refused("it is a symbolic link, so give the file that it leads to"),
            false => Error::io(operation, &label, error),
        })?;
        let metadata = file
            .metadata()
            .map_err(|error| Error::io(operation, &label, error))?;
        if !metadata.is_file() {
            return Err(refused("it is no regular file, so give one"));
        }
        if platform::names(&metadata) > 1 {
            return Err(refused(
                "it has another name too (a hard link), so give a copy with one name",
            ));
        }
        if metadata.len() == 0 {
            // The umask may have taken from a new file what its owner needs.
            platform::give_to_owner(&file, &metadata);
        }
        Self::new(file, path, label, operation)
    }

    /// An open file that has, or will have, this path.
    pub(super) fn new(
        file: File,
        path: &Path,
        label: String,
        operation: &str,
    ) -> Result<Self, Error> {
        // So that it is found again wherever the program goes.
        let path =
            std::path::absolute(path).map_err(|error| Error::io(operation, &label, error))?;
        Ok(Self { file, path, label })
    }

    /// The file's base name.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// What tells the file from every other, under whatever name.
    pub(crate) fn identity(&self) -> Result<String, Error> {
        let known = platform::identity(&self.metadata()?);
        Ok(match known {
            Some((device, inode)) => format!("{device}:{inode}"),
            None => self.label.clone(),
        })
    }

    /// Takes every complete line.
    pub(crate) fn load(&self) -> Result<Transcript, Error> {
        let mut transcript = Transcript::default();
        transcript.take_lines(&self.file, &self.label, &[])?;
        Ok(transcript)
    }

    /// The open file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Waits for the lock, then looks whether this file is still the one of that name: what is
    /// appended to another is not in the transcript.
    pub(crate) fn lock(&self) -> Result<Locked<'_>, Error> {
        platform::lock(&self.file).map_err(|error| Error::io("lock", &self.label, error))?;
        let locked = Locked { log: self };
        let gone = match std::fs::symlink_metadata(&self.path) {
            Ok(metadata) => match platform::identity(&metadata) {
                named if named == platform::identity(&self.metadata()?) => return Ok(locked),
                _ => "replaced",
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => "deleted or renamed",
            Err(error) => return Err(locked.failed("look at", error)),
        };
        Err(Error::new(
            ErrorKind::Transcript,
            format!("{} was {gone} while it was open: open it again", self.label),
        ))
    }

    /// Opens the file that keeps torn lines: `<name>.torn`, or the first of `<name>.torn.2` and so
    /// on that is free where something else has that name.
    fn open_aside(&self) -> Result<Self, Error> {
        let mut name = self.path.file_name().unwrap_or_default().to_os_string();
        name.push(".torn");
        let mut aside = self.path.with_file_name(&name);
        for number in 2..=MOST_ASIDE {
            match Self::open_to_append(&aside) {
                Err(_) if std::fs::symlink_metadata(&aside).is_ok() => {}
                opened => return opened,
            }
            let mut next = name.clone();
            next.push(format!(".{number}"));
            aside = self.path.with_file_name(next);
        }
        Self::open_to_append(&aside)
    }

    /// Makes the entry of a new file durable.
    pub(super) fn sync_parent(&self) -> Result<(), Error> {
        let parent = self.path.parent().unwrap_or(Path::new("/"));
        platform::sync_dir(parent).map_err(|error| Error::io("create", &self.label, error))
    }
}

impl Locked<'_> {
    /// Bytes of the file.
    pub(crate) fn size(&self) -> Result<u64, Error> {
        Ok(self.log.metadata()?.len())
    }

    /// What follows the first `offset` bytes.
    pub(crate) fn read_from(&self, offset: u64) -> Result<impl Read, Error> {
        let mut file = &self.log.file;
        file.seek(SeekFrom::Start(offset))
            .map_err(|error| self.failed("read", error))?;
        Ok(file)
    }

    /// Appends one line, with one write, to the `before` bytes of the file. Where that fails,
    /// nothing of it stays.
    pub(crate) fn append(&self, before: u64, line: &[u8]) -> Result<(), Error> {
        let mut file = &self.log.file;
        let written = loop {
            match file.write(line) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => break written,
            }
        };
        let error = match written {
            Ok(length) if length == line.len() => return Ok(()),
            Ok(_) => io::ErrorKind::StorageFull.into(),
            Err(error) => error,
        };
        // If this fails too, the next append sets the torn line aside.
        let _ = self.log.file.set_len(before);
        Err(self.failed("append to", error))
    }

    /// Makes what was appended durable.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.log
            .file
            .sync_data()
            .map_err(|error| self.failed("sync", error))
    }

    /// Moves everything after the first `complete` bytes to the file beside the transcript that
    /// keeps torn lines.
    pub(crate) fn set_aside(&self, complete: u64) -> Result<(), Error> {
        let mut torn = Vec::new();
        self.read_from(complete)?
            .read_to_end(&mut torn)
            .map_err(|error| self.failed("read", error))?;
        let aside = self.log.open_aside()?;
        torn.push(b'\n');
        let kept = (&aside.file)
            .write_all(&torn)
            .and_then(|()| aside.file.sync_data());
        kept.map_err(|error| Error::io("append to", &aside.label, error))?;
        self.log
            .file
            .set_len(complete)
            .map_err(|error| self.failed("cut", error))?;
        self.sync()
    }

    fn failed(&self, operation: &str, error: io::Error) -> Error {
        Error::io(operation, &self.log.label, error)
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        // Closing the file would release it too.
        let _ = platform::unlock(&self.log.file);
    }
}

/// Bounds the search for a place for torn lines.
const MOST_ASIDE: u32 = 100;

/// Whether a link stands there, to explain why it was not opened.
fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

pub(super) fn label(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().escape_debug().to_string()
}
