//! Which artifacts a run has, in the order it got them, and the names given to them.

mod buried;
mod contents;
mod entry;
mod journal;
mod line;
mod open;
mod state;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use artifacts_core::{ArtifactName, ContentDigest};

pub use self::entry::{Gone, Indexed, Whole};

use self::contents::Change;
use self::state::{Before, State};
use crate::{ArtifactRef, DurableArtifact, Error, Plan};

pub(crate) use self::buried::Buried;
pub(crate) use self::journal::is_index;

/// The artifacts of a run in insertion order, with their aliases (SPEC 4.12, 6.3).
///
/// Clones share one index. What is not in it cannot be reached by name, so that a handle never
/// leads to a file of another run. What was removed leaves a tombstone that says why.
///
/// An index that is [opened](Self::open) in a directory is kept there, in `index.jsonl`, a line for
/// each change. Nothing depends on that file: what it says of a file is compared with the file
/// when that is read, and without it names and tombstones are lost, but no artifact.
///
/// ```
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactStore as _, Index, MemoryStore};
///
/// let store = MemoryStore::default();
/// let index = Index::default();
/// let stored = store.store(&OpId::new("op-1"), ContentType::Text, b"the full bytes")?;
/// index.add((&stored).into(), Some("read_file"));
/// index.name("report", stored.name());
/// assert_eq!(index.find_alias("report"), index.find(stored.name()));
/// assert_eq!(index.entries().len(), 1);
/// # Ok::<(), artifacts_fs::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Index {
    state: Arc<Mutex<State>>,
}

impl Index {
    /// Adds an artifact that `source`, the name of a tool for instance, produced. One that is
    /// there already keeps its place, and what was known of it. One that is gone stays gone:
    /// only a store that keeps it again brings it back.
    pub fn add(&self, artifact: ArtifactRef, source: Option<&str>) {
        let mut state = self.state();
        state.add(Indexed::new(artifact, source));
        state.save();
    }

    /// Adds an artifact that was stored just now, as [`add`](Self::add) does. One that was gone is
    /// there again, unless the store has an index of its own, which knows what became of it.
    pub fn add_stored(&self, stored: &DurableArtifact, source: Option<&str>) {
        let entry = Indexed::new(stored.into(), source);
        let mut state = self.state();
        match stored.is_indexed() {
            true => state.add(entry),
            false => state.add_again(entry),
        }
        state.save();
    }

    /// Adds artifacts with their sources, and writes them down together: see [`add`](Self::add).
    pub fn add_all(&self, artifacts: impl IntoIterator<Item = (ArtifactRef, Option<String>)>) {
        let new = |(artifact, source): (ArtifactRef, Option<String>)| {
            Indexed::new(artifact, source.as_deref())
        };
        // Collected first: whoever tells of them may look in the index.
        let entries = artifacts.into_iter().map(new).collect::<Vec<_>>();
        let mut state = self.state();
        entries.into_iter().for_each(|entry| state.add(entry));
        state.save();
    }

    /// Gives an artifact another name; one that was given before refers to the newest.
    pub fn name(&self, alias: &str, artifact: &ArtifactName) {
        let mut state = self.state();
        if state.contents.aliased(alias) != Some(artifact) {
            state.apply(Change::Name(alias.to_owned(), artifact.clone()));
        }
        state.save();
    }

    /// Takes over the names that other processes gave since the index was opened, as its file has
    /// them. A name that is not written down yet stays.
    pub fn read_names(&self) {
        let mut state = self.state();
        let Some(said) = state.journal.as_ref().and_then(|journal| journal.read()) else {
            return;
        };
        let unsaved = state.unsaved.clone();
        let names = said.contents.names();
        for (alias, name) in names {
            let change = Change::Name(alias.clone(), name.clone());
            state.contents.apply(change);
        }
        unsaved.into_iter().for_each(|change| {
            if matches!(change, Change::Name(..)) {
                state.contents.apply(change);
            }
        });
    }

    /// The artifact with this file name.
    #[must_use]
    pub fn find(&self, name: &ArtifactName) -> Option<Indexed> {
        self.state().contents.find(name).cloned()
    }

    /// The artifact that was given this name last.
    #[must_use]
    pub fn find_alias(&self, alias: &str) -> Option<Indexed> {
        let contents = &self.state().contents;
        contents.find(contents.aliased(alias)?).cloned()
    }

    /// The newest artifact for which `is_it` holds.
    #[must_use]
    pub fn newest(&self, is_it: impl Fn(&Indexed) -> bool) -> Option<Indexed> {
        let contents = &self.state().contents;
        contents.entries().rev().find(|entry| is_it(entry)).cloned()
    }

    /// Every artifact once, in insertion order.
    #[must_use]
    pub fn entries(&self) -> Vec<Indexed> {
        self.state().contents.entries().cloned().collect()
    }

    /// The bytes of all artifacts together.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        self.state().contents.total_bytes()
    }

    /// The names given to an artifact that still refer to it, sorted.
    #[must_use]
    pub fn aliases(&self, artifact: &ArtifactName) -> Vec<String> {
        let contents = &self.state().contents;
        contents.aliases(artifact).cloned().collect()
    }

    /// Why the artifact with this file name or alias is there no more, if it once was.
    #[must_use]
    pub fn gone(&self, handle: &str) -> Option<Gone> {
        let contents = &self.state().contents;
        let aliased = contents.aliased(handle).cloned();
        let name = aliased.or_else(|| ArtifactName::parse(handle).ok())?;
        contents.gone(&name).map(|tombstone| tombstone.why)
    }

    /// Why this very artifact is there no more; nothing where its name stands for other bytes.
    pub(crate) fn why_gone(&self, artifact: &ArtifactRef) -> Option<Gone> {
        let gone = self.state().contents.gone_as(artifact);
        gone.map(|tombstone| tombstone.why)
    }

    /// Whether the name stood for other bytes than those with this digest, which are gone.
    pub(crate) fn stood_for_other(&self, name: &ArtifactName, digest: &ContentDigest) -> bool {
        let gone = self.state().contents.gone(name);
        gone.is_some_and(|tombstone| tombstone.is_of_other(digest))
    }

    /// Takes an artifact out and leaves a tombstone; the artifact, if it was there.
    pub fn bury(&self, name: &ArtifactName, why: Gone) -> Option<Indexed> {
        let mut state = self.state();
        let entry = state.bury(name, why);
        state.save();
        entry
    }

    /// Takes out what `plan` removes because of its age or for want of room, with tombstones that
    /// say so, and returns it. What is gone must be known to be, before it is.
    pub(crate) fn bury_planned(&self, plan: &Plan) -> Result<Vec<Indexed>, Error> {
        let mut state = self.state();
        let before = (state.contents.clone(), state.unsaved.clone());
        let mut buried = Vec::new();
        for removal in plan.removals() {
            let name = removal.name.to_str();
            let name = name.and_then(|name| ArtifactName::parse(name).ok());
            if let (Some(name), Some(why)) = (name, removal.reason.tombstone()) {
                buried.extend(state.bury(&name, why));
            }
        }
        if !buried.is_empty()
            && let Err(error) = state.try_save()
        {
            (state.contents, state.unsaved) = before;
            return Err(error);
        }
        Ok(buried)
    }

    /// Takes over what another index knows: its entries, names and tombstones.
    pub(crate) fn take_over(&self, other: &Self) -> Result<(), Error> {
        let changes = other.state().contents.as_changes().collect::<Vec<_>>();
        let mut state = self.state();
        changes.into_iter().for_each(|change| state.apply(change));
        state.try_save()
    }

    /// Whether it knows of nothing, not even of what is gone.
    pub(crate) fn is_blank(&self) -> bool {
        self.state().contents.as_changes().next().is_none()
    }

    /// Puts back what was buried and is there all the same.
    pub(crate) fn put_back(&self, entries: impl IntoIterator<Item = Indexed>) {
        let mut state = self.state();
        let puts = entries.into_iter().map(Change::Put).collect::<Vec<_>>();
        if !puts.is_empty() {
            puts.into_iter().for_each(|put| state.apply(put));
            state.save();
        }
    }

    /// Whether an artifact can be there, as far as the index knows.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Evicted`](crate::ErrorKind::Evicted),
    /// [`ErrorKind::Expired`](crate::ErrorKind::Expired) or
    /// [`ErrorKind::Covered`](crate::ErrorKind::Covered) if it was removed.
    pub fn check(&self, name: &ArtifactName) -> Result<(), Error> {
        match self.gone(name.as_str()) {
            Some(gone) => Err(Error::gone(name, gone)),
            None => Ok(()),
        }
    }

    /// Whether all that was changed is written down, for an index that is kept in a directory.
    /// What could not be written is written with the next change.
    #[must_use]
    pub fn is_saved(&self) -> bool {
        let state = self.state();
        state.journal.is_some() && state.unsaved.is_empty()
    }

    /// Adds an artifact as the newest, then buries the oldest others until all together have at
    /// most `max_total_bytes`. Nobody sees the index in between.
    pub(crate) fn push_within(&self, entry: Indexed, max_total_bytes: u64) -> Vec<ArtifactName> {
        let mut state = self.state();
        let newest = entry.artifact.name().clone();
        let known = state.contents.find(&newest);
        // Whether it was clipped is known anew.
        let source = entry
            .source
            .clone()
            .or_else(|| known.and_then(|known| known.source.clone()));
        if known.is_some() {
            state.apply(Change::Take(newest.clone()));
        }
        state.apply(Change::Put(Indexed { source, ..entry }));
        let mut evicted = Vec::new();
        while state.contents.total_bytes() > max_total_bytes {
            let name_of = |entry: &Indexed| entry.artifact.name().clone();
            let oldest = state
                .contents
                .entries()
                .map(name_of)
                .find(|name| *name != newest);
            let Some(oldest) = oldest else {
                break;
            };
            state.bury(&oldest, Gone::Evicted);
            evicted.push(oldest);
        }
        state.save();
        evicted
    }

    /// Begins a turn, unless another lasts: nothing is written down before it ends.
    pub(crate) fn begin_turn(&self) -> bool {
        let mut state = self.state();
        if state.before.is_some() {
            return false;
        }
        state.save();
        state.before = Some(Before {
            contents: state.contents.clone(),
            unsaved: state.unsaved.len(),
        });
        true
    }

    /// Writes down what happened in the turn, in one line.
    pub(crate) fn end_turn(&self) {
        let mut state = self.state();
        state.before = None;
        state.save();
    }

    /// Makes it what it was when the turn began.
    pub(crate) fn look_back(&self) {
        let mut state = self.state();
        if let Some(before) = state.before.take() {
            state.contents = before.contents;
            state.unsaved.truncate(before.unsaved);
        }
    }

    /// Writes down what is not, if it can be; whether everything is. Without a file there is
    /// nothing to write.
    pub(crate) fn is_written_down(&self) -> bool {
        let mut state = self.state();
        state.save();
        state.unsaved.is_empty()
    }

    /// What is still to be removed from the directory; asked once.
    pub(crate) fn take_left(&self) -> Vec<ArtifactName> {
        std::mem::take(&mut self.state().left)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(name: &str, text: &str) -> ArtifactRef {
        let name = ArtifactName::parse(name).unwrap();
        ArtifactRef::new(name, ContentDigest::of(text.as_bytes()), text.len() as u64)
    }

    #[test]
    fn each_artifact_is_there_once_in_insertion_order() {
        let index = Index::default();
        let (b, a) = (artifact("b.txt", "b"), artifact("a.txt", "a"));
        index.add(b.clone(), None);
        index.add(a.clone(), Some("ls"));
        index.add(b.clone(), Some("cat"));
        let entries = index.entries();
        let listed: Vec<_> = entries
            .iter()
            .map(|entry| (entry.artifact(), entry.source()))
            .collect();
        assert_eq!(listed, [(&b, Some("cat")), (&a, Some("ls"))]);
        assert_eq!(index.total_bytes(), 2);
    }

    #[test]
    fn an_alias_refers_to_the_newest_and_the_older_stays_reachable_by_name() {
        let index = Index::default();
        let (one, two) = (artifact("1.txt", "1"), artifact("2.txt", "2"));
        index.add(one.clone(), None);
        index.add(two.clone(), None);
        index.name("report", one.name());
        index.name("report", two.name());
        assert_eq!(index.find_alias("report").unwrap().artifact(), &two);
        assert_eq!(index.find(one.name()).unwrap().artifact(), &one);
        assert_eq!(index.aliases(one.name()), Vec::<String>::new());
        assert_eq!(index.aliases(two.name()), ["report"]);
    }

    #[test]
    fn what_is_gone_says_why_until_it_is_stored_again() {
        let index = Index::default();
        let one = artifact("1.txt", "1");
        index.add(one.clone(), None);
        index.name("report", one.name());
        index.bury(one.name(), Gone::Expired);
        assert_eq!(index.gone("1.txt"), Some(Gone::Expired));
        assert_eq!(index.gone("report"), Some(Gone::Expired));
        assert_eq!(index.gone("2.txt"), None);
        assert_eq!((index.find_alias("report"), index.total_bytes()), (None, 0));
        index.add(one.clone(), None);
        assert_eq!(index.gone("1.txt"), Some(Gone::Expired));
        let _ = index.push_within(Indexed::new(one, None), 10);
        assert_eq!(index.gone("1.txt"), None);
    }
}
