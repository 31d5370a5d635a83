//! Copying what a run names into the directory of another run.

use std::collections::BTreeSet;
use std::sync::Arc;

use artifacts_core::{Measured, Meter};

use crate::dir::OpenDir;
use crate::fs::Fs;
use crate::publish::Published;
use crate::read::{self, READ_BYTES};
use crate::stage::{Open, Staged};
use crate::{ArtifactDir, ArtifactRef, Error, ErrorKind, Gone, Index};

/// What [`ArtifactDir::fork`] did with each artifact that was named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fork {
    /// There under the same name, with the same bytes: copied, or present before.
    pub copied: Vec<ArtifactRef>,
    /// Not in the source.
    pub missing: Vec<ArtifactRef>,
    /// Removed from the source on purpose, as its index tells.
    pub removed: Vec<(ArtifactRef, Gone)>,
    /// In the source with other bytes than its record says, so it was not copied.
    pub altered: Vec<ArtifactRef>,
    /// Other bytes have that name in the target, so it was not copied.
    pub clashing: Vec<ArtifactRef>,
}

impl Fork {
    /// Whether everything that was named is in the target, but for what was removed on purpose.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty() && self.altered.is_empty() && self.clashing.is_empty()
    }
}

impl<F: Fs> ArtifactDir<F> {
    /// Copies the artifacts that a transcript names into `target`, each verified and under its
    /// own name, so that a copy of the transcript beside `target` replays (SPEC 4.13). What the
    /// index knows, such as names given and what was removed, the target's index knows then.
    ///
    /// Blocks are shared where the file system can (reflink) and copied where not. Hard links are
    /// not made: a file with two names could be changed through the other run, and reading refuses
    /// such files (P8).
    ///
    /// # Errors
    ///
    /// If the target can't be written. What was copied until then stays.
    pub fn fork(&self, target: &Self, named: &[ArtifactRef]) -> Result<Fork, Error> {
        let mut fork = Fork::default();
        let named: BTreeSet<&ArtifactRef> = named.iter().collect();
        if named.is_empty() {
            return Ok(fork);
        }
        let Some(from) = self.open_present()? else {
            fork.missing = named.into_iter().cloned().collect();
            return Ok(fork);
        };
        let to = Arc::new(target.open_or_create()?);
        let mut published = Vec::new();
        for artifact in named {
            let list = match copy(&from, &to, artifact)? {
                Copied::Published(copy) => {
                    published.push(copy);
                    &mut fork.copied
                }
                Copied::Missing => &mut fork.missing,
                Copied::Altered => &mut fork.altered,
                Copied::Clashing => &mut fork.clashing,
            };
            list.push(artifact.clone());
        }
        let entries = to.sync()?;
        for copy in published {
            let _receipt = copy.sealed_by(entries);
        }
        self.fork_index(target, &mut fork)?;
        Ok(fork)
    }

    fn fork_index(&self, target: &Self, fork: &mut Fork) -> Result<(), Error> {
        let index = Index::open(self, [])?;
        if index.is_blank() {
            return Ok(());
        }
        Index::open(target, [])?.take_over(&index)?;
        for missing in std::mem::take(&mut fork.missing) {
            match index.gone(missing.name().as_str()) {
                Some(why) => fork.removed.push((missing, why)),
                None => fork.missing.push(missing),
            }
        }
        Ok(())
    }
}

enum Copied<F: Fs> {
    Published(Published<F>),
    Missing,
    Altered,
    Clashing,
}

fn copy<F: Fs>(
    from: &OpenDir<F>,
    to: &Arc<OpenDir<F>>,
    artifact: &ArtifactRef,
) -> Result<Copied<F>, Error> {
    let source = match read::open_regular(from, artifact) {
        Ok(source) => source,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Copied::Missing),
        Err(_) => return Ok(Copied::Altered),
    };
    let mut staged = Staged::create(to, artifact.name())?;
    let shared = staged.share_blocks(&source, artifact.bytes()).is_ok();
    let mut meter = Meter::default();
    let mut buffer = vec![0; READ_BYTES];
    let mut offset = 0;
    loop {
        // What was shared is read back from the copy, so that the digest is that of the copy.
        let file = if shared { staged.file() } else { &source };
        let piece = read::read_full(&*from.fs, file, &mut buffer, offset)
            .map_err(|error| Error::io("read", artifact.name(), error))?;
        if piece.is_empty() {
            break;
        }
        offset += piece.len() as u64;
        meter.update(piece);
        if !shared {
            staged.append(piece)?;
        }
    }
    let measured = meter.finish();
    if measured.digest() != artifact.digest() {
        return Ok(Copied::Altered);
    }
    publish(staged, artifact, measured)
}

fn publish<F: Fs>(
    staged: Staged<F, Open>,
    artifact: &ArtifactRef,
    measured: Measured,
) -> Result<Copied<F>, Error> {
    let synced = staged.sync().map_err(|(_, error)| error)?;
    match synced.publish(&[artifact.name().clone()], measured) {
        Ok(published) => Ok(Copied::Published(published)),
        Err(error) if error.kind() == ErrorKind::Foreign => Ok(Copied::Clashing),
        Err(error) => Err(error),
    }
}
