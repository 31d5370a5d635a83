//! Which chunks answer a question: BM25 over a scan, then a closer look at the best.

use std::ops::Range;

use crate::Error;
use crate::evidence::Evidence;
use crate::question::Question;
use crate::scan::Scanner;

/// A chunk, how well it answers, and what in it does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) chunk: usize,
    pub(crate) score: f64,
    pub(crate) evidence: Evidence,
}

/// The best chunks of `text`, best first and at most `most`; ties in the order of the text.
pub(crate) fn rank(
    text: &str,
    chunks: &[Range<usize>],
    question: &Question,
    most: usize,
) -> Result<Vec<Ranked>, Error> {
    let question = &telling(text, chunks, question)?;
    let scanner = Scanner::new(question)?;
    let counts = Counts::of(text, chunks, &scanner, question.terms().len());
    let idf = counts.inverse_frequencies(question);
    // Without terms there are no rows: every chunk tells nothing, and the first ones are the best.
    let scores = counts.scores(&idf).chain(std::iter::repeat(0.0));
    let mut scored: Vec<(usize, f64)> = (0..chunks.len()).zip(scores).collect();
    scored.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    scored.truncate(most.max(CANDIDATES));
    let mut ranked: Vec<Ranked> = scored
        .into_iter()
        .filter_map(|(chunk, score)| {
            let range = chunks.get(chunk)?.clone();
            let evidence = Evidence::of(text, range, &scanner, &idf);
            Some(Ranked {
                chunk,
                score: score + evidence.value(),
                evidence,
            })
        })
        .collect();
    ranked.sort_by(|one, other| {
        let by_score = other.score.total_cmp(&one.score);
        by_score.then(one.chunk.cmp(&other.chunk))
    });
    Ok(ranked)
}

/// The question without terms that are everywhere: they tell nothing of one chunk, and finding
/// each of them takes longest. Seen from chunks all over a long text.
fn telling(text: &str, chunks: &[Range<usize>], question: &Question) -> Result<Question, Error> {
    let scanner = Scanner::new(question)?;
    let step = chunks.len() / SAMPLES;
    if step == 0 {
        return Ok(question.clone());
    }
    let mut with = vec![0_usize; question.terms().len()];
    let mut samples = 0;
    for chunk in chunks.iter().step_by(step) {
        let content = text.get(chunk.clone()).unwrap_or_default();
        let mut terms: Vec<usize> = scanner.hits(content).iter().map(|hit| hit.term).collect();
        terms.sort_unstable();
        terms.dedup();
        for term in terms {
            if let Some(with) = with.get_mut(term) {
                *with += 1;
            }
        }
        samples += 1;
    }
    let everywhere = |term: usize| with.get(term).is_some_and(|with| *with == samples);
    Ok(question.without(everywhere))
}

/// How often each term is in each chunk, related forms counting less.
struct Counts {
    terms: usize,
    /// One row of `terms` for each chunk.
    counts: Vec<f32>,
}

impl Counts {
    fn of(text: &str, chunks: &[Range<usize>], scanner: &Scanner<'_>, terms: usize) -> Self {
        let mut counts = vec![0.0; chunks.len() * terms];
        // Hits come in order, of words and then of pairs, so the first chunk that reaches as far
        // only moves on. What two chunks share counts in both.
        let mut first = 0;
        scanner.scan(text, |hit| {
            if chunks.get(first).is_some_and(|chunk| hit.end < chunk.start) {
                first = 0;
            }
            while chunks.get(first).is_some_and(|chunk| chunk.end < hit.end) {
                first += 1;
            }
            for (index, chunk) in chunks.iter().enumerate().skip(first).take(2) {
                if chunk.start <= hit.start
                    && let Some(count) = counts.get_mut(index * terms + hit.term)
                {
                    *count += hit.weight;
                }
            }
        });
        Self { terms, counts }
    }

    fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.counts.chunks_exact(self.terms.max(1))
    }

    /// What each term tells: much if few chunks have it.
    fn inverse_frequencies(&self, question: &Question) -> Vec<f64> {
        let chunks = self.rows().count() as f64;
        let mut with = vec![0.0; self.terms];
        for row in self.rows() {
            for (with, count) in with.iter_mut().zip(row) {
                *with += f64::from(count.min(1.0));
            }
        }
        let terms = question.terms().iter().zip(with);
        terms
            .map(|(term, with)| {
                f64::from(term.weight) * ((chunks - with + 0.5) / (with + 0.5)).ln_1p()
            })
            .collect()
    }

    /// BM25. Chunks are of one length, so the length takes no part.
    fn scores(&self, idf: &[f64]) -> impl Iterator<Item = f64> {
        self.rows().map(move |row| {
            let terms = row.iter().zip(idf);
            terms
                .map(|(count, idf)| {
                    let count = f64::from(*count);
                    idf * count * (SATURATION + 1.0) / (count + SATURATION)
                })
                .sum()
        })
    }
}

/// The `k1` of BM25.
const SATURATION: f64 = 1.2;

/// So many chunks are looked at for terms that are everywhere.
const SAMPLES: usize = 32;

/// So many chunks get a closer look.
const CANDIDATES: usize = 40;
