//! Removing what a plan names, and nothing else.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;

use crate::dir::OpenDir;
use crate::fs::{FileKind, Fs};
use crate::retention::{Plan, Reason, Removal};
use crate::usage::Tally;
use crate::{ArtifactDir, Error, Index, Indexed, cache};

/// What [`ArtifactDir::apply`] did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// What was removed.
    pub removed: Tally,
    /// What was planned and left alone, and why.
    pub left: Vec<(OsString, Left)>,
}

/// Why a file that a plan names was left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Left {
    /// It was gone.
    Gone,
    /// It is not the file the plan saw: other size, time, kind or number of names. So is one that
    /// was stored again meanwhile.
    Changed,
    /// Its writer lives.
    InUse,
    /// The system refused.
    Refused,
}

impl<F: Fs> ArtifactDir<F> {
    /// Removes what `plan` names. A file that is not the one the plan saw is left alone, and so
    /// is whatever is not a regular file with one name (P8, P12), and what was stored again since
    /// the plan was made.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Busy`](crate::ErrorKind::Busy) while another sweep of the directory runs, or
    /// a present file is being taken for a result; or if the directory can't be opened, locked or
    /// made durable.
    pub fn apply(&self, plan: &Plan) -> Result<Applied, Error> {
        let mut applied = Applied::default();
        let Some(dir) = self.open_present()? else {
            let gone = |removal: &Removal| (removal.name.clone(), Left::Gone);
            applied.left = plan.removals().iter().map(gone).collect();
            return Ok(applied);
        };
        dir.fs
            .lock_dir(&dir.handle)
            .map_err(|error| Error::io("sweep", self.label(), error))?;
        let mut removed = BTreeSet::new();
        for removal in plan.removals() {
            match remove(&dir, removal) {
                Ok(()) => {
                    applied.removed.add(removal.bytes);
                    removed.insert(removal.name.clone());
                }
                Err(left) => applied.left.push((removal.name.clone(), left)),
            }
        }
        cache::forget(&dir, &removed);
        if applied.removed.files > 0 {
            dir.sync()?;
        }
        Ok(applied)
    }
}

impl<F: Fs> ArtifactDir<F> {
    /// As [`apply`](Self::apply), and notes in `index` first what is removed because of its age or
    /// for want of room. What is then left alone is taken off again.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply), and if the note can't be written: then nothing is removed.
    pub fn apply_noted(&self, plan: &Plan, index: &Index) -> Result<Applied, Error> {
        let buried = index.bury_planned(plan)?;
        let applied = self.apply(plan);
        if let Ok(Some(dir)) = self.open_present() {
            let is_there = |entry: &Indexed| {
                let name = entry.artifact().name().as_str();
                dir.fs.stat_at(&dir.handle, name.as_ref()).is_ok()
            };
            index.put_back(buried.into_iter().filter(is_there));
        }
        applied
    }
}

fn remove<F: Fs>(dir: &OpenDir<F>, removal: &Removal) -> Result<(), Left> {
    let stat = dir.fs.stat_at(&dir.handle, &removal.name).map_err(left)?;
    let is_ours = stat.kind == FileKind::Regular && stat.links == 1;
    let is_same = stat.bytes == removal.bytes
        && stat.modified == removal.modified
        && stat.changed == removal.changed;
    if !is_ours || !is_same {
        return Err(Left::Changed);
    }
    // Held until the name is gone.
    let _lock = match removal.reason {
        Reason::Leftover => Some(lock(dir, &removal.name)?),
        _ => None,
    };
    dir.fs.remove(&dir.handle, &removal.name).map_err(left)
}

/// Whoever gets the lock of a staging file knows that its writer is dead.
fn lock<F: Fs>(dir: &OpenDir<F>, name: &OsStr) -> Result<F::File, Left> {
    let file = dir.fs.open(&dir.handle, name).map_err(left)?;
    dir.fs.lock(&file).map_err(left)?;
    Ok(file)
}

fn left(error: io::Error) -> Left {
    match error.kind() {
        io::ErrorKind::NotFound => Left::Gone,
        io::ErrorKind::WouldBlock => Left::InUse,
        _ => Left::Refused,
    }
}
