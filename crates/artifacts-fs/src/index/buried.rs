//! The tombstones in the file of an index, for a store that has no index: a name that stood for
//! bytes which are gone never stands for others (SPEC 4.4).

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use artifacts_core::{ArtifactName, ContentDigest};

use super::contents::{Change, Tombstone};
use super::{Indexed, journal, line};
use crate::ArtifactRef;
use crate::dir::OpenDir;
use crate::fs::Fs;

/// What was read of the file of a directory's index: each time only what was added since.
#[derive(Debug, Default)]
pub(crate) struct Buried(Mutex<Read>);

#[derive(Debug, Default)]
struct Read {
    /// Which file it was, and up to where.
    file: Option<(u64, u64)>,
    bytes: u64,
    tombstones: BTreeMap<ArtifactName, Tombstone>,
}

impl Buried {
    /// Whether `name` stood for other bytes than those with this digest, as far as the file says.
    pub(crate) fn stood_for_other<F: Fs>(
        &self,
        dir: &OpenDir<F>,
        name: &ArtifactName,
        digest: &ContentDigest,
    ) -> bool {
        let mut read = self.read();
        if read.read_on(dir).is_err() {
            *read = Read::default();
        }
        let tombstone = read.tombstones.get(name);
        tombstone.is_some_and(|tombstone| tombstone.is_of_other(digest))
    }

    /// Writes down that an artifact is there again, if the file was seen to say that it is gone.
    /// Where that fails it can be read as a record names it, but not by its name alone.
    pub(crate) fn lift<F: Fs>(&self, dir: &OpenDir<F>, artifact: &ArtifactRef) {
        let mut read = self.read();
        if read.tombstones.contains_key(artifact.name()) {
            let again = Change::Put(Indexed::new(artifact.clone(), None));
            if let Ok(file) = journal::append(dir, &[again]) {
                let _ = dir.sync_file(&file);
                read.tombstones.remove(artifact.name());
            }
        }
    }

    fn read(&self) -> MutexGuard<'_, Read> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read {
    fn read_on<F: Fs>(&mut self, dir: &OpenDir<F>) -> io::Result<()> {
        let (file, stat) = journal::open(dir)?;
        if self.file != Some(stat.id) || stat.bytes < self.bytes {
            *self = Self {
                file: Some(stat.id),
                ..Self::default()
            };
        }
        let added = journal::read_from(dir, &file, self.bytes..stat.bytes)?;
        // A line that is being written is read the next time.
        let whole = memchr::memrchr(b'\n', &added).map_or(0, |end| end + 1);
        let lines = added.get(..whole).unwrap_or_default();
        for line in lines.split(|byte| *byte == b'\n') {
            for change in line::decode(line).into_iter().flatten() {
                match change {
                    Change::Put(entry) => drop(self.tombstones.remove(entry.artifact.name())),
                    Change::Bury(name, tombstone) => {
                        self.tombstones.insert(name, tombstone);
                    }
                    Change::Take(_) | Change::Name(..) => {}
                }
            }
        }
        self.bytes += whole as u64;
        Ok(())
    }
}
