//! Damage to a stored artifact: every one is seen, none is handed out (P7).

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _, Durability, ErrorKind};

/// An artifact of 1 KiB in a folder of its own.
#[derive(Debug)]
pub struct Stored {
    folder: PathBuf,
    store: ArtifactDir,
    artifact: ArtifactRef,
    body: Vec<u8>,
}

impl Stored {
    /// Stores it in `folder`, which is empty.
    ///
    /// # Panics
    ///
    /// If it can't be stored.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        let store =
            ArtifactDir::beside(folder.join("run.jsonl")).with_durability(Durability::Process);
        let body: Vec<u8> = (0..1_024_u32).map(|n| (n * 7 % 256) as u8).collect();
        let stored = store.store(&OpId::new("op-1"), ContentType::Text, &body);
        Self {
            folder: folder.to_path_buf(),
            artifact: ArtifactRef::from(&stored.unwrap()),
            store,
            body,
        }
    }

    /// Flips every bit, one at a time; returns how many, each of which was seen.
    ///
    /// # Panics
    ///
    /// With the first that is not seen.
    #[must_use]
    pub fn flip_every_bit(&self) -> usize {
        let mut bytes = self.body.clone();
        for index in 0..bytes.len() {
            for bit in 0..8 {
                flip(&mut bytes, index, bit);
                self.is_seen(&bytes);
                flip(&mut bytes, index, bit);
            }
        }
        self.put(&self.body);
        assert_eq!(self.store.read(&self.artifact).unwrap(), self.body);
        bytes.len() * 8
    }

    /// Cuts it at every length and appends every byte; returns how many changes, each of which was
    /// seen.
    ///
    /// # Panics
    ///
    /// With the first that is not seen.
    #[must_use]
    pub fn cut_and_append(&self) -> usize {
        let cut = (0..self.body.len()).map(|length| self.body.split_at(length).0.to_vec());
        let appended = (0..=255).map(|byte| [self.body.as_slice(), &[byte]].concat());
        cut.chain(appended)
            .map(|bytes| self.is_seen(&bytes))
            .fold(0, |seen, ()| seen + 1)
    }

    /// Puts the bytes of an artifact of the same size in its place.
    ///
    /// # Panics
    ///
    /// If that is not seen, or the other artifact is taken for damaged too.
    pub fn swap_with_sibling(&self) {
        let other: Vec<u8> = self.body.iter().rev().copied().collect();
        let sibling = self
            .store
            .store(&OpId::new("op-2"), ContentType::Text, &other);
        let sibling = ArtifactRef::from(&sibling.unwrap());
        self.is_seen(&other);
        assert_eq!(self.store.read(&sibling).unwrap(), other);
        let named = [self.artifact.clone(), sibling.clone()];
        let scan = self.store.verify(&named).unwrap();
        assert_eq!(
            (scan.altered, scan.intact),
            (vec![self.artifact.clone()], vec![sibling])
        );
    }

    fn put(&self, bytes: &[u8]) {
        let mut file = File::create(self.folder.join("run.artifacts/op-1.txt")).unwrap();
        file.write_all(bytes).unwrap();
    }

    #[track_caller]
    fn is_seen(&self, bytes: &[u8]) {
        self.put(bytes);
        let read = self.store.read(&self.artifact);
        assert_eq!(read.unwrap_err().kind(), ErrorKind::Altered);
    }
}

fn flip(bytes: &mut [u8], index: usize, bit: u32) {
    if let Some(byte) = bytes.get_mut(index) {
        *byte ^= 1 << bit;
    }
}
