//! The counter: clusters, scalars and line feeds of a text that arrives piece by piece.

use super::automaton::State;
use super::class::class_at;
use super::screen::{BLOCK, Window, tally, tally_ascii};

/// Counts, and what of the text so far decides where the next cluster begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counter {
    /// The state after the text so far.
    pub(crate) state: State,
    /// Clusters that began.
    pub(crate) graphemes: u64,
    /// Scalars.
    pub(crate) scalars: u64,
    /// Line feeds.
    pub(crate) newlines: u64,
}

impl Default for Counter {
    fn default() -> Self {
        Self::after(State::START)
    }
}

impl Counter {
    /// Counts from zero a text that follows one that ended in `state`.
    pub(crate) fn after(state: State) -> Self {
        Self {
            state,
            graphemes: 0,
            scalars: 0,
            newlines: 0,
        }
    }

    /// Counts the next piece of the text.
    pub(crate) fn update(&mut self, text: &str) {
        let counted = self.count_blocks(text, u64::MAX);
        let rest = text.as_bytes().get(counted..).unwrap_or_default();
        self.scalars = self.scalars.wrapping_add(leads(rest));
        self.newlines = self.newlines.wrapping_add(newlines(rest));
        self.walk(text.as_bytes(), counted, text.len());
    }

    /// Counts whole clusters of the next piece of the text until there are `graphemes`; the byte
    /// where the next one begins, or the length of the text.
    pub(crate) fn advance(&mut self, text: &str, graphemes: u64) -> usize {
        let counted = self.count_blocks(text, graphemes);
        let mut at = counted;
        while at < text.len() {
            let (class, length) = class_at(text.as_bytes(), at);
            let (state, begins) = self.state.step(class);
            if self.graphemes.wrapping_add(begins) > graphemes {
                break;
            }
            self.graphemes = self.graphemes.wrapping_add(begins);
            self.state = state;
            at = at.saturating_add(length);
        }
        let rest = text.as_bytes().get(counted..at).unwrap_or_default();
        self.scalars = self.scalars.wrapping_add(leads(rest));
        self.newlines = self.newlines.wrapping_add(newlines(rest));
        at
    }

    fn count_blocks(&mut self, text: &str, most: u64) -> usize {
        if text.len() < BLOCK.saturating_mul(4) {
            return 0;
        }
        self.blocks_with_vectors(text, most)
    }

    /// As [`blocks`](Self::blocks), compiled for each vector extension the machine may have.
    #[cfg(feature = "std")]
    fn blocks_with_vectors(&mut self, text: &str, most: u64) -> usize {
        let level = fearless_simd::Level::new();
        fearless_simd::dispatch!(level, simd => {
            fearless_simd::Simd::vectorize(simd, #[inline(always)] || self.blocks(text, most))
        })
    }

    #[cfg(not(feature = "std"))]
    fn blocks_with_vectors(&mut self, text: &str, most: u64) -> usize {
        self.blocks(text, most)
    }

    /// Counts blocks from the start of `text`, not beyond `most` clusters; how many bytes it
    /// counted, up to a scalar boundary.
    #[inline(always)]
    fn blocks(&mut self, text: &str, most: u64) -> usize {
        let bytes = text.as_bytes();
        // The first scalar goes first, so that every block has a byte before it.
        let Some(least) = most.checked_sub(1) else {
            return 0;
        };
        let first = self.walk(bytes, 0, 1);
        self.scalars = self.scalars.wrapping_add(1);
        self.newlines = self
            .newlines
            .wrapping_add(u64::from(bytes.first() == Some(&b'\n')));
        let mut at = first;
        // Behind a block that passed the screen the state is left open: the last scalar tells it.
        let mut known = true;
        while let Some(window) = window(bytes, at) {
            if self.graphemes.saturating_add(BLOCK as u64) > least {
                break;
            }
            let tally = tally_ascii(window).unwrap_or_else(|| tally(window));
            self.scalars = self.scalars.wrapping_add(u64::from(tally.scalars));
            self.newlines = self.newlines.wrapping_add(u64::from(tally.newlines));
            let next = at.wrapping_add(BLOCK);
            if tally.flagged {
                let start = scalar_start(bytes, at);
                if !known {
                    self.state = state_before(bytes, start);
                }
                self.walk(bytes, start, next);
                known = true;
            } else {
                let begun = tally.scalars.wrapping_sub(tally.pairs);
                self.graphemes = self.graphemes.wrapping_add(u64::from(begun));
                if known && self.state.is_open() {
                    let (class, _) = class_at(bytes, scalar_start(bytes, at));
                    let begins = self.state.step(class).1;
                    self.graphemes = self.graphemes.wrapping_sub(1).wrapping_add(begins);
                }
                known = false;
            }
            at = next;
        }
        let end = scalar_start(bytes, at);
        if !known {
            self.state = state_before(bytes, end);
        }
        end
    }

    /// Counts the clusters that begin from `at`, a scalar boundary, up to the last scalar that
    /// begins before `limit`; the boundary after that.
    #[inline(always)]
    fn walk(&mut self, bytes: &[u8], mut at: usize, limit: usize) -> usize {
        let (mut state, mut graphemes) = (self.state, 0_u64);
        while at < limit {
            if let Some(word) = ascii_word(bytes, at, limit) {
                let [first, .., last] = word;
                let begins = state.step(ascii_class(first)).1;
                graphemes = graphemes.wrapping_add(begins).wrapping_add(7);
                state = State::after_first(ascii_class(last));
                at = at.wrapping_add(word.len());
                continue;
            }
            let (class, length) = class_at(bytes, at);
            let (next, begins) = state.step(class);
            state = next;
            graphemes = graphemes.wrapping_add(begins);
            at = at.wrapping_add(length);
        }
        self.state = state;
        self.graphemes = self.graphemes.wrapping_add(graphemes);
        at
    }
}

/// The window of the block at `at`, if the text goes on long enough behind it.
#[inline(always)]
fn window(bytes: &[u8], at: usize) -> Option<&Window> {
    bytes.get(at.wrapping_sub(1)..)?.first_chunk()
}

/// The first scalar boundary at or after `at`.
#[inline(always)]
fn scalar_start(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| byte.cast_signed() < -64) {
        at = at.wrapping_add(1);
    }
    at
}

/// The state after the scalar that ends at `end`, if it is the first of its cluster.
#[inline(always)]
fn state_before(bytes: &[u8], end: usize) -> State {
    let mut start = end.wrapping_sub(1);
    while bytes
        .get(start)
        .is_some_and(|byte| byte.cast_signed() < -64)
    {
        start = start.wrapping_sub(1);
    }
    State::after_first(class_at(bytes, start).0)
}

/// The next eight bytes below `limit`, if they are ASCII without a carriage return.
#[inline(always)]
fn ascii_word(bytes: &[u8], at: usize, limit: usize) -> Option<[u8; 8]> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let word = *bytes.get(at..limit)?.first_chunk::<8>()?;
    let value = u64::from_ne_bytes(word);
    let returns = (value ^ u64::from_ne_bytes([b'\r'; 8])).wrapping_sub(ONES);
    ((value | returns) & HIGH == 0).then_some(word)
}

/// The class of an ASCII byte.
#[inline(always)]
fn ascii_class(byte: u8) -> u8 {
    class_at(&[byte], 0).0
}

/// How many scalars begin in `bytes`.
fn leads(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .filter(|byte| byte.cast_signed() >= -64)
        .count() as u64
}

/// How many line feeds `bytes` has.
fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use unicode_segmentation::UnicodeSegmentation as _;

    use super::*;

    fn representatives() -> Vec<char> {
        let mut seen = [0_u32; 18];
        ('\0'..=char::MAX)
            .filter(|c| {
                let count = &mut seen[usize::from(super::super::class::class_of(u32::from(*c)))];
                *count = count.saturating_add(1);
                *count <= 2
            })
            .collect()
    }

    #[track_caller]
    fn check(text: &str) {
        let mut counter = Counter::default();
        counter.update(text);
        assert_eq!(
            counter.graphemes,
            text.graphemes(true).count() as u64,
            "{text:?}"
        );
        assert_eq!(counter.scalars, text.chars().count() as u64, "{text:?}");
        assert_eq!(
            counter.newlines,
            text.matches('\n').count() as u64,
            "{text:?}"
        );
    }

    #[test]
    fn every_pair_and_triple_of_classes_counts_as_in_unicode_segmentation() {
        let all = representatives();
        for a in &all {
            for b in &all {
                for c in &all {
                    check(&String::from_iter([a, b, c]));
                }
            }
        }
    }

    #[test]
    fn blocks_count_as_scalars_do_wherever_they_begin() {
        let all = representatives();
        for a in &all {
            for b in &all {
                for filler in ['x', 'é', '字', '\u{301}', '🎉', '\n'] {
                    for offset in (0..4).chain(56..66).chain([120, 126, 127, 128]) {
                        let mut text: String = core::iter::repeat_n(filler, offset).collect();
                        text.extend([a, b, a]);
                        text.extend(core::iter::repeat_n(filler, 260));
                        check(&text);
                    }
                }
            }
        }
    }
}
