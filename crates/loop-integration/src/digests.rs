//! What a sub-agent tells of its artifacts: a line each instead of the results.

use artifacts_fs::Indexed;
use serde::Serialize;

use crate::ArtifactTools;
use crate::clean::Clean;

/// What there is to know of an artifact before it is read (SPEC 6.6): about 40 tokens.
///
/// Serialized, it is an object with these keys in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ArtifactDigest {
    /// What to read it by.
    pub handle: String,
    /// The tool that produced it; empty where that is not known.
    pub source: String,
    /// Its size in tokens of four bytes each, which is more than the text has in most scripts.
    pub tokens: u64,
    /// Its first 60 characters, in one line; empty if it can't be read.
    pub preview: String,
}

impl ArtifactTools {
    /// A digest of every artifact, in insertion order, for the agent that gave the task.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use artifacts_core::{ContentType, Limit, OpId};
    /// use artifacts_fs::{ArtifactStore as _, Index, MemoryStore};
    /// use loop_integration::ArtifactTools;
    ///
    /// let store = Arc::new(MemoryStore::default());
    /// let index = Index::default();
    /// let stored = store.store(&OpId::new("op-1"), ContentType::Text, b"name,age\nAda,36\n")?;
    /// index.add((&stored).into(), Some("query"));
    /// let tools = ArtifactTools::new(store, index, Limit::graphemes(1_000)?)?;
    /// assert_eq!(
    ///     serde_json::to_string(&tools.digests())?,
    ///     r#"[{"handle":"op-1.txt","source":"query","tokens":4,"preview":"name,age Ada,36"}]"#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn digests(&self) -> Vec<ArtifactDigest> {
        let entries = self.index().entries();
        entries.iter().map(|entry| self.digest(entry)).collect()
    }

    fn digest(&self, entry: &Indexed) -> ArtifactDigest {
        let artifact = entry.artifact();
        let opened = self.open(artifact);
        let page = opened.and_then(|opened| opened.page(0..artifact.bytes(), PREVIEW_BYTES));
        let preview = page.map(|page| {
            let text = String::from_utf8_lossy(page.bytes()).into_owned();
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            words.chars().take(PREVIEW_CHARS).collect::<String>()
        });
        ArtifactDigest {
            handle: artifact.name().to_string(),
            source: Clean::new(entry.source().unwrap_or_default()).to_string(),
            tokens: artifact.bytes().div_ceil(4),
            preview: Clean::new(&preview.unwrap_or_default()).to_string(),
        }
    }
}

const PREVIEW_CHARS: usize = 60;
const PREVIEW_BYTES: usize = 400;
