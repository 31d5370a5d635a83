//! What a record says of an artifact: enough to read it and to know that it is the right one.

use artifacts_core::{ArtifactName, ContentDigest};

use crate::DurableArtifact;

/// A name with the size and digest its bytes must have, as a settle record holds them.
///
/// Reading takes one, so that altered bytes are never handed out. It proves nothing: anyone can
/// make one.
///
/// ```
/// use artifacts_core::{ArtifactName, ContentDigest};
/// use artifacts_fs::ArtifactRef;
///
/// let name = ArtifactName::parse("op-1.txt")?;
/// let artifact = ArtifactRef::new(name, ContentDigest::of(b"full"), 4);
/// assert_eq!(artifact.bytes(), 4);
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArtifactRef {
    name: ArtifactName,
    digest: ContentDigest,
    bytes: u64,
}

impl ArtifactRef {
    /// The artifact `name`, which must be `bytes` long and have this SHA-256.
    #[must_use]
    pub fn new(name: ArtifactName, digest: ContentDigest, bytes: u64) -> Self {
        Self {
            name,
            digest,
            bytes,
        }
    }

    /// The file's name.
    #[must_use]
    pub fn name(&self) -> &ArtifactName {
        &self.name
    }

    /// The SHA-256 its bytes must have.
    #[must_use]
    pub fn digest(&self) -> &ContentDigest {
        &self.digest
    }

    /// The size it must have, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl From<&DurableArtifact> for ArtifactRef {
    fn from(artifact: &DurableArtifact) -> Self {
        let bytes = artifact.measured().measure().bytes();
        Self::new(artifact.name().clone(), *artifact.digest(), bytes)
    }
}
