//! The receipt of a stored artifact.

use artifacts_core::{ArtifactName, ContentDigest, DurableReceipt, Measured};

/// Proof that an artifact is complete, durable and visible. Only a store makes one, and it is
/// what a marker or an envelope needs to name a file (I3).
#[derive(Debug, Clone)]
#[must_use = "the receipt is the only way to name the artifact"]
pub struct DurableArtifact {
    name: ArtifactName,
    measured: Measured,
    durability: Durability,
    is_new: bool,
    is_indexed: bool,
}

/// What an artifact survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Durability {
    /// As long as the process lives.
    Memory,
    /// The end of the process, but not a power cut.
    Process,
    /// A power cut.
    PowerLoss,
}

impl DurableArtifact {
    pub(crate) fn new(name: ArtifactName, measured: Measured, durability: Durability) -> Self {
        Self {
            name,
            measured,
            durability,
            is_new: true,
            is_indexed: false,
        }
    }

    /// The same for bytes that were there under this name before.
    pub(crate) fn found(self) -> Self {
        Self {
            is_new: false,
            ..self
        }
    }

    /// Whether this very call put the bytes there.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// The same from a store that has noted it in an index of its own.
    pub(crate) fn indexed(self) -> Self {
        Self {
            is_indexed: true,
            ..self
        }
    }

    /// Whether the store has noted it in an index of its own.
    pub(crate) fn is_indexed(&self) -> bool {
        self.is_indexed
    }

    /// The file's name.
    #[must_use]
    pub fn name(&self) -> &ArtifactName {
        &self.name
    }

    /// Size and digest of the stored bytes.
    #[must_use]
    pub fn measured(&self) -> &Measured {
        &self.measured
    }

    /// SHA-256 of the stored bytes.
    #[must_use]
    pub fn digest(&self) -> &ContentDigest {
        self.measured.digest()
    }

    /// What it survives.
    #[must_use]
    pub fn durability(&self) -> Durability {
        self.durability
    }
}

/// Whose call put the bytes there, and who noted that, is no part of what is proven.
impl PartialEq for DurableArtifact {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.measured, self.durability)
            == (&other.name, &other.measured, other.durability)
    }
}

impl Eq for DurableArtifact {}

impl DurableReceipt for DurableArtifact {
    fn name(&self) -> &ArtifactName {
        &self.name
    }

    fn measured(&self) -> &Measured {
        &self.measured
    }
}
