//! A file being written under a staging name, by states: open, then synced.

use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::Arc;

use artifacts_core::ArtifactName;

use crate::dir::OpenDir;
use crate::fs::Fs;
use crate::{Durability, Error};

/// A staged file. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Staged<F: Fs, S> {
    leftover: Leftover<F>,
    file: F::File,
    written: u64,
    target: ArtifactName,
    state: S,
}

/// Bytes can be appended.
#[derive(Debug)]
pub(crate) struct Open;

/// The bytes survive this; nothing can be appended.
#[derive(Debug)]
pub(crate) struct Synced(Durability);

/// The staging name, removed on drop unless it was published.
#[derive(Debug)]
struct Leftover<F: Fs> {
    dir: Arc<OpenDir<F>>,
    name: OsString,
    published: bool,
}

impl<F: Fs> Staged<F, Open> {
    /// Creates a staging file for what will be `target`.
    pub(crate) fn create(dir: &Arc<OpenDir<F>>, target: &ArtifactName) -> Result<Self, Error> {
        let refused = |error| Error::io("store", target, error);
        let mut tries = 0;
        let (name, file) = loop {
            let name = dir.staging_name();
            match dir.fs.create(&dir.handle, &name) {
                Ok(file) => break (name, file),
                // A leftover, or something planted: never touched.
                Err(error) if is_taken(&error) && tries < MAX_TRIES => tries += 1,
                Err(error) => return Err(refused(error)),
            }
        };
        Ok(Self {
            leftover: Leftover {
                dir: Arc::clone(dir),
                name,
                published: false,
            },
            file,
            written: 0,
            target: target.clone(),
            state: Open,
        })
    }

    /// Appends all of `bytes`.
    pub(crate) fn append(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        let mut interrupts = 0;
        while !bytes.is_empty() {
            let written = match self.leftover.dir.fs.write(&self.file, bytes) {
                Ok(0) => Err(io::ErrorKind::WriteZero.into()),
                Err(error) if is_interrupt(&error) && interrupts < MAX_TRIES => {
                    interrupts += 1;
                    continue;
                }
                other => other,
            };
            let written = written.map_err(|error| Error::io("store", &self.target, error))?;
            bytes = bytes.get(written..).unwrap_or_default();
            self.written += written as u64;
        }
        Ok(())
    }

    /// Asks for everything from `offset` on to be written back.
    pub(crate) fn start_writeback(&self, offset: u64) {
        let bytes = self.written.saturating_sub(offset);
        let fs = &self.leftover.dir.fs;
        fs.start_writeback(&self.file, offset, bytes);
    }

    /// How many bytes were appended.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Takes over the bytes of `from` by sharing its blocks, where the file system can.
    pub(crate) fn share_blocks(&mut self, from: &F::File, bytes: u64) -> io::Result<()> {
        self.leftover.dir.fs.share_blocks(from, &self.file)?;
        self.written = bytes;
        Ok(())
    }

    /// Gives the file the name `name`, in place of what has it, without making anything durable.
    pub(crate) fn replace(mut self, name: &OsStr) -> Result<(), Error> {
        let Leftover {
            dir, name: from, ..
        } = &self.leftover;
        let renamed = dir.fs.rename(&dir.handle, from, name);
        renamed.map_err(|error| Error::io("cache", &self.target, error))?;
        self.leftover.published = true;
        Ok(())
    }

    /// Makes the bytes durable. A failed sync is never repeated: the file comes back with the
    /// error, only to be read from and removed.
    pub(crate) fn sync(self) -> Result<Staged<F, Synced>, (Self, Error)> {
        let synced = self.leftover.dir.sync_file(&self.file);
        self.after(synced)
    }

    /// As [`sync`](Self::sync), for files of one directory at the same time.
    pub(crate) fn sync_all(staged: Vec<Self>) -> Vec<Result<Staged<F, Synced>, (Self, Error)>> {
        let Some(dir) = staged.first().map(|first| Arc::clone(first.dir())) else {
            return Vec::new();
        };
        let files: Vec<&F::File> = staged.iter().map(|staged| &staged.file).collect();
        let synced = dir.sync_files(&files);
        let synced = staged.into_iter().zip(synced);
        synced
            .map(|(staged, synced)| staged.after(synced))
            .collect()
    }

    /// What it is after a sync with this outcome.
    fn after(self, synced: io::Result<Durability>) -> Result<Staged<F, Synced>, (Self, Error)> {
        let dir = &self.leftover.dir;
        let durability = match synced {
            Ok(durability) => durability,
            Err(error) => {
                let error = Error::sync(&self.target, error);
                return Err((self, error));
            }
        };
        // A write that reported more than it did is seen here and nowhere else.
        let checked = match dir.fs.stat(&self.file) {
            Ok(stat) if stat.bytes == self.written => Ok(()),
            Ok(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            Err(error) => Err(error),
        };
        if let Err(error) = checked {
            let error = Error::io("store", &self.target, error);
            return Err((self, error));
        }
        Ok(Staged {
            leftover: self.leftover,
            file: self.file,
            written: self.written,
            target: self.target,
            state: Synced(durability),
        })
    }
}

impl<F: Fs, S> Staged<F, S> {
    pub(crate) fn dir(&self) -> &Arc<OpenDir<F>> {
        &self.leftover.dir
    }

    /// The name it is meant for, for messages.
    pub(crate) fn target(&self) -> &ArtifactName {
        &self.target
    }

    pub(crate) fn file(&self) -> &F::File {
        &self.file
    }
}

impl<F: Fs> Staged<F, Synced> {
    /// The staging name, for the one step that gives it up.
    pub(crate) fn name(&self) -> &OsString {
        &self.leftover.name
    }

    /// What the bytes survive, once the name is given up.
    pub(crate) fn published(mut self) -> Durability {
        self.leftover.published = true;
        self.state.0
    }
}

impl<F: Fs> Drop for Leftover<F> {
    fn drop(&mut self) {
        if !self.published {
            // What can't be removed is a leftover that a sweep finds; the error to report is
            // the one that brought us here.
            let _ = self.dir.fs.remove(&self.dir.handle, &self.name);
        }
    }
}

/// Bounds the search for a free staging name, and how often a call is repeated.
pub(crate) const MAX_TRIES: u32 = 1_000;

pub(crate) fn is_interrupt(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Interrupted
}

fn is_taken(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::AlreadyExists
}
