//! `expand`: the passages of one artifact that answer a question.

mod choose;
mod room;

use std::borrow::Borrow;
use std::fmt;
use std::ops::Range;

use choose::choose;
use room::{Room, within};

use crate::question::Question;
use crate::rank::{Found, Ranked};
use crate::similar::Similar;
use crate::{CHUNK_GRAPHEMES, Chunks, Embedder, Error, Vectors};

/// How many passages an answer has, and how long it is.
///
/// ```
/// use artifacts_search::Expand;
///
/// let expand = Expand::default();
/// assert_eq!((expand.passages(), expand.budget()), (3, 6_000));
/// assert_eq!(Expand::of(5).with_budget(4_000).budget(), 4_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expand {
    passages: usize,
    budget: u64,
    max_bytes: u64,
}

impl Expand {
    /// At most `passages` passages, each a whole chunk.
    #[must_use]
    pub fn of(passages: usize) -> Self {
        Self {
            passages,
            budget: CHUNK_GRAPHEMES.saturating_mul(passages as u64),
            max_bytes: u64::MAX,
        }
    }

    /// At most `graphemes` grapheme clusters in all passages together; the separators are beside
    /// that. Better passages come first: a passage that does not fit is narrowed around what
    /// answers the question, or left out.
    #[must_use]
    pub fn with_budget(self, graphemes: u64) -> Self {
        Self {
            budget: graphemes,
            ..self
        }
    }

    /// At most `bytes` bytes in all passages together, beside the budget in grapheme clusters.
    #[must_use]
    pub fn with_max_bytes(self, bytes: u64) -> Self {
        Self {
            max_bytes: bytes,
            ..self
        }
    }

    /// The most passages.
    #[must_use]
    pub fn passages(&self) -> usize {
        self.passages
    }

    /// The most grapheme clusters.
    #[must_use]
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// The passages of `text` that answer `question`, ranked by the words of the question alone:
    /// no model, no index, the same answer each time (SPEC 7.2, 7.3).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Question`](crate::ErrorKind::Question) for a question too long to look for.
    ///
    /// ```
    /// use artifacts_search::Expand;
    ///
    /// let text = format!("{}The port is 8125.\n{}", "…\n".repeat(3_000), "…\n".repeat(3_000));
    /// let answer = Expand::of(1).answer(&text, "Which port?")?;
    /// assert!(answer.to_string().contains("8125"));
    /// let [passage] = answer.passages() else { unreachable!() };
    /// assert_eq!(&text[passage.bytes()], passage.text());
    /// # Ok::<(), artifacts_search::Error>(())
    /// ```
    pub fn answer<'a>(&self, text: &'a str, question: &str) -> Result<Answer<'a>, Error> {
        let chunks: Vec<Range<usize>> = Chunks::of(text).collect();
        let found = Found::of(text, &chunks, &Question::parse(question))?;
        Ok(self.chosen(text, &chunks, found.ranked(self.passages, None)))
    }

    /// As [`answer`](Self::answer), with the vectors of `text` for what the words of the question
    /// leave open: where they are not in the text, what means the same answers. Where they are, the
    /// answer is as without vectors, and `vectors` is not called.
    ///
    /// # Errors
    ///
    /// As [`answer`](Self::answer); that of `vectors`;
    /// [`ErrorKind::Embedder`](crate::ErrorKind::Embedder) if `embedder` fails or is not the one
    /// that the vectors are from.
    pub fn answer_with<'a, V: Borrow<Vectors>>(
        &self,
        text: &'a str,
        question: &str,
        vectors: impl FnOnce() -> Result<V, Error>,
        embedder: &dyn Embedder,
    ) -> Result<Answer<'a>, Error> {
        let chunks: Vec<Range<usize>> = Chunks::of(text).collect();
        let found = Found::of(text, &chunks, &Question::parse(question))?;
        if found.relied_on() {
            return Ok(self.chosen(text, &chunks, found.ranked(self.passages, None)));
        }
        let similarities = vectors()?.borrow().similarities(question, embedder)?;
        let similar = Similar::of(&similarities, chunks.len());
        Ok(self.chosen(text, &chunks, found.ranked(self.passages, Some(&similar))))
    }

    fn chosen<'a>(
        &self,
        text: &'a str,
        chunks: &[Range<usize>],
        ranked: Vec<Ranked>,
    ) -> Answer<'a> {
        let chosen = choose(ranked, self.passages);
        let room = Room {
            graphemes: self.budget,
            bytes: self.max_bytes,
        };
        Answer {
            passages: within(text, chunks, chosen, room),
        }
    }
}

/// Three passages.
impl Default for Expand {
    fn default() -> Self {
        Self::of(3)
    }
}

/// Passages that answer a question, in the order of the text.
///
/// `Display` is the text of SPEC 7.2: the passages joined by a line of three dashes between empty
/// lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<'a> {
    passages: Vec<Passage<'a>>,
}

impl<'a> Answer<'a> {
    /// The passages, in the order of the text.
    #[must_use]
    pub fn passages(&self) -> &[Passage<'a>] {
        &self.passages
    }

    /// What to say of a handle that names nothing.
    ///
    /// ```
    /// use artifacts_search::Answer;
    ///
    /// assert_eq!(Answer::unknown("art:1"), "Artifact art:1 does not exist (any more).");
    /// ```
    #[must_use]
    pub fn unknown(handle: &str) -> String {
        let handle: String = handle.chars().filter(|c| !c.is_control()).collect();
        format!("Artifact {handle} does not exist (any more).")
    }
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, passage) in self.passages.iter().enumerate() {
            if index > 0 {
                f.write_str(SEPARATOR)?;
            }
            f.write_str(passage.text)?;
        }
        Ok(())
    }
}

/// One passage of an [`Answer`]: a chunk, or the part of one that fits the budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage<'a> {
    chunk: usize,
    bytes: Range<usize>,
    score: f64,
    text: &'a str,
}

impl<'a> Passage<'a> {
    /// The index of the chunk.
    #[must_use]
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// Where the passage is in the artifact, in bytes, for reading around it.
    #[must_use]
    pub fn bytes(&self) -> Range<usize> {
        self.bytes.clone()
    }

    /// How well the chunk answers: comparable within one answer; 0 if nothing of the question is
    /// in it.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }
}

const SEPARATOR: &str = "\n\n---\n\n";
