//! Which artifacts a run has, in the order it got them, and the names given to them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use artifacts_core::{ArtifactName, ContentDigest};

use crate::ArtifactRef;

/// The artifacts of a run in insertion order, with their aliases (SPEC 4.12, 6.3).
///
/// Clones share one index. What is not in it cannot be reached by name, so that a handle never
/// leads to a file of another run. What was removed leaves a tombstone that says why.
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
    contents: Arc<Mutex<Contents>>,
}

/// One artifact of an [`Index`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    artifact: ArtifactRef,
    source: Option<Arc<str>>,
    whole: Option<Whole>,
}

/// The result of which an artifact holds only the first bytes (SPEC 4.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Whole {
    /// Its size in bytes.
    pub bytes: u64,
    /// SHA-256 of all of them.
    pub digest: ContentDigest,
}

/// Why an artifact is there no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Gone {
    /// Newer artifacts needed its place.
    Evicted,
    /// It was older than artifacts are kept.
    Expired,
    /// A summary covers it.
    Covered,
}

/// What an index holds, for a look back.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contents {
    entries: BTreeMap<u64, Indexed>,
    positions: BTreeMap<ArtifactName, u64>,
    aliases: BTreeMap<String, ArtifactName>,
    gone: BTreeMap<ArtifactName, Gone>,
    next: u64,
    total_bytes: u64,
}

impl Index {
    /// Adds an artifact that `source`, the name of a tool for instance, produced. One that is
    /// there already keeps its place, and what was known of it. One that is gone stays gone:
    /// only a store that keeps it again brings it back.
    pub fn add(&self, artifact: ArtifactRef, source: Option<&str>) {
        let mut contents = self.contents();
        if contents.gone.contains_key(artifact.name()) {
            return;
        }
        let known = contents.find(artifact.name());
        let whole = known.as_ref().and_then(|known| known.whole);
        let source = source.map(Arc::from);
        let entry = Indexed {
            source: source.or(known.and_then(|known| known.source)),
            artifact,
            whole,
        };
        contents.put(entry);
    }

    /// Gives an artifact another name; one that was given before refers to the newest.
    pub fn name(&self, alias: &str, artifact: &ArtifactName) {
        self.contents()
            .aliases
            .insert(alias.to_owned(), artifact.clone());
    }

    /// The artifact with this file name.
    #[must_use]
    pub fn find(&self, name: &ArtifactName) -> Option<Indexed> {
        self.contents().find(name)
    }

    /// The artifact that was given this name last.
    #[must_use]
    pub fn find_alias(&self, alias: &str) -> Option<Indexed> {
        let contents = self.contents();
        contents.find(contents.aliases.get(alias)?)
    }

    /// The newest artifact for which `is_it` holds.
    #[must_use]
    pub fn newest(&self, is_it: impl Fn(&Indexed) -> bool) -> Option<Indexed> {
        let contents = self.contents();
        let mut newest_first = contents.entries.values().rev();
        newest_first.find(|entry| is_it(entry)).cloned()
    }

    /// Every artifact once, in insertion order.
    #[must_use]
    pub fn entries(&self) -> Vec<Indexed> {
        self.contents().entries.values().cloned().collect()
    }

    /// The bytes of all artifacts together.
    #[must_use]
    pub fn total_bytes(&self) -> u64 {
        self.contents().total_bytes
    }

    /// The names given to an artifact that still refer to it, sorted.
    #[must_use]
    pub fn aliases(&self, artifact: &ArtifactName) -> Vec<String> {
        let contents = self.contents();
        let aliases = contents.aliases.iter();
        aliases
            .filter(|(_, name)| *name == artifact)
            .map(|(alias, _)| alias.clone())
            .collect()
    }

    /// Why the artifact with this file name or alias is there no more, if it once was.
    #[must_use]
    pub fn gone(&self, handle: &str) -> Option<Gone> {
        let contents = self.contents();
        let aliased = contents.aliases.get(handle).cloned();
        let name = aliased.or_else(|| ArtifactName::parse(handle).ok())?;
        contents.gone.get(&name).copied()
    }

    /// Takes an artifact out and leaves a tombstone; the artifact, if it was there.
    pub fn bury(&self, name: &ArtifactName, why: Gone) -> Option<Indexed> {
        self.contents().bury(name, why)
    }

    /// Adds an artifact as the newest, then buries the oldest others until all together have at
    /// most `max_total_bytes`. Nobody sees the index in between.
    pub(crate) fn push_within(&self, entry: Indexed, max_total_bytes: u64) -> Vec<ArtifactRef> {
        let mut contents = self.contents();
        let newest = entry.artifact.name().clone();
        let known = contents.take(&newest);
        let source = entry.source.clone();
        contents.put(Indexed {
            source: source.or(known.and_then(|known| known.source)),
            ..entry
        });
        let mut evicted = Vec::new();
        while contents.total_bytes > max_total_bytes {
            let mut names = contents.entries.values().map(|entry| entry.artifact.name());
            let Some(oldest) = names.find(|name| **name != newest).cloned() else {
                break;
            };
            let entry = contents.bury(&oldest, Gone::Evicted);
            evicted.extend(entry.map(|entry| entry.artifact));
        }
        evicted
    }

    /// What is in it.
    pub(crate) fn look(&self) -> Contents {
        self.contents().clone()
    }

    /// Makes it what it was, and returns what was added since.
    pub(crate) fn look_back(&self, before: Contents) -> Vec<ArtifactRef> {
        let mut contents = self.contents();
        let added = contents
            .entries
            .values()
            .filter(|entry| !before.positions.contains_key(entry.artifact.name()))
            .map(|entry| entry.artifact.clone())
            .collect();
        *contents = before;
        added
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    fn find(&self, name: &ArtifactName) -> Option<Indexed> {
        let position = self.positions.get(name)?;
        self.entries.get(position).cloned()
    }

    /// Puts the entry in the place of the one with its name, or at the end.
    fn put(&mut self, entry: Indexed) {
        let name = entry.artifact.name();
        self.gone.remove(name);
        let position = match self.positions.get(name) {
            Some(position) => *position,
            None => {
                self.next += 1;
                self.positions.insert(name.clone(), self.next);
                self.next
            }
        };
        self.total_bytes = self.total_bytes.saturating_add(entry.artifact.bytes());
        if let Some(before) = self.entries.insert(position, entry) {
            self.total_bytes = self.total_bytes.saturating_sub(before.artifact.bytes());
        }
    }

    fn take(&mut self, name: &ArtifactName) -> Option<Indexed> {
        let position = self.positions.remove(name)?;
        let entry = self.entries.remove(&position)?;
        self.total_bytes = self.total_bytes.saturating_sub(entry.artifact.bytes());
        Some(entry)
    }

    fn bury(&mut self, name: &ArtifactName, why: Gone) -> Option<Indexed> {
        let entry = self.take(name)?;
        self.gone.insert(name.clone(), why);
        Some(entry)
    }
}

impl Indexed {
    pub(crate) fn new(artifact: ArtifactRef, whole: Option<Whole>) -> Self {
        Self {
            artifact,
            source: None,
            whole,
        }
    }

    /// What it takes to read it.
    #[must_use]
    pub fn artifact(&self) -> &ArtifactRef {
        &self.artifact
    }

    /// What produced it, where that is known.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// The whole result, if the artifact holds only its first bytes.
    #[must_use]
    pub fn whole(&self) -> Option<Whole> {
        self.whole
    }
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Evicted => {
                "was evicted: newer results needed its place, so run the tool again to have it"
            }
            Self::Expired => {
                "has expired: it was older than results are kept, so run the tool again to have it"
            }
            Self::Covered => {
                "was removed: the summary covers it, so run the tool again to have it whole"
            }
        })
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
        index.push_within(Indexed::new(one, None), 10);
        assert_eq!(index.gone("1.txt"), None);
    }
}
