//! The artifacts of one directory, also those an earlier process left there.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use artifacts_core::{ArtifactName, ContentDigest, Meter};
use artifacts_fs::{ArtifactDir, ArtifactRef, Index};
use loop_integration::resolve;
use serde::Deserialize;

use crate::log_path;

/// The artifact that `handle` means in a directory of the proxy or a hook, with the size and the
/// digest that were noted when it was stored.
#[must_use]
pub fn stored(dir: &Path, handle: &str) -> Option<ArtifactRef> {
    let named = Index::open(&ArtifactDir::at(dir), []).unwrap_or_default();
    let found = resolve(&named, handle)
        .or_else(|_| resolve(Kept::reading(dir).index(), handle))
        .ok()?;
    Some(found.artifact().clone())
}

/// Knows name, size and digest of every artifact. The call log tells them; where it doesn't, the
/// file is read once.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    store: ArtifactDir,
    dir: PathBuf,
    index: Index,
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
        // A directory that can't be read gives a store that says why.
        let index = Index::open(&ArtifactDir::at(dir), []).unwrap_or_default();
        Self::with(dir, index)
    }

    /// Writes nothing.
    fn reading(dir: &Path) -> Self {
        Self::with(dir, Index::default())
    }

    fn with(dir: &Path, index: Index) -> Self {
        Self {
            store: ArtifactDir::at(dir),
            dir: dir.to_path_buf(),
            index,
            read: Arc::default(),
        }
    }

    pub(crate) fn store(&self) -> &ArtifactDir {
        &self.store
    }

    /// The index as it was read last; it is shared, and grows.
    pub(crate) fn index_as_it_is(&self) -> Index {
        self.index.clone()
    }

    /// The index, with what came since it was asked for last: also from another process.
    pub(crate) fn index(&self) -> &Index {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        self.read_log(&mut read);
        for listed in self.store.list().unwrap_or_default() {
            if self.index.find(&listed.name).is_none()
                && let Some(artifact) = self.measured(&listed.name)
            {
                self.index.add(artifact, None);
            }
        }
        &self.index
    }

    fn read_log(&self, read: &mut u64) {
        let Ok(mut log) = File::open(log_path(&self.dir)) else {
            return;
        };
        let mut text = Vec::new();
        let begun = log.seek(SeekFrom::Start(*read));
        if begun.is_err() || log.read_to_end(&mut text).is_err() {
            return;
        }
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if !line.ends_with(b"\n") {
                break;
            }
            *read += line.len() as u64;
            if let Ok(noted) = serde_json::from_slice::<Noted>(line)
                && let Some(artifact) = noted.artifact()
            {
                self.index.add(artifact, Some(&noted.tool));
            }
        }
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

const PIECE_BYTES: usize = 128 << 10;
