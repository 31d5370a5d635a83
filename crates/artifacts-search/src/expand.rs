//! `expand`: the passages of one artifact that answer a question.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Range;

use artifacts_core::{Limit, Measure};

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
}

impl Expand {
    /// At most `passages` passages, each a whole chunk.
    #[must_use]
    pub fn of(passages: usize) -> Self {
        Self {
            passages,
            budget: CHUNK_GRAPHEMES.saturating_mul(passages as u64),
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
        Answer {
            passages: within(text, chunks, chosen, self.budget),
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

/// The best `passages`, where one that says what a better one says counts less.
fn choose(mut ranked: Vec<Ranked>, passages: usize) -> Vec<Ranked> {
    let mut chosen: Vec<Ranked> = Vec::new();
    while chosen.len() < passages && !ranked.is_empty() {
        let worth = |candidate: &Ranked| {
            let repeats = |better: &Ranked| better.evidence.repeats(&candidate.evidence);
            match chosen.iter().any(repeats) {
                true => candidate.score * REPEATED,
                false => candidate.score,
            }
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (index, candidate) in ranked.iter().enumerate() {
            let worth = worth(candidate);
            if worth > best.1 {
                best = (index, worth);
            }
        }
        chosen.push(ranked.remove(best.0));
    }
    chosen
}

/// The passages within the budget, in the order of the text. Each has its share of what the better
/// ones left; where a share would say too little, there are fewer.
fn within<'a>(
    text: &'a str,
    chunks: &[Range<usize>],
    mut chosen: Vec<Ranked>,
    budget: u64,
) -> Vec<Passage<'a>> {
    let most = usize::try_from(budget / LEAST).unwrap_or(usize::MAX);
    chosen.truncate(most.max(usize::from(budget > 0)));
    let mut left = budget;
    let mut passages = Vec::new();
    let count = chosen.len() as u64;
    for (ranked, to_come) in chosen.into_iter().zip((1..=count).rev()) {
        let Some(chunk) = chunks.get(ranked.chunk) else {
            continue;
        };
        let share = left / to_come;
        let bytes = narrowed(text, chunk.clone(), ranked.evidence.bytes(), share);
        let text = text.get(bytes.clone()).unwrap_or_default();
        left = left.saturating_sub(Measure::of(text).graphemes());
        passages.push(Passage {
            chunk: ranked.chunk,
            bytes,
            score: ranked.score,
            text,
        });
    }
    passages.sort_by_key(|passage| passage.chunk);
    passages
}

/// At most `graphemes` clusters of `chunk`, with what answers in their midst.
fn narrowed(
    text: &str,
    chunk: Range<usize>,
    evidence: Range<usize>,
    graphemes: u64,
) -> Range<usize> {
    let content = text.get(chunk.clone()).unwrap_or_default();
    let Ok(limit) = Limit::graphemes(graphemes).and_then(|limit| limit.with_byte_ceiling(u64::MAX))
    else {
        return chunk.start..chunk.start;
    };
    if limit.fits(content) {
        return chunk;
    }
    let before = text.get(chunk.start..evidence.start.max(chunk.start));
    let shown = text
        .get(evidence)
        .map_or(0, |shown| Measure::of(shown).graphemes());
    let before = before.map_or(0, |before| Measure::of(before).graphemes());
    let total = Measure::of(content).graphemes();
    // As much before the evidence as behind it, as far as the chunk goes.
    let spare = graphemes.saturating_sub(shown) / 2;
    let skip = before
        .saturating_sub(spare)
        .min(total.saturating_sub(graphemes));
    let rest = match Limit::graphemes(skip).and_then(|skip| skip.with_byte_ceiling(u64::MAX)) {
        Ok(skip) => skip.prefix(content).rest(),
        Err(_) => content,
    };
    let start = chunk.end - rest.len();
    start..start + limit.prefix(rest).head().len()
}

const SEPARATOR: &str = "\n\n---\n\n";

/// What repeats a better passage counts so much of itself.
const REPEATED: f64 = 0.6;

/// A passage of fewer clusters says too little.
const LEAST: u64 = 200;
