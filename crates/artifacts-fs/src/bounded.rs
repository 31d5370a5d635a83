//! A store that keeps within bounds: size of a result, size of all, time to live, turns.

mod bounds;
mod turn;
mod writer;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use artifacts_core::{ArtifactName, ContentDigest, ContentType, OpId};

use crate::index::{Gone, Indexed, Whole};
use crate::{
    ArtifactRef, ArtifactStore, ArtifactWriter, Claim, DurableArtifact, Error, Index, OpenArtifact,
    RemovableStore, StoreItem, TakenNames,
};

pub use self::bounds::Bounds;
pub use self::turn::Turn;

/// A store over another that removes the oldest artifacts to stay within its [`Bounds`]
/// (SPEC 4.10). Nothing else in this crate removes an artifact without being told which.
///
/// A result over `max_result_bytes` is kept up to that size; the receipt is of what is kept, and
/// the [index](Self::index) has size and digest of the whole. Storing again makes an artifact the
/// newest, and the newest is never evicted. What is gone says so when it is read, in an error of
/// its own kind. The bounds count what this store's index holds.
///
/// ```
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactStore as _, BoundedStore, Bounds, ErrorKind, Index, MemoryStore};
///
/// let bounds = Bounds::new(10, 15)?;
/// let store = BoundedStore::new(MemoryStore::default(), bounds, Index::default());
/// let first = store.store(&OpId::new("op-1"), ContentType::Text, b"0123456789")?;
/// let second = store.store(&OpId::new("op-2"), ContentType::Text, b"abcdefghij")?;
/// assert_eq!(store.read(&(&second).into())?, b"abcdefghij");
/// let error = store.read(&(&first).into()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Evicted);
/// # Ok::<(), artifacts_fs::Error>(())
/// ```
#[derive(Debug)]
pub struct BoundedStore<S> {
    shared: Arc<Shared<S>>,
}

impl<S> Clone for BoundedStore<S> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

#[derive(Debug)]
struct Shared<S> {
    inner: S,
    bounds: Bounds,
    index: Index,
    time_to_live: Option<TimeToLive>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Out of the index, and still to be removed from the store beneath.
    doomed: Vec<ArtifactName>,
    /// The turn that lasts.
    turn: Option<turn::State>,
}

struct TimeToLive {
    age: Duration,
    now: Box<dyn Fn() -> SystemTime + Send + Sync>,
}

impl<S: RemovableStore + 'static> BoundedStore<S> {
    /// Bounds what `inner` keeps of the artifacts in `index`.
    #[must_use]
    pub fn new(inner: S, bounds: Bounds, index: Index) -> Self {
        Self::build(inner, bounds, index, None)
    }

    /// As [`new`](Self::new), for artifacts that are kept for `age` after they were stored last;
    /// at exactly that age they are kept. `now` tells the time.
    #[must_use]
    pub fn with_time_to_live(
        inner: S,
        bounds: Bounds,
        index: Index,
        age: Duration,
        now: impl Fn() -> SystemTime + Send + Sync + 'static,
    ) -> Self {
        let now = Box::new(now);
        Self::build(inner, bounds, index, Some(TimeToLive { age, now }))
    }

    /// What it holds.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.shared.index
    }

    /// The store beneath.
    #[must_use]
    pub fn inner(&self) -> &S {
        &self.shared.inner
    }

    /// Removes artifacts that a summary covers.
    pub fn remove_covered<'a>(&self, names: impl IntoIterator<Item = &'a ArtifactName>) {
        let mut state = self.shared.lock();
        for name in names {
            self.shared.bury(&mut state, name, Gone::Covered);
        }
        self.shared.clear(&mut state);
    }

    /// Removes what is older than artifacts are kept. Storing and reading do so too.
    pub fn expire(&self) {
        let mut state = self.shared.lock();
        self.shared.expire(&mut state);
        self.shared.clear(&mut state);
    }

    /// Begins a turn: until it is committed, nothing that happens is final (SPEC 4.11).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Busy`](crate::ErrorKind::Busy) while another turn lasts.
    pub fn begin_turn(&self) -> Result<Turn<'_, S>, Error> {
        Turn::begin(self)
    }

    fn build(inner: S, bounds: Bounds, index: Index, time_to_live: Option<TimeToLive>) -> Self {
        // What an earlier process took out of the index and did not live to remove.
        let state = State {
            doomed: index.take_left(),
            ..State::default()
        };
        Self {
            shared: Arc::new(Shared {
                inner,
                bounds,
                index,
                time_to_live,
                state: Mutex::new(state),
            }),
        }
    }
}

impl<S: RemovableStore + 'static> ArtifactStore for BoundedStore<S> {
    fn store(
        &self,
        op_id: &OpId,
        content: ContentType,
        bytes: &[u8],
    ) -> Result<DurableArtifact, Error> {
        self.store_item(&StoreItem {
            op_id,
            content,
            bytes: bytes.into(),
        })
    }

    fn store_item(&self, item: &StoreItem<'_>) -> Result<DurableArtifact, Error> {
        let StoreItem { op_id, content, .. } = *item;
        let (shared, bytes) = (&self.shared, item.bytes.bytes());
        let kept = shared.bounds.clip(bytes);
        let whole = (kept.len() < bytes.len()).then(|| Whole {
            bytes: bytes.len() as u64,
            digest: ContentDigest::of(bytes),
        });
        let mut state = shared.lock();
        let first = ArtifactName::for_op(op_id, content);
        let artifact = match shared.index.gone(first.as_str()) {
            None if whole.is_none() => shared.inner.store_item(item)?,
            None => shared.inner.store(op_id, content, kept)?,
            Some(_) => {
                let taken = shared.taken_names();
                let mut writer = shared.inner.writer_beside(op_id, content, taken)?;
                writer.write(kept)?;
                writer.commit()?
            }
        };
        shared.admit(&mut state, &artifact, whole);
        Ok(artifact.indexed())
    }

    fn writer(&self, op_id: &OpId, content: ContentType) -> Result<Box<dyn ArtifactWriter>, Error> {
        let taken = self.shared.taken_names();
        let inner = self.shared.inner.writer_beside(op_id, content, taken)?;
        let shared = Arc::clone(&self.shared);
        Ok(Box::new(writer::BoundedWriter::new(shared, inner)))
    }

    fn claim(&self, key: &str) -> Result<Claim, Error> {
        self.shared.inner.claim(key)
    }

    fn claim_batch(&self, keys: &[String]) -> Vec<Result<Claim, Error>> {
        self.shared.inner.claim_batch(keys)
    }

    fn is_claimed(&self, key: &str) -> bool {
        self.shared.inner.is_claimed(key)
    }

    fn expire(&self) {
        Self::expire(self);
    }

    fn check(&self, artifact: &ArtifactRef) -> Result<(), Error> {
        self.shared.unless_gone(artifact, |_| Ok(()))
    }

    fn read(&self, artifact: &ArtifactRef) -> Result<Vec<u8>, Error> {
        self.shared
            .unless_gone(artifact, |inner| inner.read(artifact))
    }

    fn open(&self, artifact: &ArtifactRef) -> Result<OpenArtifact, Error> {
        self.shared
            .unless_gone(artifact, |inner| inner.open(artifact))
    }
}

impl<S: RemovableStore> Shared<S> {
    /// Makes a stored artifact the newest and evicts what has no place beside it.
    fn admit(&self, state: &mut State, artifact: &DurableArtifact, whole: Option<Whole>) {
        state.doomed.retain(|name| name != artifact.name());
        if let Some(turn) = &mut state.turn
            && artifact.is_new()
        {
            turn.made.insert(artifact.name().clone());
        }
        let time_to_live = self.time_to_live.as_ref();
        let now = time_to_live.map(|time_to_live| (time_to_live.now)());
        let entry = Indexed::kept(artifact.into(), whole, now);
        let evicted = self.index.push_within(entry, self.bounds.max_total_bytes);
        state.doomed.extend(evicted);
        self.expire(state);
        self.clear(state);
    }

    fn expire(&self, state: &mut State) {
        let Some(TimeToLive { age, now }) = &self.time_to_live else {
            return;
        };
        let now = now();
        let is_old = |stored: SystemTime| now.duration_since(stored).is_ok_and(|past| past > *age);
        let entries = self.index.entries();
        let old = entries
            .iter()
            .filter(|entry| entry.stored().is_some_and(is_old));
        let old = old
            .map(|entry| entry.artifact().name().clone())
            .collect::<Vec<_>>();
        for name in old {
            self.bury(state, &name, Gone::Expired);
        }
    }

    fn bury(&self, state: &mut State, name: &ArtifactName, why: Gone) {
        if self.index.bury(name, why).is_some() {
            state.doomed.push(name.clone());
        }
    }

    /// Removes what is out of the index; not in a turn, which may be undone, and not before it is
    /// written down why. What can't be removed is tried again the next time.
    fn clear(&self, state: &mut State) {
        if state.turn.is_none() && !state.doomed.is_empty() && self.index.is_written_down() {
            state.doomed.retain(|name| self.inner.remove(name).is_err());
        }
    }

    /// Reads beneath, unless the artifact is gone, before or meanwhile.
    fn unless_gone<T>(
        &self,
        artifact: &ArtifactRef,
        read: impl Fn(&S) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let name = artifact.name();
        let mut state = self.lock();
        self.expire(&mut state);
        self.clear(&mut state);
        drop(state);
        let gone = || {
            let why = self.index.why_gone(artifact);
            why.map(|why| Error::gone(name, why))
        };
        match gone() {
            Some(error) => Err(error),
            None => read(&self.inner).map_err(|error| gone().unwrap_or(error)),
        }
    }

    fn taken_names(&self) -> TakenNames {
        let index = self.index.clone();
        TakenNames::new(move |name, digest| index.stood_for_other(name, digest))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for TimeToLive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimeToLive")
            .field("age", &self.age)
            .finish_non_exhaustive()
    }
}
