//! How much of the chosen passages is shown.

use std::ops::Range;

use artifacts_core::{Limit, Measure};

use super::Passage;
use crate::rank::Ranked;

/// How much may be shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) graphemes: u64,
    pub(super) bytes: u64,
}

impl Room {
    /// One of `count` equal shares.
    fn share(self, count: u64) -> Self {
        Self {
            graphemes: self.graphemes / count,
            bytes: self.bytes / count,
        }
    }

    fn without(self, text: &str) -> Self {
        Self {
            graphemes: self.graphemes.saturating_sub(Measure::of(text).graphemes()),
            bytes: self.bytes.saturating_sub(text.len() as u64),
        }
    }

    fn limit(self) -> Option<Limit> {
        let limit = Limit::graphemes(self.graphemes).ok()?;
        limit.with_byte_ceiling(self.bytes).ok()
    }
}

/// The passages within the room, in the order of the text. Each has its share of what the better
/// ones left; where a share would say too little, there are fewer.
pub(super) fn within<'a>(
    text: &'a str,
    chunks: &[Range<usize>],
    mut chosen: Vec<Ranked>,
    room: Room,
) -> Vec<Passage<'a>> {
    let least = room.graphemes.min(room.bytes);
    let most = usize::try_from(least / LEAST).unwrap_or(usize::MAX);
    chosen.truncate(most.max(usize::from(least > 0)));
    let mut left = room;
    let mut passages = Vec::new();
    let count = chosen.len() as u64;
    for (ranked, to_come) in chosen.into_iter().zip((1..=count).rev()) {
        let Some(chunk) = chunks.get(ranked.chunk) else {
            continue;
        };
        let bytes = narrowed(
            text,
            chunk.clone(),
            ranked.evidence.bytes(),
            left.share(to_come),
        );
        let text = text.get(bytes.clone()).unwrap_or_default();
        left = left.without(text);
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

/// As much of `chunk` as there is room for, with what answers in its midst.
fn narrowed(text: &str, chunk: Range<usize>, evidence: Range<usize>, room: Room) -> Range<usize> {
    let content = text.get(chunk.clone()).unwrap_or_default();
    let Some(limit) = room.limit() else {
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
    // As many as the bytes are enough for, if all are as long as they are on average.
    let length = (content.len() as u64).max(1);
    let enough = room.bytes.min(length).saturating_mul(total) / length;
    let graphemes = room.graphemes.min(enough);
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
    let whole = limit.prefix(rest).head().len();
    // One cluster larger than the room: divided between two scalars.
    let most = usize::try_from(room.bytes)
        .unwrap_or(usize::MAX)
        .min(rest.len());
    let divided = || (0..=most).rev().find(|at| rest.is_char_boundary(*at));
    let shown = match whole {
        0 if room.bytes >= LEAST => divided().unwrap_or_default(),
        whole => whole,
    };
    start..start + shown
}

/// A passage of fewer clusters says too little.
const LEAST: u64 = 200;
