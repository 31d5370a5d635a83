//! An artifact whose bytes arrive piece by piece, in constant memory.

use std::sync::Arc;

use artifacts_core::{ArtifactName, ContentHasher, Measured, Meter};

use crate::dir::{ArtifactDir, OpenDir};
use crate::fs::Fs;
use crate::publish;
use crate::read::read_full;
use crate::save::PIECE_BYTES;
use crate::stage::{Open, Staged, Synced};
use crate::{ArtifactWriter, DurableArtifact, Error, ErrorKind, TakenNames};

/// Writes, hashes and counts in one pass. Dropping it removes the staging file.
#[derive(Debug)]
pub(crate) struct DirWriter<F: Fs> {
    dir: Arc<OpenDir<F>>,
    name: ArtifactName,
    meter: Meter,
    staged: Option<Staged<F, Open>>,
    buffer: Vec<u8>,
    written_back: u64,
    taken: Option<TakenNames>,
}

impl<F: Fs> DirWriter<F> {
    pub(crate) fn create(dir: &ArtifactDir<F>, name: ArtifactName) -> Result<Self, Error> {
        let dir = Arc::new(dir.open_or_create()?);
        let staged = Staged::create(&dir, &name)?;
        Ok(Self {
            dir,
            name,
            meter: Meter::default(),
            staged: Some(staged),
            buffer: Vec::new(),
            written_back: 0,
            taken: None,
        })
    }

    /// Leaves the names alone that `taken` says have been others' bytes.
    pub(crate) fn beside(self, taken: TakenNames) -> Self {
        Self {
            taken: Some(taken),
            ..self
        }
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Some(staged) = &mut self.staged else {
            return Err(self.failed_before());
        };
        if let Err(error) = staged.append(bytes) {
            // What is missing can't be made up for, so the staging file goes at once.
            self.staged = None;
            return Err(error);
        }
        if staged.written() - self.written_back >= PIECE_BYTES as u64 {
            staged.start_writeback(self.written_back);
            self.written_back = staged.written();
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let outcome = self.append(&buffer);
        buffer.clear();
        self.buffer = buffer;
        outcome
    }

    fn failed_before(&self) -> Error {
        let message = format!("can't store {}: writing it failed before", self.name);
        Error::new(ErrorKind::Io, message)
    }
}

impl<F: Fs> ArtifactWriter for DirWriter<F> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.meter.update(bytes);
        if self.buffer.len() + bytes.len() <= BUFFER_BYTES {
            self.buffer.extend_from_slice(bytes);
            return match self.staged {
                Some(_) => Ok(()),
                None => Err(self.failed_before()),
            };
        }
        self.flush()?;
        match bytes.len() < BUFFER_BYTES {
            true => self.buffer.extend_from_slice(bytes),
            false => self.append(bytes)?,
        }
        Ok(())
    }

    fn commit(mut self: Box<Self>) -> Result<DurableArtifact, Error> {
        self.flush()?;
        let Some(staged) = self.staged.take() else {
            return Err(self.failed_before());
        };
        staged.start_writeback(self.written_back);
        let measured = self.meter.finish();
        let staged = match staged.sync() {
            Err((failed, error)) if error.kind() == ErrorKind::Sync => {
                copy_to_fresh(&self.dir, &self.name, &failed, &measured)?
            }
            other => other.map_err(|(_, error)| error)?,
        };
        let names = publish::names_for(&self.dir, &self.name, &measured);
        let Some(taken) = &self.taken else {
            return staged.publish(&names, measured)?.seal();
        };
        let names = match names.as_slice() {
            [first, rest @ ..] if !rest.is_empty() && taken.has(first, measured.digest()) => rest,
            names => names,
        };
        staged.publish(names, measured)?.unnoted().seal()
    }
}

/// Copies what a failed sync left readable into another file, and proves the copy by its digest:
/// the bytes are no longer in memory, and the failed file must not be synced again (P5).
fn copy_to_fresh<F: Fs>(
    dir: &Arc<OpenDir<F>>,
    name: &ArtifactName,
    failed: &Staged<F, Open>,
    measured: &Measured,
) -> Result<Staged<F, Synced>, Error> {
    let refused = |error| Error::io("store", name, error);
    let mut fresh = Staged::create(dir, name)?;
    let mut hasher = ContentHasher::default();
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let offset = fresh.written();
        let piece = read_full(&*dir.fs, failed.file(), &mut buffer, offset).map_err(refused)?;
        if piece.is_empty() {
            break;
        }
        hasher.update(piece);
        fresh.append(piece)?;
    }
    if hasher.finish() != *measured.digest() {
        return Err(Error::sync(name, std::io::ErrorKind::InvalidData.into()));
    }
    fresh.sync().map_err(|(_, error)| error)
}

/// Small pieces are gathered to this size.
const BUFFER_BYTES: usize = 64 << 10;
