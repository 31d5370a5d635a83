//! Giving a synced file its final name without ever replacing one, and adopting a present file.

use std::ffi::OsStr;
use std::io;
use std::sync::Arc;

use artifacts_core::{ArtifactName, Measured};

use crate::dir::OpenDir;
use crate::fs::Fs;
use crate::read;
use crate::stage::{Staged, Synced};
use crate::{ArtifactRef, Durability, DurableArtifact, Error, ErrorKind};

/// A complete file under its final name, whose directory entry may not be durable yet.
#[derive(Debug)]
#[must_use = "the name is durable only after `seal`"]
pub(crate) struct Published<F: Fs> {
    dir: Arc<OpenDir<F>>,
    name: ArtifactName,
    measured: Measured,
    durability: Durability,
    is_new: bool,
    lifts: bool,
}

impl<F: Fs> Staged<F, Synced> {
    /// Publishes under the first of `names` that is free, or whose file has these very bytes, which
    /// is then adopted. Never replaces a file.
    pub(crate) fn publish(
        self,
        names: &[ArtifactName],
        measured: Measured,
    ) -> Result<Published<F>, Error> {
        let dir = Arc::clone(self.dir());
        let published = |name, durability, is_new| Published {
            dir: Arc::clone(&dir),
            name,
            measured,
            durability,
            is_new,
            lifts: true,
        };
        for name in names {
            let done = publish_new(&dir, self.name(), name.as_str().as_ref())
                .map_err(|error| Error::io("publish", name, error))?;
            if done {
                return Ok(published(name.clone(), self.published(), true));
            }
            if let Some(durability) = adopt(&dir, name, &measured) {
                return Ok(published(name.clone(), durability, false));
            }
        }
        let target = self.target();
        Err(Error::new(
            ErrorKind::Foreign,
            format!("can't store {target}: other files have its names, so move them away"),
        ))
    }
}

impl<F: Fs> Published<F> {
    /// Leaves it to the caller to note that the artifact is there again.
    pub(crate) fn unnoted(self) -> Self {
        Self {
            lifts: false,
            ..self
        }
    }

    /// Makes the name durable.
    pub(crate) fn seal(self) -> Result<DurableArtifact, Error> {
        let entries = self.dir.sync()?;
        Ok(self.sealed_by(entries))
    }

    /// The receipt, after the directory was synced for several names at once.
    pub(crate) fn sealed_by(self, entries: Durability) -> DurableArtifact {
        let durability = self.durability.min(entries);
        let sealed = DurableArtifact::new(self.name, self.measured, durability);
        if self.lifts {
            self.dir.buried().lift(&self.dir, &(&sealed).into());
        }
        match self.is_new {
            true => sealed,
            false => sealed.found(),
        }
    }
}

/// The names for an operation's bytes, by preference (SPEC 4.4): the first only if it never stood
/// for others, which may be gone.
pub(crate) fn names_for<F: Fs>(
    dir: &OpenDir<F>,
    first: &ArtifactName,
    measured: &Measured,
) -> Vec<ArtifactName> {
    let digest = measured.digest();
    let with_content = first.with_content(digest);
    match dir.buried().stood_for_other(dir, first, digest) {
        true => vec![with_content],
        false => vec![first.clone(), with_content],
    }
}

/// Renames, or links and unlinks, or reserves the name and renames over the reservation:
/// whichever the file system can. `false` if the name is taken.
fn publish_new<F: Fs>(dir: &OpenDir<F>, from: &OsStr, to: &OsStr) -> io::Result<bool> {
    let (fs, handle) = (&dir.fs, &dir.handle);
    match fs.rename_new(handle, from, to) {
        Err(error) if is_unsupported(&error) => {}
        other => return done_or_taken(other),
    }
    match fs.link(handle, from, to) {
        Ok(()) => return fs.remove(handle, from).map(|()| true),
        // FAT and its kin say "permission denied" for "no hard links here".
        Err(error) if is_unsupported(&error) || is_denied(&error) => {}
        other => return done_or_taken(other),
    }
    match fs.create(handle, to) {
        Ok(reservation) => drop(reservation),
        other => return done_or_taken(other.map(drop)),
    }
    fs.rename(handle, from, to).map(|()| true).inspect_err(|_| {
        let _ = fs.remove(handle, to);
    })
}

fn done_or_taken(outcome: io::Result<()>) -> io::Result<bool> {
    match outcome {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Takes a present file for ours if it is a regular file with one name and exactly these bytes,
/// and can be made durable. Anything else is left alone, and so is what a sweep may be removing.
///
/// The file is another one to every plan that was made before, and until the directory is closed
/// no sweep begins: what is named from here on is not removed as what nobody named (I3, P1).
fn adopt<F: Fs>(dir: &OpenDir<F>, name: &ArtifactName, measured: &Measured) -> Option<Durability> {
    let bytes = measured.measure().bytes();
    let expected = ArtifactRef::new(name.clone(), *measured.digest(), bytes);
    let file = read::open_verified(dir, &expected).ok()?;
    match dir.fs.share_dir(&dir.handle) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
        // Where directories can't be locked, nothing is swept.
        _ => {}
    }
    let ours = dir.fs.stat(&file).ok()?;
    let there = dir.fs.stat_at(&dir.handle, name.as_str().as_ref()).ok()?;
    if there.id != ours.id || there.links != 1 {
        return None;
    }
    dir.fs.renew(&file);
    dir.sync_file(&file).ok()
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput
    )
}

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}
