//! Chunks: overlapping windows over a text, on grapheme boundaries.

use std::iter::FusedIterator;
use std::ops::Range;

use artifacts_core::Limit;

/// Grapheme clusters in a chunk; the last one may have fewer.
pub const CHUNK_GRAPHEMES: u64 = 2_000;

/// Grapheme clusters that a chunk shares with the next one.
pub const OVERLAP_GRAPHEMES: u64 = 250;

/// The chunks of a text: 2,000 grapheme clusters each, 1,750 further on each time (SPEC 7.1).
///
/// Any 251 clusters lie whole in one chunk, and the chunks without what they share rebuild the
/// text. An empty text has no chunk. One pass, in constant memory.
///
/// ```
/// use artifacts_search::Chunks;
///
/// let text = "x".repeat(3_750);
/// let chunks: Vec<_> = Chunks::of(&text).collect();
/// assert_eq!(chunks, [0..2_000, 1_750..3_750]);
/// ```
#[derive(Debug, Clone)]
pub struct Chunks<'a> {
    text: &'a str,
    /// Where the next chunk starts, and how far its start is known to be shared.
    next: Option<(usize, usize)>,
    step: Limit,
    overlap: Limit,
}

impl<'a> Chunks<'a> {
    /// The chunks of `text`.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let overlap = clusters(OVERLAP_GRAPHEMES);
        let shared = overlap.prefix(text).head().len();
        Self {
            text,
            next: (!text.is_empty()).then_some((0, shared)),
            step: clusters(CHUNK_GRAPHEMES - 2 * OVERLAP_GRAPHEMES),
            overlap,
        }
    }
}

/// The byte ranges of the chunks, in order.
impl Iterator for Chunks<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        // A chunk is what it shares with the one before, its middle, and what it shares with the
        // one after; so each cluster is counted once.
        let (start, shared) = self.next.take()?;
        let (_, rest) = self.text.split_at(shared);
        let middle = self.step.prefix(rest);
        let following = shared + middle.head().len();
        let end = following + self.overlap.prefix(middle.rest()).head().len();
        if end < self.text.len() {
            self.next = Some((following, end));
        }
        Some(start..end)
    }
}

impl FusedIterator for Chunks<'_> {}

/// A limit in clusters alone, however many bytes they have.
fn clusters(graphemes: u64) -> Limit {
    Limit::graphemes(graphemes)
        .and_then(|limit| limit.with_byte_ceiling(u64::MAX))
        .expect("because neither is 0")
}
