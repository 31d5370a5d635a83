//! The counter: clusters, scalars and line feeds of a text that arrives piece by piece.

use super::automaton::State;
use super::class::{ascii_class, class_at, class_of_four, class_of_three, class_of_two};
use super::screen::{BLOCK, Tally, WIDE, Window, flagged, tally, tally_ascii};

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
        self.advance(text, u64::MAX);
    }

    /// Counts the scalars and line feeds of a piece whose clusters are counted elsewhere.
    pub(crate) fn skip(&mut self, text: &str) {
        self.scalars = self.scalars.wrapping_add(leads(text.as_bytes()));
        self.newlines = self.newlines.wrapping_add(newlines(text.as_bytes()));
    }

    /// Counts whole clusters of the next piece of the text until there are `graphemes`; the byte
    /// where the next one begins, or the length of the text.
    pub(crate) fn advance(&mut self, text: &str, graphemes: u64) -> usize {
        let bytes = text.as_bytes();
        let counted = self.count_blocks(text, graphemes);
        let mut at = counted;
        while at < bytes.len() {
            let limit = at.saturating_add(BLOCK).min(bytes.len());
            // ASCII is walked as fast, eight bytes at a time.
            let ascii = bytes.get(at..limit).is_some_and(<[u8]>::is_ascii);
            let passed = match ascii {
                true => None,
                false => self.pass_block(bytes, at, graphemes),
            };
            let end = passed.unwrap_or_else(|| self.walk(bytes, at, limit, graphemes));
            at = end;
            if end < limit {
                break;
            }
        }
        let rest = bytes.get(counted..at).unwrap_or_default();
        self.scalars = self.scalars.wrapping_add(leads(rest));
        self.newlines = self.newlines.wrapping_add(newlines(rest));
        at
    }

    /// Counts the clusters of the block at `at`, a scalar boundary, or of what the text still has,
    /// until there are `most`; where the next one begins. `None`, with nothing counted, at the
    /// start of the text or if a scalar of the block may join another.
    fn pass_block(&mut self, bytes: &[u8], at: usize, most: u64) -> Option<usize> {
        let (window, length) = last_window(bytes, at)?;
        let found = tally(&window);
        if self.state.is_open() || flagged(&window, found.largest) {
            return None;
        }
        let filled = BLOCK.wrapping_sub(length) as u64;
        let clusters = found.clusters().wrapping_sub(filled);
        let clusters_left = most.saturating_sub(self.graphemes);
        let end = match clusters <= clusters_left {
            true => at.wrapping_add(length),
            false => at.wrapping_add(clusters_end(&window, clusters_left)),
        };
        self.graphemes = self.graphemes.wrapping_add(clusters.min(clusters_left));
        let end = scalar_start(bytes, end);
        if end > at {
            self.state = state_before(bytes, end);
        }
        Some(end)
    }

    fn count_blocks(&mut self, text: &str, most: u64) -> usize {
        if text.len() < WIDE.saturating_mul(2) {
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
        let first = self.walk(bytes, 0, 1, u64::MAX);
        self.scalars = self.scalars.wrapping_add(1);
        self.newlines = self
            .newlines
            .wrapping_add(u64::from(bytes.first() == Some(&b'\n')));
        let mut at = first;
        // Behind a block that passed the screen the state is left open: the last scalar tells it.
        let mut known = true;
        // Where blocks are dense with what joins, looking for it does not pay.
        let mut streak = 0_u32;
        let mut ascii = true;
        'text: loop {
            if streak == 0
                && self.graphemes.saturating_add(WIDE as u64) <= least
                && let Some(wide) = window_before(bytes, at)
            {
                let found = if ascii { tally_ascii(wide) } else { None };
                let found = found.unwrap_or_else(|| tally(wide));
                ascii = found.largest.is_ascii();
                if ascii || !flagged(wide, found.largest) {
                    self.add(found);
                    self.add_clusters(found, bytes, at, known);
                    known = false;
                    at = at.wrapping_add(WIDE);
                    continue;
                }
            }
            // At least as many blocks as a wide one has, then until one passes.
            for _ in 0..WIDE / BLOCK {
                if self.graphemes.saturating_add(BLOCK as u64) > least {
                    break 'text;
                }
                let Some(window) = window_before(bytes, at) else {
                    break 'text;
                };
                let found = tally(window);
                self.add(found);
                let dense = streak >= DENSE && !found.largest.is_ascii();
                if dense || flagged(window, found.largest) {
                    let start = scalar_start(bytes, at);
                    if !known {
                        self.state = state_before(bytes, start);
                    }
                    self.walk_block(window, start.wrapping_sub(at));
                    known = true;
                    streak = streak.wrapping_add(1) % (DENSE * 8);
                } else {
                    self.add_clusters(found, bytes, at, known);
                    known = false;
                    streak = 0;
                }
                at = at.wrapping_add(BLOCK);
            }
        }
        let end = scalar_start(bytes, at);
        if !known {
            self.state = state_before(bytes, end);
        }
        end
    }

    /// Adds what a block has, but for its clusters.
    #[inline(always)]
    fn add(&mut self, tally: Tally) {
        self.scalars = self.scalars.wrapping_add(u64::from(tally.scalars));
        self.newlines = self.newlines.wrapping_add(u64::from(tally.newlines));
    }

    /// Adds the clusters of a block at `at` that passed the screen. The first scalar may still
    /// join what is before it.
    #[inline(always)]
    fn add_clusters(&mut self, tally: Tally, bytes: &[u8], at: usize, known: bool) {
        self.graphemes = self.graphemes.wrapping_add(tally.clusters());
        if known && self.state.is_open() {
            let (class, _) = class_at(bytes, scalar_start(bytes, at));
            let begins = self.state.step(class).1;
            self.graphemes = self.graphemes.wrapping_sub(1).wrapping_add(begins);
        }
    }

    /// Counts the clusters that begin in a block, from `start` in it; leaves the state after the
    /// last scalar that begins in it.
    #[inline(always)]
    fn walk_block(&mut self, window: &Window, start: usize) {
        let (mut state, mut graphemes, mut at) = (self.state, 0_u64, start);
        // One arm for each length of a scalar, so that a run of one length is a tight loop.
        while at < BLOCK {
            let word = word_at(window, at);
            let begins;
            match word & 0xFF {
                0xE0..0xF0 => {
                    (state, begins) = state.step(class_of_three(word));
                    at = at.wrapping_add(3);
                }
                0xC0..0xE0 => {
                    (state, begins) = state.step(class_of_two(word));
                    at = at.wrapping_add(2);
                }
                0xF0.. => {
                    (state, begins) = state.step(class_of_four(word));
                    at = at.wrapping_add(4);
                }
                _ => {
                    let run = ascii_run(window, at);
                    let (first, after) = state.step(ascii_class(word));
                    // All but the first begin a cluster, whatever they are.
                    begins = after.wrapping_add(run as u64).wrapping_sub(1);
                    at = at.wrapping_add(run);
                    state = match run {
                        1 => first,
                        _ => State::after_first(ascii_class(word_at(window, at.wrapping_sub(1)))),
                    };
                }
            }
            graphemes = graphemes.wrapping_add(begins);
        }
        self.state = state;
        self.graphemes = self.graphemes.wrapping_add(graphemes);
    }

    /// Counts the clusters that begin from `at`, a scalar boundary, up to the last scalar that
    /// begins before `limit`, or until there are `most`; the boundary after that.
    #[inline(always)]
    fn walk(&mut self, bytes: &[u8], mut at: usize, limit: usize, most: u64) -> usize {
        while at < limit {
            if let Some([first, .., last]) = ascii_word(bytes, at, limit)
                && self.graphemes.saturating_add(8) <= most
            {
                // All but the first begin a cluster, whatever they are.
                let begins = self.state.step(ascii_class(u32::from(first))).1;
                self.graphemes = self.graphemes.wrapping_add(begins).wrapping_add(7);
                self.state = State::after_first(ascii_class(u32::from(last)));
                at = at.wrapping_add(8);
                continue;
            }
            let (class, length) = class_at(bytes, at);
            let (state, begins) = self.state.step(class);
            if self.graphemes.wrapping_add(begins) > most {
                break;
            }
            self.graphemes = self.graphemes.wrapping_add(begins);
            self.state = state;
            at = at.wrapping_add(length);
        }
        at
    }
}

/// The eight bytes from `at`, before `limit`, if they are ASCII without a carriage return.
#[inline(always)]
fn ascii_word(bytes: &[u8], at: usize, limit: usize) -> Option<[u8; 8]> {
    let word: [u8; 8] = *bytes.get(at..limit)?.first_chunk()?;
    let value = u64::from_le_bytes(word);
    let returns = (value ^ RETURNS).wrapping_sub(ONES) & HIGH;
    (value & HIGH == 0 && returns == 0).then_some(word)
}

/// The byte before `at` and the bytes from there, if the text goes on long enough.
#[inline(always)]
fn window_before<const LENGTH: usize>(bytes: &[u8], at: usize) -> Option<&[u8; LENGTH]> {
    bytes.get(at.wrapping_sub(1)..)?.first_chunk()
}

/// The byte before `at` and the bytes from there, with zeros for what the text does not have; how
/// many bytes of the block the text has. `None` at the start: what was before is in the state alone.
fn last_window(bytes: &[u8], at: usize) -> Option<(Window, usize)> {
    let mut window = [0; BLOCK + 4];
    let text = bytes.get(at.checked_sub(1)?..)?;
    let length = window.len().min(text.len());
    let (filled, _) = window.split_at_mut(length);
    filled.copy_from_slice(text.split_at(length).0);
    Some((window, length.saturating_sub(1).min(BLOCK)))
}

/// Where in a block that passed the screen the cluster after `clusters` begins.
fn clusters_end(window: &Window, clusters: u64) -> usize {
    let mut left = clusters;
    let pairs = window.iter().zip(window.iter().skip(1)).take(BLOCK);
    for (at, (before, byte)) in pairs.enumerate() {
        if byte.cast_signed() >= -64 && (*before, *byte) != (b'\r', b'\n') {
            match left.checked_sub(1) {
                Some(less) => left = less,
                None => return at,
            }
        }
    }
    BLOCK
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

/// How many bytes from `at` of a block are ASCII, of the next eight; 1 where one of these is a
/// carriage return. The byte at `at` is ASCII.
#[inline(always)]
fn ascii_run(window: &Window, at: usize) -> usize {
    let Some(word) = window
        .get(at.wrapping_add(1)..)
        .and_then(<[u8]>::first_chunk)
    else {
        return 1;
    };
    let value = u64::from_le_bytes(*word);
    let run = ((value & HIGH).trailing_zeros() / 8) as usize;
    let returns = (value ^ RETURNS).wrapping_sub(ONES) & HIGH & !value;
    match returns {
        0 => run.min(BLOCK.wrapping_sub(at)),
        _ => 1,
    }
}

/// The byte at `at` of a block and the three after it, the first lowest.
#[inline(always)]
#[expect(
    clippy::indexing_slicing,
    reason = "the indices are below the length of the array"
)]
fn word_at(window: &Window, at: usize) -> u32 {
    let at = at % BLOCK;
    u32::from_le_bytes([
        window[at.wrapping_add(1)],
        window[at.wrapping_add(2)],
        window[at.wrapping_add(3)],
        window[at.wrapping_add(4)],
    ])
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

/// A word of ones, of highest bits and of carriage returns, one for each byte.
const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
const RETURNS: u64 = u64::from_le_bytes([b'\r'; 8]);

/// So many flagged blocks in a row make a text dense.
const DENSE: u32 = 2;

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
    #[test]
    fn advancing_stops_where_the_nth_cluster_of_unicode_segmentation_ends() {
        let fillers = ["x", "é", "字", "e\u{301}", "🎉", "\r\n", "🇩🇪", "\n"];
        for (one, other) in fillers.iter().flat_map(|a| fillers.map(|b| (a, b))) {
            let text = [one.repeat(70), other.repeat(150), one.repeat(40)].concat();
            let ends = text.grapheme_indices(true).map(|(at, _)| at).skip(1);
            for (count, end) in (1..).zip(ends.chain([text.len()])) {
                let mut counter = Counter::default();
                assert_eq!(
                    counter.advance(&text, count),
                    end,
                    "{one:?} {other:?} {count}"
                );
                assert_eq!(counter.graphemes, count);
                let (head, rest) = text.split_at(end);
                assert_eq!(counter.scalars, head.chars().count() as u64);
                counter.update(rest);
                assert_eq!(counter.graphemes, text.graphemes(true).count() as u64);
            }
        }
    }
    #[test]
    fn a_pair_of_carriage_return_and_line_feed_may_be_split_between_pieces() {
        let mut counter = Counter::default();
        for piece in ["é\r", "\né", "\r", "\n"] {
            counter.update(piece);
        }
        assert_eq!(counter.graphemes, 4);
    }
}
