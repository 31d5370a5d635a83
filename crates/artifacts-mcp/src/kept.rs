//! The artifacts of one directory, also those an earlier process left there.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use artifacts_core::{ArtifactName, ContentDigest, Meter};
use artifacts_fs::{ArtifactDir, ArtifactRef, Index, Indexed};
use loop_integration::{Unresolved, resolve};
use serde::Deserialize;

use crate::log_path;

/// The artifact that `handle` means in a directory of the proxy or a hook, with the size and the
/// digest that were noted when it was stored.
#[must_use]
pub fn stored(dir: &Path, handle: &str) -> Option<ArtifactRef> {
    let named = Index::open(&ArtifactDir::at(dir), []).unwrap_or_default();
    let found = resolve(&named, handle)
        .or_else(|_| Kept::reading(dir).find(handle))
        .ok()?;
    Some(found.artifact().clone())
}

/// The artifacts that the call log of a directory tells of, each with its tool, in the order of the
/// lines. A line that can't be read, or that tells of none, is passed over.
///
/// # Errors
///
/// If the log is there and can't be read.
pub fn noted(dir: &Path) -> io::Result<Vec<Indexed>> {
    let mut text = Vec::new();
    match File::open(log_path(dir)).and_then(|mut log| log.read_to_end(&mut text)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(noted_in(&text)
            .map(|(artifact, tool)| Indexed::new(artifact, tool.as_deref()))
            .collect()),
    }
}

/// Knows name, size and digest of every artifact. The call log tells them; where it doesn't, the
/// file is read once.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    store: ArtifactDir,
    dir: PathBuf,
    /// Opened when it is asked for: a proxy that only stores doesn't wait for a large directory.
    index: Arc<OnceLock<Index>>,
    /// How much of the call log was read.
    read: Arc<Mutex<u64>>,
}

/// What the call log says of an artifact.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Noted {
    tool: String,
    artifact: String,
    artifact_bytes: u64,
    sha256: String,
}

impl Kept {
    /// Names that are given are kept there.
    pub(crate) fn at(dir: &Path) -> Self {
        Self {
            store: ArtifactDir::at(dir),
            dir: dir.to_path_buf(),
            index: Arc::default(),
            read: Arc::default(),
        }
    }

    /// Writes nothing.
    fn reading(dir: &Path) -> Self {
        Self {
            index: Arc::new(Index::default().into()),
            ..Self::at(dir)
        }
    }

    pub(crate) fn store(&self) -> &ArtifactDir {
        &self.store
    }

    /// The index as it was read last; clones are shared, and grow.
    pub(crate) fn index(&self) -> &Index {
        // A directory that can't be read gives a store that says why.
        let open = || Index::open(&self.store, []).unwrap_or_default();
        self.index.get_or_init(open)
    }

    /// The artifact that `handle` means. The directory is looked at only where the index and the
    /// call log don't know it: there may be any number of artifacts in it.
    pub(crate) fn find(&self, handle: &str) -> Result<Indexed, Unresolved> {
        self.read_log();
        if ArtifactName::parse(handle).is_err() {
            // It may be a name that another process gave, or gave to another artifact.
            self.index().read_names();
        }
        resolve(self.index(), handle).or_else(|_| {
            self.look();
            resolve(self.index(), handle)
        })
    }

    /// Makes the index whole: with what came from other processes, whether they wrote it down or
    /// not.
    pub(crate) fn refresh(&self) {
        self.read_log();
        self.look();
        self.index().read_names();
    }

    fn look(&self) {
        let Ok(entries) = std::fs::read_dir(&self.dir) else {
            return;
        };
        let mut names = entries.flatten().filter_map(|entry| {
            let name = entry.file_name();
            ArtifactName::parse(name.to_str()?).ok()
        });
        let is_new = |name: &ArtifactName| self.index().find(name).is_none();
        if !names.any(|name| is_new(&name)) {
            return;
        }
        let listed = self.store.list().unwrap_or_default().into_iter();
        let new = listed.filter(|listed| is_new(&listed.name));
        let measured = new.filter_map(|listed| self.measured(&listed.name));
        self.index()
            .add_all(measured.map(|artifact| (artifact, None)));
    }

    fn read_log(&self) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(mut log) = File::open(log_path(&self.dir)) else {
            return;
        };
        let mut text = Vec::new();
        let begun = log.seek(SeekFrom::Start(*read));
        if begun.is_err() || log.read_to_end(&mut text).is_err() {
            return;
        }
        // A line that is being written is read the next time.
        let whole = memchr::memrchr(b'\n', &text).map_or(0, |end| end + 1);
        *read += whole as u64;
        let lines = text.get(..whole).unwrap_or_default();
        self.index().add_all(noted_in(lines));
    }

    /// Counts and hashes a file that no log tells of.
    fn measured(&self, name: &ArtifactName) -> Option<ArtifactRef> {
        let mut file = File::open(self.dir.join(name.as_str())).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut meter = Meter::default();
        let mut buffer = vec![0; PIECE_BYTES];
        loop {
            let read = file.read(&mut buffer).ok()?;
            if read == 0 {
                break;
            }
            meter.update(buffer.get(..read).unwrap_or_default());
        }
        let measured = meter.finish();
        let bytes = measured.measure().bytes();
        Some(ArtifactRef::new(name.clone(), *measured.digest(), bytes))
    }
}

impl Noted {
    fn artifact(&self) -> Option<ArtifactRef> {
        let name = ArtifactName::parse(&self.artifact).ok()?;
        let digest = self.sha256.parse::<ContentDigest>().ok()?;
        Some(ArtifactRef::new(name, digest, self.artifact_bytes))
    }
}

fn noted_in(lines: &[u8]) -> impl Iterator<Item = (ArtifactRef, Option<String>)> {
    lines.split(|byte| *byte == b'\n').filter_map(|line| {
        let noted = serde_json::from_slice::<Noted>(line).ok()?;
        Some((noted.artifact()?, Some(noted.tool)))
    })
}

const PIECE_BYTES: usize = 128 << 10;

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn the_directory_is_looked_at_only_for_what_nothing_tells_of() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("run.artifacts");
        std::fs::create_dir(&dir).unwrap();
        let kept = Kept::at(&dir);
        let put = |name: &str| File::create(dir.join(name)).map(drop).unwrap();
        let log = |name: &str| {
            let sha256 = ContentDigest::of(b"").to_string();
            let line = serde_json::json!({
                "tool": "t", "artifact": name, "artifact-bytes": 0, "sha256": sha256,
            });
            let mut log = File::create(log_path(&dir)).unwrap();
            writeln!(log, "{line}").unwrap();
        };
        put("logged.txt");
        log("logged.txt");
        put("other.txt");
        let known = |name: &str| {
            kept.index()
                .find(&ArtifactName::parse(name).unwrap())
                .is_some()
        };
        assert!(kept.find("logged.txt").is_ok() && !known("other.txt"));
        assert!(kept.find("other.txt").is_ok());
        assert!(kept.find("gone.txt").is_err());
        put("third.txt");
        assert!(kept.find("other.txt").is_ok() && !known("third.txt"));
        kept.refresh();
        assert!(known("third.txt"));
    }

    #[test]
    fn the_index_is_opened_when_something_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::at(&folder.path().join("run.artifacts"));
        assert!(kept.index.get().is_none());
        assert!(kept.find("gone.txt").is_err());
        assert!(kept.index.get().is_some());
    }
}
