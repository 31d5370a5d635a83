//! The expander that needs no model: passages by the words of the question.

use artifacts_fs::OpenArtifact;
use artifacts_search::{Answer, Decoded, Expand};

use super::{Expander, FoundPassage};

/// Finds passages by the words of the question, offline and without an index: what
/// `artifacts-search` does (SPEC 7.3).
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Limit;
/// use artifacts_fs::{Index, MemoryStore};
/// use loop_integration::{ArtifactTools, LexicalExpander};
///
/// let store = Arc::new(MemoryStore::default());
/// let limit = Limit::graphemes(16_384)?;
/// let tools = ArtifactTools::new(store, Index::default(), limit)?
///     .with_expander(Arc::new(LexicalExpander::default()));
/// assert!(tools.has("expand_artifact"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LexicalExpander {
    budget: u64,
}

impl LexicalExpander {
    /// At most `graphemes` grapheme clusters in all passages of an answer together, and no more
    /// than it has room for.
    #[must_use]
    pub fn with_budget(graphemes: u64) -> Self {
        Self { budget: graphemes }
    }
}

/// 12,000 grapheme clusters in all passages.
impl Default for LexicalExpander {
    fn default() -> Self {
        Self::with_budget(12_000)
    }
}

impl Expander for LexicalExpander {
    fn passages(
        &self,
        artifact: &OpenArtifact,
        question: &str,
        most: usize,
        max_bytes: usize,
    ) -> Result<Vec<FoundPassage>, artifacts_fs::Error> {
        passages(artifact, most, self.budget, max_bytes, |text, expand| {
            expand.answer(text, question)
        })
    }
}

/// At most `most` passages of the artifact of `budget` grapheme clusters and `max_bytes` bytes
/// together: those of `answer`, given the artifact's text.
pub(super) fn passages(
    artifact: &OpenArtifact,
    most: usize,
    budget: u64,
    max_bytes: usize,
    answer: impl for<'a> FnOnce(&'a str, &Expand) -> Result<Answer<'a>, artifacts_search::Error>,
) -> Result<Vec<FoundPassage>, artifacts_fs::Error> {
    let bytes = read(artifact)?;
    let decoded = Decoded::of(&bytes);
    let text = decoded.text();
    let whole = Expand::of(most);
    let expand = whole.with_budget(whole.budget().min(budget));
    let expand = expand.with_max_bytes(max_bytes as u64);
    // A question that can't be looked for is answered like one that nothing fits.
    let answer = answer(text, &expand).or_else(|_| expand.answer(text, ""));
    let passages = answer.iter().flat_map(|answer| answer.passages());
    let ranges = decoded.in_bytes(passages.clone().map(|passage| passage.bytes()));
    let found = passages.zip(ranges).map(|(passage, bytes)| FoundPassage {
        text: passage.text().to_owned(),
        bytes: bytes.start as u64..bytes.end as u64,
        score: passage.score(),
    });
    Ok(found.collect())
}

/// All bytes of the artifact.
fn read(artifact: &OpenArtifact) -> Result<Vec<u8>, artifacts_fs::Error> {
    let mut bytes = vec![0; usize::try_from(artifact.bytes()).unwrap_or(usize::MAX)];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match artifact.read_at(rest, filled as u64)? {
            0 => break,
            read => filled += read,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}
