//! A turn: what it stores, replaces and evicts is final only when it is committed.

use std::collections::BTreeSet;
use std::mem;

use artifacts_core::ArtifactName;

use super::BoundedStore;
use crate::{Error, ErrorKind, RemovableStore};

/// A turn of a [`BoundedStore`]. Dropping it blocks it.
///
/// Files of artifacts that the turn evicts stay on the disk until it is committed, so for so long
/// the directory may hold more than the bounds say. A process that is killed in a turn leaves the
/// files that the turn stored as orphans and everything else as it was.
///
/// ```
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactStore as _, BoundedStore, Bounds, Index, MemoryStore};
///
/// let bounds = Bounds::new(10, 10)?;
/// let store = BoundedStore::new(MemoryStore::default(), bounds, Index::default());
/// let first = store.store(&OpId::new("op-1"), ContentType::Text, b"0123456789")?;
/// let turn = store.begin_turn()?;
/// let _second = store.store(&OpId::new("op-2"), ContentType::Text, b"abcdefghij")?;
/// assert!(store.read(&(&first).into()).is_err());
/// turn.block();
/// assert_eq!(store.read(&(&first).into())?, b"0123456789");
/// # Ok::<(), artifacts_fs::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a turn that is dropped is blocked"]
pub struct Turn<'s, S: RemovableStore + 'static> {
    store: &'s BoundedStore<S>,
}

/// What must be known to undo a turn, besides the index.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The files that the turn made. Those it found and took for its own stay (I6).
    pub(super) made: BTreeSet<ArtifactName>,
    /// What was to be removed when it began.
    doomed: Vec<ArtifactName>,
}

impl<'s, S: RemovableStore + 'static> Turn<'s, S> {
    pub(super) fn begin(store: &'s BoundedStore<S>) -> Result<Self, Error> {
        let mut state = store.shared.lock();
        if !store.shared.index.begin_turn() {
            return Err(Error::new(
                ErrorKind::Busy,
                "can't begin a turn: another lasts, so commit or block it before",
            ));
        }
        state.turn = Some(State {
            made: BTreeSet::new(),
            doomed: state.doomed.clone(),
        });
        Ok(Self { store })
    }

    /// Makes final what happened in the turn.
    pub fn commit(self) {
        let shared = &self.store.shared;
        let mut state = shared.lock();
        state.turn = None;
        shared.index.end_turn();
        shared.clear(&mut state);
    }

    /// Undoes what happened in the turn, as if it had never been.
    pub fn block(self) {
        drop(self);
    }
}

impl<S: RemovableStore + 'static> Drop for Turn<'_, S> {
    fn drop(&mut self) {
        let shared = &self.store.shared;
        let mut state = shared.lock();
        // Nothing to undo after a commit.
        let Some(turn) = mem::take(&mut state.turn) else {
            return;
        };
        shared.index.look_back();
        state.doomed = turn.doomed;
        state.doomed.extend(turn.made);
        shared.clear(&mut state);
    }
}
