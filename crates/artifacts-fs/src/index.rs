//! Which artifacts a run has, in the order it got them, and the names given to them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use artifacts_core::ArtifactName;

use crate::ArtifactRef;

/// The artifacts of a run in insertion order, with their aliases (SPEC 4.12, 6.3).
///
/// Clones share one index. What is not in it cannot be reached by name, so that a handle never
/// leads to a file of another run.
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
}

#[derive(Debug, Default)]
struct Contents {
    entries: Vec<Indexed>,
    positions: BTreeMap<ArtifactName, usize>,
    aliases: BTreeMap<String, ArtifactName>,
}

impl Index {
    /// Adds an artifact that `source`, the name of a tool for instance, produced. One that is
    /// there already keeps its place.
    pub fn add(&self, artifact: ArtifactRef, source: Option<&str>) {
        let mut contents = self.contents();
        let position = contents.entries.len();
        let name = artifact.name().clone();
        let known = contents.positions.get(&name).copied();
        let entry = Indexed {
            artifact,
            source: source.map(Arc::from),
        };
        match known.and_then(|position| contents.entries.get_mut(position)) {
            Some(present) => *present = entry,
            None => {
                contents.entries.push(entry);
                contents.positions.insert(name, position);
            }
        }
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
        contents
            .entries
            .iter()
            .rev()
            .find(|entry| is_it(entry))
            .cloned()
    }

    /// Every artifact once, in insertion order.
    #[must_use]
    pub fn entries(&self) -> Vec<Indexed> {
        self.contents().entries.clone()
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

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    fn find(&self, name: &ArtifactName) -> Option<Indexed> {
        let position = *self.positions.get(name)?;
        self.entries.get(position).cloned()
    }
}

impl Indexed {
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
}

#[cfg(test)]
mod tests {
    use artifacts_core::ContentDigest;

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
}
