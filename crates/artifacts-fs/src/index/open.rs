//! Opening the index of a directory: its file, the records, and the files themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use artifacts_core::{ArtifactName, ContentHasher};

use super::contents::Change;
use super::journal::{self, File, JournalFile};
use super::state::State;
use super::{Index, Indexed};
use crate::dir::OpenDir;
use crate::fs::{FileKind, Fs};
use crate::list::{self, Entry, ListedArtifact};
use crate::read::{READ_BYTES, read_full};
use crate::{ArtifactDir, ArtifactRef, Error};

impl Index {
    /// The index of a directory, as `index.jsonl` in it keeps it, with what `recorded` tells
    /// besides, oldest first. Nothing is written before something changes.
    ///
    /// What the file says is taken for as much as it is worth: an artifact that is neither in the
    /// directory nor recorded is left out, and a line that was torn by a kill or damaged by
    /// something else is passed over. Where there was damage, artifacts that only the directory
    /// knows are added, in the order they were written, after a pass over each; where there is no
    /// file, [`rebuild`](Self::rebuild) does so.
    ///
    /// ```
    /// use artifacts_core::{ContentType, OpId};
    /// use artifacts_fs::{ArtifactDir, ArtifactStore as _, Index};
    ///
    /// # let tmp = tempfile::tempdir()?;
    /// let dir = ArtifactDir::beside(tmp.path().join("run.jsonl"));
    /// let stored = dir.store(&OpId::new("op-1"), ContentType::Text, b"the full bytes")?;
    /// let index = Index::open(&dir, [])?;
    /// index.add((&stored).into(), Some("read_file"));
    /// index.name("report", stored.name());
    ///
    /// let after_a_restart = Index::open(&dir, [])?;
    /// assert_eq!(after_a_restart.find_alias("report"), index.find(stored.name()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the directory can't be read, or something else stands in its place. A bad file is none.
    pub fn open<F: Fs>(
        dir: &ArtifactDir<F>,
        recorded: impl IntoIterator<Item = Indexed>,
    ) -> Result<Self, Error> {
        Self::read(dir, recorded, Files::WhereDamaged)
    }

    /// As [`open`](Self::open), with every artifact in the directory, whoever stored it: also one
    /// of a turn that was killed, and one that was put there by hand.
    ///
    /// ```
    /// use artifacts_core::{ContentType, OpId};
    /// use artifacts_fs::{ArtifactDir, ArtifactStore as _, Index};
    ///
    /// # let tmp = tempfile::tempdir()?;
    /// let dir = ArtifactDir::beside(tmp.path().join("run.jsonl"));
    /// let stored = dir.store(&OpId::new("op-1"), ContentType::Text, b"the full bytes")?;
    /// assert!(Index::open(&dir, [])?.find(stored.name()).is_none());
    /// assert!(Index::rebuild(&dir, [])?.find(stored.name()).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn rebuild<F: Fs>(
        dir: &ArtifactDir<F>,
        recorded: impl IntoIterator<Item = Indexed>,
    ) -> Result<Self, Error> {
        Self::read(dir, recorded, Files::All)
    }

    fn read<F: Fs>(
        dir: &ArtifactDir<F>,
        recorded: impl IntoIterator<Item = Indexed>,
        added: Files,
    ) -> Result<Self, Error> {
        let mut state = State {
            journal: Some(Arc::new(JournalFile::new(dir.clone()))),
            ..State::default()
        };
        let recorded = recorded.into_iter().collect::<Vec<_>>();
        match dir.open_present()? {
            None => recorded.into_iter().for_each(|entry| state.add(entry)),
            Some(dir) => state.read(&dir, recorded, added)?,
        }
        Ok(Self {
            state: Arc::new(Mutex::new(state)),
        })
    }
}

/// Which files are added that nothing tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Files {
    WhereDamaged,
    All,
}

impl State {
    fn read<F: Fs>(
        &mut self,
        dir: &OpenDir<F>,
        recorded: Vec<Indexed>,
        added: Files,
    ) -> Result<(), Error> {
        // Before the directory: what it tells of is there by then.
        let said = journal::read(dir);
        let files = files(dir)?;
        if let Some(said) = said {
            self.contents = said.contents;
            self.file = said.file;
        }
        let names: BTreeSet<_> = recorded.iter().map(|entry| entry.artifact.name()).collect();
        let is_there = |entry: &&Indexed| {
            let artifact = &entry.artifact;
            let file = files.get(artifact.name());
            file.is_some_and(|file| file.bytes == artifact.bytes())
                || names.contains(artifact.name())
        };
        let entries = self.contents.entries();
        let absent = entries.filter(|entry| !is_there(entry));
        let absent: Vec<_> = absent.map(|entry| entry.artifact.name().clone()).collect();
        for name in absent {
            self.contents.apply(Change::Take(name));
        }
        for entry in recorded {
            let artifact = &entry.artifact;
            let file = files.get(artifact.name());
            let is_there = file.is_some_and(|file| file.bytes == artifact.bytes());
            let is_gone = self.contents.gone(artifact.name()).is_some();
            match is_there && is_gone && self.contents.gone_as(artifact).is_none() {
                // Whoever stored it has no index, so the name was given again.
                true => self.apply(Change::Put(entry)),
                false => self.add(entry),
            }
        }
        if added == Files::All || self.file == File::Damaged {
            self.adopt(dir, &files);
        }
        // Only what is gone: its name may have been given again to other bytes.
        let is_left = |name: &&ArtifactName| {
            let is_gone = self.contents.gone(name).is_some();
            let there = is_gone.then(|| measured(dir, name)).flatten();
            there.is_some_and(|there| self.contents.gone_as(&there).is_some())
        };
        let left = files.keys().filter(is_left).cloned().collect();
        self.left = left;
        Ok(())
    }

    /// Adds the files that nothing tells of.
    fn adopt<F: Fs>(&mut self, dir: &OpenDir<F>, files: &BTreeMap<ArtifactName, ListedArtifact>) {
        let unknown = |file: &&ListedArtifact| self.contents.find(&file.name).is_none();
        let mut unknown: Vec<_> = files.values().filter(unknown).collect();
        unknown.sort_by_key(|file| file.modified);
        for file in unknown {
            if let Some(artifact) = measured(dir, &file.name) {
                self.add(Indexed::new(artifact, None));
            }
        }
    }
}

fn files<F: Fs>(dir: &OpenDir<F>) -> Result<BTreeMap<ArtifactName, ListedArtifact>, Error> {
    let entries =
        list::entries(dir).map_err(|error| Error::io("list", "the artifact directory", error))?;
    let files = entries.into_iter().filter_map(|entry| match entry {
        Entry::Artifact(file) => Some((file.name.clone(), file)),
        _ => None,
    });
    Ok(files.collect())
}

/// Size and digest of a file, if it can be read and is one of ours.
fn measured<F: Fs>(dir: &OpenDir<F>, name: &ArtifactName) -> Option<ArtifactRef> {
    let file = dir.fs.open(&dir.handle, name.as_str().as_ref()).ok()?;
    let stat = dir.fs.stat(&file).ok()?;
    if stat.kind != FileKind::Regular || stat.links != 1 {
        return None;
    }
    let mut hasher = ContentHasher::default();
    let mut buffer = vec![0; READ_BYTES];
    let mut bytes = 0;
    loop {
        let piece = read_full(&*dir.fs, &file, &mut buffer, bytes).ok()?;
        if piece.is_empty() {
            return Some(ArtifactRef::new(name.clone(), hasher.finish(), bytes));
        }
        hasher.update(piece);
        bytes += piece.len() as u64;
    }
}
