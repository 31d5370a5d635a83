//! The contents of an index: changed in one way only, so that a change can be written down.

use std::collections::{BTreeMap, BTreeSet};

use artifacts_core::{ArtifactName, ContentDigest};

use super::entry::{Gone, Indexed};
use crate::ArtifactRef;

/// One change of the contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// Puts the entry in the place of the one with its name, or at the end; what was gone is there
    /// again.
    Put(Indexed),
    /// Takes the entry out, without a trace.
    Take(ArtifactName),
    /// Takes the entry out and says why.
    Bury(ArtifactName, Tombstone),
    /// Lets an alias refer to an artifact.
    Name(String, ArtifactName),
}

/// What is known of an artifact that is there no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tombstone {
    pub(super) why: Gone,
    /// Of its bytes, for which alone its name stands.
    pub(super) digest: Option<ContentDigest>,
}

impl Tombstone {
    /// Whether it is of other bytes than those with this digest, for all that is known.
    pub(super) fn is_of_other(&self, digest: &ContentDigest) -> bool {
        self.digest.is_none_or(|gone| gone != *digest)
    }
}

/// What an index holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    entries: BTreeMap<u64, Indexed>,
    positions: BTreeMap<ArtifactName, u64>,
    aliases: BTreeMap<String, ArtifactName>,
    /// The aliases of each artifact.
    named: BTreeMap<ArtifactName, BTreeSet<String>>,
    gone: BTreeMap<ArtifactName, Tombstone>,
    next: u64,
    total_bytes: u64,
}

impl Contents {
    pub(super) fn apply(&mut self, change: Change) {
        match change {
            Change::Put(entry) => self.put(entry),
            Change::Take(name) => drop(self.take(&name)),
            Change::Bury(name, why) => {
                self.take(&name);
                self.gone.insert(name, why);
            }
            Change::Name(alias, name) => self.name(alias, name),
        }
    }

    /// The changes that make these contents of none.
    pub(super) fn as_changes(&self) -> impl Iterator<Item = Change> {
        let put = self.entries.values().cloned().map(Change::Put);
        let bury = self.gone.iter();
        let bury = bury.map(|(name, why)| Change::Bury(name.clone(), *why));
        let name = self.names();
        let name = name.map(|(alias, name)| Change::Name(alias.clone(), name.clone()));
        put.chain(bury).chain(name)
    }

    pub(super) fn find(&self, name: &ArtifactName) -> Option<&Indexed> {
        self.entries.get(self.positions.get(name)?)
    }

    /// Every entry, in insertion order.
    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = &Indexed> {
        self.entries.values()
    }

    pub(super) fn aliased(&self, alias: &str) -> Option<&ArtifactName> {
        self.aliases.get(alias)
    }

    /// Every alias, sorted, with the artifact it refers to.
    pub(super) fn names(&self) -> impl Iterator<Item = (&String, &ArtifactName)> {
        self.aliases.iter()
    }

    /// The aliases of an artifact, sorted.
    pub(super) fn aliases(&self, artifact: &ArtifactName) -> impl Iterator<Item = &String> {
        self.named.get(artifact).into_iter().flatten()
    }

    pub(super) fn gone(&self, name: &ArtifactName) -> Option<Tombstone> {
        self.gone.get(name).copied()
    }

    /// As [`gone`](Self::gone), where its name stood for these very bytes.
    pub(super) fn gone_as(&self, artifact: &ArtifactRef) -> Option<Tombstone> {
        let tombstone = self.gone(artifact.name());
        tombstone.filter(|gone| {
            gone.digest
                .is_none_or(|digest| digest == *artifact.digest())
        })
    }

    /// The bytes of all artifacts together.
    pub(super) fn total_bytes(&self) -> u64 {
        self.total_bytes
    }

    fn name(&mut self, alias: String, artifact: ArtifactName) {
        let before = self.aliases.insert(alias.clone(), artifact.clone());
        if let Some(names) = before.and_then(|before| self.named.get_mut(&before)) {
            names.remove(&alias);
        }
        self.named.entry(artifact).or_default().insert(alias);
    }

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
}
