//! Saving one result whose bytes are in memory.

use std::sync::Arc;
use std::thread;

use artifacts_core::{ArtifactName, Measured, Unmeasured};

use crate::dir::{self, ArtifactDir, OpenDir};
use crate::fs::Fs;
use crate::publish;
use crate::stage::{Open, Staged, Synced};
use crate::{DurableArtifact, Error, ErrorKind};

/// Stages, syncs, publishes and seals `bytes`.
///
/// There is one fresh attempt after a sync error, from memory and in another file, and one where
/// the directory vanished under the first.
pub(crate) fn save<F: Fs>(
    dir: &ArtifactDir<F>,
    name: &ArtifactName,
    bytes: Unmeasured<'_>,
) -> Result<DurableArtifact, Error> {
    match save_once(dir, name, bytes) {
        Err(error) if error.kind() == ErrorKind::Sync || dir::has_vanished(&error) => {
            save_once(dir, name, bytes)
        }
        outcome => outcome,
    }
}

/// As [`save`], with one attempt.
pub(crate) fn save_once<F: Fs>(
    dir: &ArtifactDir<F>,
    name: &ArtifactName,
    bytes: Unmeasured<'_>,
) -> Result<DurableArtifact, Error> {
    let open = Arc::new(dir.open_or_create()?);
    let (staged, measured) = stage(&open, name, bytes)?;
    let names = publish::names_for(&open, name, &measured);
    staged.publish(&names, measured)?.seal()
}

/// Writes, measures and syncs `bytes` under a staging name.
fn stage<F: Fs>(
    dir: &Arc<OpenDir<F>>,
    name: &ArtifactName,
    bytes: Unmeasured<'_>,
) -> Result<(Staged<F, Synced>, Measured), Error> {
    let mut staged = Staged::create(dir, name)?;
    if bytes.bytes().len() < OVERLAP_BYTES {
        append_in_pieces(&mut staged, bytes.bytes())?;
        // The device works while the bytes are measured.
        let measured = bytes.measure();
        return Ok((sync(staged)?, measured));
    }
    // The device begins with the first piece, also where both threads share a processor.
    let (first, rest) = bytes.bytes().split_at(bytes.bytes().len().min(PIECE_BYTES));
    append_in_pieces(&mut staged, first)?;
    measure_meanwhile(bytes, || {
        append_in_pieces(&mut staged, rest)?;
        sync(staged)
    })
}

fn sync<F: Fs>(staged: Staged<F, Open>) -> Result<Staged<F, Synced>, Error> {
    staged.sync().map_err(|(_, error)| error)
}

/// Measures `bytes` on a second thread while `save` runs on this one.
fn measure_meanwhile<T>(
    bytes: Unmeasured<'_>,
    save: impl FnOnce() -> Result<T, Error>,
) -> Result<(T, Measured), Error> {
    thread::scope(|scope| {
        let measuring = thread::Builder::new().spawn_scoped(scope, || bytes.measure());
        let saved = save();
        let measured = measuring.ok().and_then(|thread| thread.join().ok());
        // Where no thread can be had, there is still this one.
        Ok((saved?, measured.unwrap_or_else(|| bytes.measure())))
    })
}

/// Writes in pieces, each handed to the device at once, so that the sync has little left to do.
pub(crate) fn append_in_pieces<F: Fs>(
    staged: &mut Staged<F, Open>,
    bytes: &[u8],
) -> Result<(), Error> {
    for piece in bytes.chunks(PIECE_BYTES) {
        let offset = staged.written();
        staged.append(piece)?;
        staged.start_writeback(offset);
    }
    Ok(())
}

/// From this size on, a second thread costs less than it saves.
const OVERLAP_BYTES: usize = 1 << 20;

/// How much is written between two hints to write back.
pub(crate) const PIECE_BYTES: usize = 4 << 20;
