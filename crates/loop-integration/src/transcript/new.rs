//! A transcript that appears whole, or not at all.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use super::file::{self, LogFile};
use super::platform;
use crate::Error;

/// The file of a transcript that is being made. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct NewLog {
    log: LogFile,
    staged: PathBuf,
    target: PathBuf,
}

impl NewLog {
    /// Begins a transcript whose name nothing has.
    pub(crate) fn begin(target: &Path) -> Result<Self, Error> {
        if std::fs::symlink_metadata(target).is_ok() {
            return Err(Error::io("create", &file::label(target), platform::taken()));
        }
        let mut number = 0_u32;
        loop {
            let mut name = OsString::from(".tmp-");
            name.push(target.file_name().unwrap_or_default());
            name.push(format!("-{:x}-{number:x}", std::process::id()));
            let staged = target.with_file_name(name);
            let mut options = OpenOptions::new();
            options.read(true).append(true).create_new(true);
            let label = file::label(target);
            match LogFile::open_as(&staged, label, &mut options, "create") {
                Ok(log) => {
                    return Ok(Self {
                        log,
                        staged,
                        target: target.to_path_buf(),
                    });
                }
                // Another thread's, or of a process that was killed and had this one's number.
                Err(_) if number < MOST_TRIES && std::fs::symlink_metadata(&staged).is_ok() => {
                    number += 1
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Copies the first `bytes` bytes of another transcript, makes them durable, and gives the
    /// file its name.
    pub(crate) fn finish(self, other: &LogFile, bytes: u64) -> Result<(), Error> {
        let label = file::label(&self.target);
        let mut from = other.file();
        from.seek(SeekFrom::Start(0))
            .and_then(|_| io::copy(&mut from.take(bytes), &mut self.log.file()))
            .and_then(|_| self.log.file().sync_data())
            .map_err(|error| Error::io("copy to", &label, error))?;
        let renamed = platform::rename_new(&self.staged, &self.target)
            .unwrap_or_else(|| rename_if_free(&self.staged, &self.target));
        renamed.map_err(|error| Error::io("create", &label, error))?;
        self.log.sync_parent()
    }
}

impl Drop for NewLog {
    #[expect(
        clippy::disallowed_methods,
        reason = "it is the staging file that this made, and nobody's data (I6)"
    )]
    fn drop(&mut self) {
        // Nothing has this name once the file has its own.
        let _ = std::fs::remove_file(&self.staged);
    }
}

/// Bounds the search for a free name.
const MOST_TRIES: u32 = 100;

/// In two steps, where the system can't in one.
#[expect(
    clippy::disallowed_methods,
    reason = "where there is no rename that replaces nothing, the name is looked at first"
)]
fn rename_if_free(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::symlink_metadata(to) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => std::fs::rename(from, to),
    }
}
