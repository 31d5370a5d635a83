//! What an index holds of one artifact, and why one is there no more.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use artifacts_core::ContentDigest;

use crate::ArtifactRef;

/// One artifact of an [`Index`](crate::Index).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    pub(super) artifact: ArtifactRef,
    pub(super) source: Option<Arc<str>>,
    pub(super) whole: Option<Whole>,
    pub(super) stored: Option<SystemTime>,
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
    /// What is kept was to be smaller.
    Evicted,
    /// It was older than artifacts are kept.
    Expired,
    /// A summary covers it.
    Covered,
}

impl Indexed {
    /// The artifact that a record names, produced by `source`, the name of a tool for instance.
    #[must_use]
    pub fn new(artifact: ArtifactRef, source: Option<&str>) -> Self {
        Self {
            artifact,
            source: source.map(Arc::from),
            whole: None,
            stored: None,
        }
    }

    /// The artifact that a store keeps.
    pub(crate) fn kept(
        artifact: ArtifactRef,
        whole: Option<Whole>,
        stored: Option<SystemTime>,
    ) -> Self {
        Self {
            whole,
            stored,
            ..Self::new(artifact, None)
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

    /// When it was stored last, where a store with a time to live keeps it.
    #[must_use]
    pub fn stored(&self) -> Option<SystemTime> {
        self.stored
    }

    /// The same with what is known of it besides.
    pub(super) fn or(mut self, known: Option<Self>) -> Self {
        if let Some(known) = known {
            self.source = self.source.or(known.source);
            self.whole = self.whole.or(known.whole);
            self.stored = self.stored.or(known.stored);
        }
        self
    }
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Evicted => {
                "was evicted to keep within a size limit, so run the tool again to have it"
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
