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
    /// The name it has until it has its own; none where a file can be made without.
    staged: Option<PathBuf>,
    target: PathBuf,
}

impl NewLog {
    /// Begins a transcript whose name nothing has.
    pub(crate) fn begin(target: &Path) -> Result<Self, Error> {
        let label = file::label(target);
        if std::fs::symlink_metadata(target).is_ok() {
            return Err(Error::io("create", &label, platform::taken()));
        }
        let (log, staged) = match platform::unnamed_beside(target) {
            Some(file) => (LogFile::new(file, target, label, "create")?, None),
            None => named_beside(target).map(|(log, staged)| (log, Some(staged)))?,
        };
        Ok(Self {
            log,
            staged,
            target: target.to_path_buf(),
        })
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
        let named = match &self.staged {
            None => platform::give_name(self.log.file(), &self.target),
            Some(staged) => platform::rename_new(staged, &self.target)
                .unwrap_or_else(|| rename_if_free(staged, &self.target)),
        };
        named.map_err(|error| Error::io("create", &label, error))?;
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
        if let Some(staged) = &self.staged {
            let _ = std::fs::remove_file(staged);
        }
    }
}

/// Makes a file with a name of its own.
fn named_beside(target: &Path) -> Result<(LogFile, PathBuf), Error> {
    let mut number = 0_u32;
    loop {
        let mut name = OsString::from(".tmp-");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!("-{:x}-{number:x}", std::process::id()));
        let staged = target.with_file_name(name);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create_new(true);
        match LogFile::open_as(&staged, file::label(target), &mut options, "create") {
            Ok(log) => return Ok((log, staged)),
            // Another thread's, or of a process that was killed and had this one's number.
            Err(_) if number < MOST_TRIES && std::fs::symlink_metadata(&staged).is_ok() => {
                number += 1
            }
            Err(error) => return Err(error),
        }
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
