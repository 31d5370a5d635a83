//! Which chunks answer a question: BM25 over a scan, then a closer look at the best.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Error;
use crate::evidence::Evidence;
use crate::question::{Question, Term, TermKind};
use crate::scan::Scanner;
use crate::similar::Similar;

/// A chunk, how well it answers, and what in it does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) chunk: usize,
    pub(crate) score: f64,
    pub(crate) evidence: Evidence,
}

/// What of a question is found in the chunks of a text.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    text: &'a str,
    chunks: &'a [Range<usize>],
    scanner: Scanner,
    idf: Vec<f64>,
    /// Every chunk by the counts of its terms, best first; ties in the order of the text. Among the
    /// first ones are not only such as have the same terms.
    scored: Vec<(usize, f64)>,
    /// How much of the question one of the best chunks has, from 0 to 1.
    coverage: f64,
}

impl<'a> Found<'a> {
    /// Scans `text`.
    pub(crate) fn of(
        text: &'a str,
        chunks: &'a [Range<usize>],
        question: &Question,
    ) -> Result<Self, Error> {
        let scanner = telling(text, chunks, question)?;
        let question = scanner.question();
        let counts = Counts::of(text, chunks, &scanner, question.terms().len());
        let idf = counts.inverse_frequencies(question);
        // Without terms there are no rows: every chunk tells nothing, and the first ones are the
        // best.
        let scores = counts.scores(&idf).chain(std::iter::repeat(0.0));
        let mut scored: Vec<(usize, f64)> = (0..chunks.len()).zip(scores).collect();
        scored.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        counts.put_some_of_each_first(&mut scored);
        let best = scored.iter().take(SURE).map(|(chunk, _)| *chunk);
        let coverage = best
            .map(|chunk| counts.coverage(question, chunk))
            .fold(0.0, f64::max);
        Ok(Self {
            text,
            chunks,
            idf,
            scored,
            coverage,
            scanner,
        })
    }

    /// Whether so much is found that what is similar tells nothing more.
    pub(crate) fn relied_on(&self) -> bool {
        Similar::share(self.coverage) <= 0.0
    }

    /// The best chunks, best first; ties in the order of the text. At least `most` where there are
    /// so many. What is `similar` to the question counts where its words are not found.
    pub(crate) fn ranked(mut self, most: usize, similar: Option<&Similar>) -> Vec<Ranked> {
        let candidates = most.max(CANDIDATES).min(self.scored.len());
        let others = self.scored.split_off(candidates);
        if let Some(similar) = similar {
            let best = similar.best(candidates);
            let others = others.into_iter();
            self.scored
                .extend(others.filter(|(chunk, _)| best.contains(chunk)));
        }
        let scored = self.scored.iter();
        let mut ranked: Vec<Ranked> = scored
            .filter_map(|(chunk, score)| {
                let range = self.chunks.get(*chunk)?.clone();
                let evidence = Evidence::of(self.text, range, &self.scanner, &self.idf);
                Some(Ranked {
                    chunk: *chunk,
                    score: score + evidence.value(),
                    evidence,
                })
            })
            .collect();
        if let Some(similar) = similar {
            similar.blend(&mut ranked, self.coverage);
        }
        ranked.sort_by(|one, other| {
            let by_score = other.score.total_cmp(&one.score);
            by_score.then(one.chunk.cmp(&other.chunk))
        });
        ranked
    }
}

/// The question without terms that are everywhere: they tell nothing of one chunk, and finding
/// each of them takes longest. Seen from chunks all over a long text.
fn telling(text: &str, chunks: &[Range<usize>], question: &Question) -> Result<Scanner, Error> {
    let scanner = Scanner::new(question.clone())?;
    let step = chunks.len() / SAMPLES;
    if step < LEAST_STEP {
        return Ok(scanner);
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
    match (0..with.len()).any(everywhere) {
        true => Scanner::new(question.without(everywhere)),
        false => Ok(scanner),
    }
}

/// How often each term is in each chunk, related forms counting less.
struct Counts {
    terms: usize,
    /// One row of `terms` for each chunk.
    counts: Vec<f32>,
}

impl Counts {
    fn of(text: &str, chunks: &[Range<usize>], scanner: &Scanner, terms: usize) -> Self {
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

    /// Puts so many first that get a closer look, of which a quarter at most have the same terms: a
    /// line that is everywhere leaves room for what is said once.
    fn put_some_of_each_first(&self, scored: &mut Vec<(usize, f64)>) {
        if scored.len() <= CANDIDATES {
            return;
        }
        let mut alike: BTreeMap<u64, usize> = BTreeMap::new();
        let (mut first, mut others) = (Vec::with_capacity(scored.len()), Vec::new());
        for (chunk, score) in scored.drain(..) {
            let row = self.counts.chunks_exact(self.terms.max(1)).nth(chunk);
            let has = |bits: u64, count: &f32| bits << 1 | u64::from(*count > 0.0);
            let terms = row.unwrap_or_default().iter().fold(0, has);
            let alike = alike.entry(terms).or_default();
            *alike += 1;
            match first.len() < CANDIDATES && *alike <= CANDIDATES / 4 {
                true => first.push((chunk, score)),
                false => others.push((chunk, score)),
            }
        }
        first.append(&mut others);
        *scored = first;
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

    /// How much of the question is found in the chunk, from 0 to 1: rare terms count no more than
    /// others, as a term that the text has nowhere would count most, but numbers and identifiers
    /// do, which nobody says in other words. Pairs that the text has nowhere are left out: they
    /// are of the grammar more often than of the matter.
    fn coverage(&self, question: &Question, chunk: usize) -> f64 {
        let mut known = vec![false; self.terms];
        for row in self.rows() {
            for (known, count) in known.iter_mut().zip(row) {
                *known |= *count > 0.0;
            }
        }
        let row = self.rows().nth(chunk).unwrap_or_default();
        let whole = |term: &Term| {
            let whole = term.whole.as_deref()?;
            let at = question
                .terms()
                .iter()
                .position(|term| term.text() == whole)?;
            row.get(at).copied()
        };
        let (mut found, mut all) = (0.0, 0.0);
        for ((term, known), count) in question.terms().iter().zip(known).zip(row) {
            let count = count.max(whole(term).unwrap_or_default());
            if known || !matches!(term.kind, TermKind::Pair(_)) {
                let weight = match term.has_digit() {
                    true => EXACT * term.weight,
                    false => term.weight,
                };
                found += f64::from(weight * count.min(1.0));
                all += f64::from(weight);
            }
        }
        if all > 0.0 { found / all } else { 0.0 }
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

/// Looking at a larger share of the chunks would cost more than it saves.
const LEAST_STEP: usize = 4;

/// Where one of so many best chunks has the words of the question, they are relied on.
const SURE: usize = 3;

/// What a term with a digit counts of a question, against another.
const EXACT: f32 = 4.0;

/// So many chunks get a closer look.
const CANDIDATES: usize = 40;
