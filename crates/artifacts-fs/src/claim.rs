//! The right to store for one operation, among the processes that share a directory.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::sync::Arc;

use artifacts_core::ContentDigest;

use crate::dir::{ArtifactDir, OpenDir, STAGING_PREFIX};
use crate::fs::{FileKind, Fs};
use crate::{Error, ErrorKind};

/// The right to store for one operation. Dropping it gives it up, and so does the end of the
/// process that has it, however that ends.
///
/// ```
/// use artifacts_fs::{ArtifactDir, ArtifactStore as _, ErrorKind};
///
/// # let tmp = tempfile::tempdir()?;
/// # let path = tmp.path().join("run.artifacts");
/// let claim = ArtifactDir::at(&path).claim("op-1")?;
/// let refused = ArtifactDir::at(&path).claim("op-1").unwrap_err();
/// assert_eq!(refused.kind(), ErrorKind::Busy);
/// drop(claim);
/// assert!(ArtifactDir::at(&path).claim("op-1").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "dropping a claim gives it up"]
pub struct Claim {
    _held: Option<Box<dyn fmt::Debug + Send>>,
}

impl Claim {
    /// A claim on a store that no other process can reach.
    pub fn alone() -> Self {
        Self { _held: None }
    }
}

/// A locked file with a name of the operation's own; the lock is what claims.
#[derive(Debug)]
struct Held<F: Fs> {
    dir: Arc<OpenDir<F>>,
    name: OsString,
    _file: F::File,
}

/// Claims `key`. What can't be locked is not claimed: the store works without, and two processes
/// then may leave an orphan.
pub(crate) fn claim<F: Fs>(dir: &ArtifactDir<F>, key: &str) -> Result<Claim, Error> {
    match dir.open_or_create() {
        Ok(open) => claim_in(&Arc::new(open), key),
        Err(_) => Ok(Claim::alone()),
    }
}

/// As [`claim`], for several operations: the directory is opened once.
pub(crate) fn claim_all<F: Fs>(dir: &ArtifactDir<F>, keys: &[String]) -> Vec<Result<Claim, Error>> {
    match dir.open_or_create().map(Arc::new) {
        Ok(open) => until_refused(keys, |key| claim_in(&open, key)),
        Err(_) => keys.iter().map(|_| Ok(Claim::alone())).collect(),
    }
}

/// Claims in order and stops at the first that is refused: whoever has that one may be on the way
/// to the next.
pub(crate) fn until_refused(
    keys: &[String],
    claim: impl Fn(&str) -> Result<Claim, Error>,
) -> Vec<Result<Claim, Error>> {
    let mut claims = Vec::new();
    for key in keys {
        claims.push(claim(key));
        if claims.last().is_some_and(Result::is_err) {
            break;
        }
    }
    claims
}

fn claim_in<F: Fs>(open: &Arc<OpenDir<F>>, key: &str) -> Result<Claim, Error> {
    let name = name_for(key);
    for _ in 0..MAX_TRIES {
        match locked(open, &name) {
            Ok(Some(file)) => {
                return Ok(Claim {
                    _held: Some(Box::new(Held {
                        dir: Arc::clone(open),
                        name,
                        _file: file,
                    })),
                });
            }
            // Given up between two steps of ours.
            Ok(None) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(Error::new(
                    ErrorKind::Busy,
                    "another process stores for this operation: let it finish",
                ));
            }
            Err(_) => break,
        }
    }
    Ok(Claim::alone())
}

/// Whether somebody who lives has claimed `key`.
pub(crate) fn is_claimed<F: Fs>(dir: &ArtifactDir<F>, key: &str) -> bool {
    let Ok(Some(dir)) = dir.open_present() else {
        return false;
    };
    let locked = dir
        .fs
        .open(&dir.handle, &name_for(key))
        .and_then(|file| dir.fs.lock(&file));
    locked.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

/// A staging name, so that a sweep removes the file of a claimant that was killed.
fn name_for(key: &str) -> OsString {
    let digest = ContentDigest::of(key.as_bytes()).to_string();
    let short = digest.get(..32).unwrap_or(&digest);
    format!("{STAGING_PREFIX}claim-{short}").into()
}

/// Makes the file, or takes over that of a claimant that is dead; `None` if it is gone by then.
fn locked<F: Fs>(dir: &OpenDir<F>, name: &OsString) -> io::Result<Option<F::File>> {
    let (fs, handle) = (&dir.fs, &dir.handle);
    let (file, is_new) = match fs.create(handle, name) {
        Ok(file) => (file, true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match fs.open(handle, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => (file?, false),
        },
        Err(error) => return Err(error),
    };
    let is_held = hold(dir, name, &file).inspect_err(|error| {
        // It is nobody's, unless somebody was faster than its lock.
        if is_new && error.kind() != io::ErrorKind::WouldBlock {
            let _ = fs.remove(handle, name);
        }
    });
    is_held.map(|is_held| is_held.then_some(file))
}

/// Locks the file; `false` if the name is not its own any more.
fn hold<F: Fs>(dir: &OpenDir<F>, name: &OsString, file: &F::File) -> io::Result<bool> {
    dir.fs.lock(file)?;
    let ours = dir.fs.stat(file)?;
    if ours.kind != FileKind::Regular {
        return Err(io::ErrorKind::Unsupported.into());
    }
    match dir.fs.stat_at(&dir.handle, name) {
        Ok(there) => Ok(there.id == ours.id),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

impl<F: Fs> Drop for Held<F> {
    fn drop(&mut self) {
        // While the lock is held, so that nobody else's file is removed.
        let _ = self.dir.fs.remove(&self.dir.handle, &self.name);
    }
}

/// Bounds how often a claim that is just given up is met.
const MAX_TRIES: usize = 100;
