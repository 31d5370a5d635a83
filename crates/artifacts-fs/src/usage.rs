//! How much a directory holds.

use crate::fs::Fs;
use crate::list::Entry;
use crate::{ArtifactDir, Error};

/// What a directory holds, counted (SPEC 4.9).
///
/// ```
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactDir, ArtifactStore as _};
///
/// # let tmp = tempfile::tempdir()?;
/// let store = ArtifactDir::beside(tmp.path().join("run.jsonl"));
/// let _stored = store.store(&OpId::new("op-1"), ContentType::Text, b"full")?;
/// let usage = store.usage()?;
/// assert_eq!((usage.artifacts.files, usage.artifacts.bytes), (1, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// The artifacts.
    pub artifacts: Tally,
    /// Staging files, of writers at work or left behind.
    pub leftovers: Tally,
    /// What was computed from artifacts.
    pub caches: Tally,
    /// The index.
    pub index: Tally,
    /// Everything else.
    pub foreign: Tally,
}

/// A number of files and their sizes together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// How many.
    pub files: u64,
    /// Their sizes together, in bytes.
    pub bytes: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

impl<F: Fs> ArtifactDir<F> {
    /// Counts what is in the directory; zeros if there is none.
    ///
    /// # Errors
    ///
    /// If the directory can't be read, or something else stands in its place.
    pub fn usage(&self) -> Result<Usage, Error> {
        let mut usage = Usage::default();
        for entry in self.entries()? {
            match entry {
                Entry::Artifact(artifact) => usage.artifacts.add(artifact.bytes),
                Entry::Staging(file) => usage.leftovers.add(file.bytes),
                Entry::Cache(cache) => usage.caches.add(cache.file.bytes),
                Entry::Index(file) => usage.index.add(file.bytes),
                Entry::Foreign(file) => usage.foreign.add(file.bytes),
            }
        }
        Ok(usage)
    }
}
