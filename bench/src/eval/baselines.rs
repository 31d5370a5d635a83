//! What `expand` is held against: BM25 over whitespace words, grep, head and tail.

use std::collections::BTreeMap;

use artifacts_core::{Limit, Shape};
use artifacts_search::Chunks;

/// The best chunks by BM25 over lower-case words between spaces, in the order of their score.
pub(crate) fn whitespace_bm25(
    text: &str,
    question: &str,
    passages: usize,
    budget: usize,
) -> Vec<String> {
    let chunks: Vec<&str> = Chunks::of(text)
        .filter_map(|range| text.get(range))
        .collect();
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_lowercase).collect() };
    let asked = words(question);
    let counts: Vec<BTreeMap<String, f64>> = chunks
        .iter()
        .map(|chunk| {
            let mut counts = BTreeMap::new();
            for word in words(chunk) {
                *counts.entry(word).or_default() += 1.0;
            }
            counts
        })
        .collect();
    let documents = counts.len() as f64;
    let idf: BTreeMap<&String, f64> = asked
        .iter()
        .map(|word| {
            let with = counts
                .iter()
                .filter(|counts| counts.contains_key(word))
                .count() as f64;
            (word, ((documents - with + 0.5) / (with + 0.5)).ln_1p())
        })
        .collect();
    let mut scored: Vec<(usize, f64)> = counts
        .iter()
        .map(|counts| {
            let value = |(word, idf): (&&String, &f64)| {
                let count = counts.get(*word).copied().unwrap_or_default();
                idf * count * 2.2 / (count + 1.2)
            };
            idf.iter().map(value).sum()
        })
        .enumerate()
        .collect();
    scored.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let best = scored.into_iter().take(passages);
    within(
        best.filter_map(|(index, _)| chunks.get(index).copied()),
        budget,
    )
}

/// The chunks around the first lines with the question's rarest word.
pub(crate) fn grep(text: &str, question: &str, passages: usize, budget: usize) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = question
        .split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase);
    let rarest = words
        .filter(|word| !word.is_empty())
        .map(|word| (lower.matches(&word).count(), word))
        .filter(|(count, _)| *count > 0)
        .min();
    let Some((_, rarest)) = rarest else {
        return Vec::new();
    };
    let chunks = Chunks::of(text).filter_map(|range| text.get(range));
    let with = chunks.filter(|chunk| chunk.to_lowercase().contains(&rarest));
    within(with.take(passages), budget)
}

/// Three quarters of the budget from the start, one from the end.
pub(crate) fn head_and_tail(
    text: &str,
    _question: &str,
    passages: usize,
    budget: usize,
) -> Vec<String> {
    let budget = budget.min(passages * 2_000) as u64;
    let Ok(limit) = Limit::graphemes(budget.max(1)) else {
        return Vec::new();
    };
    let cut = Shape::new(limit).cut(text);
    vec![cut.head().to_owned(), cut.tail().to_owned()]
}

/// The passages while they fit; what does not fit is cut at its end.
fn within<'a>(passages: impl Iterator<Item = &'a str>, budget: usize) -> Vec<String> {
    let mut left = budget as u64;
    let mut shown = Vec::new();
    for passage in passages {
        let Ok(limit) = Limit::graphemes(left) else {
            break;
        };
        let prefix = limit.prefix(passage);
        left -= prefix.graphemes();
        shown.push(prefix.head().to_owned());
    }
    shown
}
