//! The store on the machine's file system.

mod caching;
mod directory;
mod errors;
mod pages;
mod planted;
mod saving;
mod scanning;
mod searching;
mod sweeping;

use std::path::{Path, PathBuf};

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, DurableArtifact, Error};
use tempfile::TempDir;

/// A run in a directory of its own.
struct Run {
    tmp: TempDir,
    store: ArtifactDir,
}

impl Run {
    fn new() -> Self {
        let tmp = tempfile::tempdir().expect("a temporary directory can be made");
        let store = ArtifactDir::beside(tmp.path().join("run.jsonl"));
        Self { tmp, store }
    }

    fn dir(&self) -> PathBuf {
        self.tmp.path().join("run.artifacts")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    fn save(&self, op_id: &str, bytes: &[u8]) -> Result<DurableArtifact, Error> {
        self.store
            .store(&OpId::new(op_id), ContentType::Text, bytes)
    }

    /// Makes the directory as the store would.
    fn make_dir(&self) {
        std::fs::create_dir(self.dir()).unwrap();
    }
}

/// The names in a directory, sorted.
fn names_in(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
