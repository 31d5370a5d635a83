//! The index that is kept beside the artifacts (SPEC 4.10, 4.11, 4.12, 6.3).

mod damage;
mod killed;
mod restarts;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use artifacts_core::{ArtifactName, ContentType, OpId};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ArtifactStore as _, BoundedStore, Bounds, Durability, Index, Indexed,
};
use tempfile::TempDir;

/// A run's directory, opened anew for each process that is played.
struct Run {
    tmp: TempDir,
}

impl Run {
    fn new() -> Self {
        Self {
            tmp: tempfile::tempdir().unwrap(),
        }
    }

    fn store(&self) -> ArtifactDir {
        // What a power cut leaves is tried on the simulated file system.
        ArtifactDir::beside(self.tmp.path().join("run.jsonl")).with_durability(Durability::Process)
    }

    fn path(&self) -> PathBuf {
        self.tmp.path().join("run.artifacts")
    }

    fn file(&self) -> PathBuf {
        self.path().join("index.jsonl")
    }

    fn save(&self, op_id: &str) -> ArtifactRef {
        let bytes = op_id.repeat(10);
        let stored = self
            .store()
            .store(&OpId::new(op_id), ContentType::Text, bytes.as_bytes());
        (&stored.unwrap()).into()
    }

    fn open(&self) -> Index {
        Index::open(&self.store(), []).unwrap()
    }

    /// A store for 20 bytes, 10 of each result.
    fn bounded(&self) -> BoundedStore<ArtifactDir> {
        bounded(&self.path())
    }

    /// A run with two named artifacts.
    fn with_two_names(&self) -> [ArtifactRef; 2] {
        let artifacts = ["b", "a"].map(|op_id| self.save(op_id));
        let index = self.open();
        for (artifact, tool) in artifacts.iter().zip([Some("ls"), None]) {
            index.add(artifact.clone(), tool);
            index.name(&format!("the {}", artifact.name().stem()), artifact.name());
        }
        artifacts
    }
}

fn bounded(path: &Path) -> BoundedStore<ArtifactDir> {
    let dir = ArtifactDir::at(path);
    let index = Index::open(&dir, []).unwrap();
    BoundedStore::new(dir, Bounds::new(10, 20).unwrap(), index)
}

fn name(file: &str) -> ArtifactName {
    file.parse().unwrap()
}

fn names(index: &Index) -> Vec<String> {
    let entries = index.entries();
    entries.iter().map(file_of).collect()
}

fn file_of(entry: &Indexed) -> String {
    entry.artifact().name().to_string()
}

/// The files of a directory, with their bytes; none if there is no directory.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    entries
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}
