//! What an index knows, and what of it is written down.

use std::sync::Arc;

use artifacts_core::ArtifactName;

use super::contents::{Change, Contents, Tombstone};
use super::journal::{File, Journal};
use super::{Gone, Indexed};
use crate::Error;

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) contents: Contents,
    /// What was changed and is not written down.
    pub(super) unsaved: Vec<Change>,
    pub(super) journal: Option<Arc<dyn Journal>>,
    /// Whether the file is read whole; where it is not, another takes its place.
    pub(super) file: File,
    /// What there was when the turn began: nothing is written down before its end.
    pub(super) before: Option<Before>,
    /// Out of the index, but still in the directory when it was opened.
    pub(super) left: Vec<ArtifactName>,
}

/// What there was when a turn began.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) contents: Contents,
    /// How many changes were not written down by then.
    pub(super) unsaved: usize,
}

impl State {
    pub(super) fn apply(&mut self, change: Change) {
        self.contents.apply(change.clone());
        self.unsaved.push(change);
    }

    pub(super) fn add(&mut self, entry: Indexed) {
        if self.contents.gone(entry.artifact.name()).is_some() {
            return;
        }
        self.add_again(entry);
    }

    /// As [`add`](Self::add), also where it was gone.
    pub(super) fn add_again(&mut self, entry: Indexed) {
        let known = self.contents.find(entry.artifact.name());
        let entry = entry.or(known.cloned());
        if known != Some(&entry) {
            self.apply(Change::Put(entry));
        }
    }

    pub(super) fn bury(&mut self, name: &ArtifactName, why: Gone) -> Option<Indexed> {
        let entry = self.contents.find(name).cloned()?;
        let digest = Some(*entry.artifact.digest());
        self.apply(Change::Bury(name.clone(), Tombstone { why, digest }));
        Some(entry)
    }

    /// Writes down what was changed; what can't be written is tried again the next time.
    pub(super) fn save(&mut self) {
        let _ = self.try_save();
    }

    pub(super) fn try_save(&mut self) -> Result<(), Error> {
        let Some(journal) = &self.journal else {
            self.unsaved.clear();
            return Ok(());
        };
        if self.before.is_some() || self.unsaved.is_empty() {
            return Ok(());
        }
        match self.file {
            File::Whole => journal.append(&self.unsaved, &self.contents)?,
            File::Damaged => journal.replace(&self.contents)?,
        }
        self.file = File::Whole;
        self.unsaved.clear();
        Ok(())
    }
}
