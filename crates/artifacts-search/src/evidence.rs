//! What in a chunk answers a question: the stretch where its terms stand closest together.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use crate::scan::{Hit, Scanner};

/// The best stretch of a chunk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Evidence {
    /// Where it is, in bytes of the text.
    bytes: Range<usize>,
    value: f64,
    /// A hash of its last line with numbers left out.
    shape: u64,
}

impl Evidence {
    /// Looks for the best stretch of `chunk`, a range of `text`.
    pub(crate) fn of(text: &str, chunk: Range<usize>, scanner: &Scanner, idf: &[f64]) -> Self {
        let content = text.get(chunk.clone()).unwrap_or_default();
        let mut hits = scanner.hits(content);
        hits.sort_by_key(|hit| (hit.start, hit.end, hit.term));
        let (stretch, close) = closest(&hits, idf);
        let line = line_at(text, chunk.start + stretch.end);
        let value = CLOSENESS * close
            + ORDER * in_order(&hits, idf)
            + HEADING * heading(text, chunk.start, &hits, scanner, idf);
        Self {
            bytes: chunk.start + stretch.start..chunk.start + stretch.end,
            value,
            shape: shape(line),
        }
    }

    pub(crate) fn bytes(&self) -> Range<usize> {
        self.bytes.clone()
    }

    /// What it adds to the score of the chunk.
    pub(crate) fn value(&self) -> f64 {
        self.value
    }

    /// The same for lines that differ in numbers alone.
    pub(crate) fn shape(&self) -> u64 {
        self.shape
    }
}

/// The stretch of at most `REACH` bytes whose distinct terms tell most, and how much they tell.
fn closest(hits: &[Hit], idf: &[f64]) -> (Range<usize>, f64) {
    let mut best = (0..0, 0.0);
    let mut held = vec![0_u32; idf.len()];
    let mut value = 0.0;
    let mut oldest = hits.iter();
    for hit in hits {
        let tells = idf.get(hit.term).copied().unwrap_or_default();
        if let Some(held) = held.get_mut(hit.term) {
            value += if *held == 0 { tells } else { 0.0 };
            *held += 1;
        }
        let mut start = hit.start;
        while let Some(old) = oldest.as_slice().first() {
            if old.start + REACH >= hit.end {
                start = old.start;
                break;
            }
            if let Some(held) = held.get_mut(old.term) {
                *held = held.saturating_sub(1);
                value -= match *held {
                    0 => idf.get(old.term).copied().unwrap_or_default(),
                    _ => 0.0,
                };
            }
            oldest.next();
        }
        if value > best.1 + 1e-9 {
            best = (start..hit.end, value);
        }
    }
    best
}

/// How much the terms tell that follow each other as they do in the question.
fn in_order(hits: &[Hit], idf: &[f64]) -> f64 {
    let mut seen = vec![false; idf.len()];
    for (index, hit) in hits.iter().enumerate() {
        let following = hits.iter().skip(index + 1);
        let near = following.take_while(|next| next.start <= hit.end + NEXT);
        for next in near {
            if next.term == hit.term + 1
                && next.start >= hit.end
                && let Some(seen) = seen.get_mut(next.term)
            {
                *seen = true;
            }
        }
    }
    let tells = seen.iter().zip(idf).filter(|(seen, _)| **seen);
    tells.map(|(_, idf)| idf).sum()
}

/// How much the heading above the chunk tells of terms that the chunk does not have.
fn heading(text: &str, start: usize, hits: &[Hit], scanner: &Scanner, idf: &[f64]) -> f64 {
    let (before, _) = text.split_at(start);
    let reach = before.len().saturating_sub(HEADING_REACH);
    let reach = (reach..before.len()).find(|at| before.is_char_boundary(*at));
    let (_, before) = before.split_at(reach.unwrap_or(before.len()));
    let mut lines = before
        .lines()
        .rev()
        .skip(usize::from(!before.ends_with('\n')));
    let Some(heading) = lines.find(|line| line.starts_with('#')) else {
        return 0.0;
    };
    let mut seen: Vec<usize> = hits.iter().map(|hit| hit.term).collect();
    let mut tells = 0.0;
    for hit in scanner.hits(heading) {
        if !seen.contains(&hit.term) {
            seen.push(hit.term);
            tells += idf.get(hit.term).copied().unwrap_or_default();
        }
    }
    tells
}

/// The line around `at`, also where a chunk begins or ends in it; of a long one what is near.
fn line_at(text: &str, at: usize) -> &str {
    let (before, after) = text.split_at(at);
    let mut start = at.saturating_sub(LINE_REACH);
    let mut end = (at + LINE_REACH).min(text.len());
    while !text.is_char_boundary(start) {
        start += 1;
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = before.get(start..).unwrap_or_default();
    let after = after.get(..end - at).unwrap_or_default();
    let start = before
        .rfind('\n')
        .map_or(start, |newline| start + newline + 1);
    let end = after.find('\n').map_or(end, |newline| at + newline);
    text.get(start..end).unwrap_or_default()
}

/// A hash of the letters of a line: what differs in numbers, ids and times alone is the same.
fn shape(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for word in line.split(|c: char| !c.is_alphanumeric()) {
        let is_number = word.chars().any(|c| c.is_ascii_digit());
        if !is_number && !word.is_empty() {
            word.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Terms within so many bytes stand close together.
const REACH: usize = 320;

/// A term follows another within so many bytes.
const NEXT: usize = 24;

/// A heading is looked for so many bytes back.
const HEADING_REACH: usize = 16_000;

/// A line is looked at so many bytes before and behind a place.
const LINE_REACH: usize = 1_000;

/// What closeness, order and headings count beside the counts of the terms.
const CLOSENESS: f64 = 0.6;
const ORDER: f64 = 0.25;
const HEADING: f64 = 1.0;
