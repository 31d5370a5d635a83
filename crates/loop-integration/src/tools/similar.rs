//! The expander with vectors: passages by the words of the question, and by what they mean.

use std::sync::Arc;

use artifacts_fs::{ArtifactDir, OpenArtifact};
use artifacts_search::{Answer, Embedder, Expand, Vectors};

use super::lexical::passages;
use super::{Expander, FoundPassage};

/// Finds passages by the words of the question and, where those are not in the artifact, by what
/// they mean (SPEC 7.3). An artifact is embedded with the first such question to it; the vectors are kept
/// beside it where [`with_cache`](Self::with_cache) says so (SPEC 7.4).
///
/// What goes wrong with the embedder or the cache fails no call: the answer is then that of
/// [`LexicalExpander`](super::LexicalExpander).
#[derive(Debug, Clone)]
pub struct EmbeddingExpander {
    embedder: Arc<dyn Embedder>,
    cache: Option<ArtifactDir>,
    budget: u64,
}

impl EmbeddingExpander {
    /// Embeds with `embedder`, and keeps no vectors.
    #[must_use]
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self {
            embedder,
            cache: None,
            budget: 12_000,
        }
    }

    /// Keeps vectors in `dir`, the store of the artifacts that are asked, so that later questions
    /// need not embed again, after a restart either.
    #[must_use]
    pub fn with_cache(self, dir: ArtifactDir) -> Self {
        Self {
            cache: Some(dir),
            ..self
        }
    }

    /// At most `graphemes` grapheme clusters in all passages of an answer together; 12,000 without
    /// this.
    #[must_use]
    pub fn with_budget(self, graphemes: u64) -> Self {
        Self {
            budget: graphemes,
            ..self
        }
    }

    /// The answer of `expand` in `text`, the decoded bytes of `artifact`.
    ///
    /// # Errors
    ///
    /// Those of [`Expand::answer`].
    pub fn answer<'a>(
        &self,
        artifact: &OpenArtifact,
        text: &'a str,
        question: &str,
        expand: &Expand,
    ) -> Result<Answer<'a>, artifacts_search::Error> {
        let vectors = || self.vectors(artifact, text);
        let answer = expand.answer_with(text, question, vectors, &*self.embedder);
        answer.or_else(|_| expand.answer(text, question))
    }

    /// The vectors of the artifact: those that were kept, or new ones, which are kept.
    fn vectors(
        &self,
        artifact: &OpenArtifact,
        text: &str,
    ) -> Result<Vectors, artifacts_search::Error> {
        let cached = self
            .cache
            .as_ref()
            .and_then(|dir| dir.cached(artifact.artifact(), self.embedder.name()));
        let cached = cached.and_then(|bytes| Vectors::from_bytes(bytes, &*self.embedder));
        if let Some(vectors) = cached {
            return Ok(vectors);
        }
        let vectors = Vectors::of(text, &*self.embedder)?;
        if let Some(dir) = &self.cache {
            // Without a cache the next question embeds again.
            let _kept = dir.cache(
                artifact.artifact(),
                self.embedder.name(),
                &vectors.to_bytes(),
            );
        }
        Ok(vectors)
    }
}

impl Expander for EmbeddingExpander {
    fn passages(
        &self,
        artifact: &OpenArtifact,
        question: &str,
        most: usize,
        max_bytes: usize,
    ) -> Result<Vec<FoundPassage>, artifacts_fs::Error> {
        passages(artifact, most, self.budget, max_bytes, |text, expand| {
            self.answer(artifact, text, question, expand)
        })
    }
}
