//! The counter: clusters, scalars and line feeds of a text that arrives piece by piece.

#[cfg(feature = "std")]
use fearless_simd::{Level, Simd};

use super::automaton::State;
use super::class::{class_at, joins};
#[cfg(feature = "std")]
use super::joints::{Joints, joints};
use super::screen::{BEFORE, BLOCK, SmallWindow, WIDE, WideWindow, Window, tally, tally_ascii};
use super::walk::{scalar_before, scalar_start, states, walk, walk_block};

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
        if self.state.is_open() {
            return None;
        }
        let filled = BLOCK.wrapping_sub(length) as u64;
        let clusters = tally(&window)?.clusters().wrapping_sub(filled);
        let clusters_left = most.saturating_sub(self.graphemes);
        let end = match clusters <= clusters_left {
            true => at.wrapping_add(length),
            false => at.wrapping_add(clusters_end(&window, clusters_left)),
        };
        self.graphemes = self.graphemes.wrapping_add(clusters.min(clusters_left));
        let end = scalar_start(bytes, end);
        if end > at {
            let last = class_at(bytes, scalar_before(bytes, end)).0;
            self.state = State::after_first(last);
        }
        Some(end)
    }

    /// Counts blocks from the start of `text`, not beyond `most` clusters; how many bytes it
    /// counted, up to a scalar boundary.
    fn count_blocks(&mut self, text: &str, most: u64) -> usize {
        if text.len() < BLOCK.saturating_mul(2) {
            return 0;
        }
        self.blocks_with_vectors(text.as_bytes(), most)
    }

    #[cfg(feature = "std")]
    fn blocks_with_vectors(&mut self, bytes: &[u8], most: u64) -> usize {
        match Level::new() {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(simd) => self.vector_blocks(simd, bytes, most),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(simd) => self.vector_blocks(simd, bytes, most),
            _ => self.scalar_blocks(bytes, most),
        }
    }

    #[cfg(not(feature = "std"))]
    fn blocks_with_vectors(&mut self, bytes: &[u8], most: u64) -> usize {
        self.scalar_blocks(bytes, most)
    }

    #[cfg(feature = "std")]
    #[inline(always)]
    fn vector_blocks<S: Simd>(&mut self, simd: S, bytes: &[u8], most: u64) -> usize {
        simd.vectorize(
            #[inline(always)]
            || {
                self.blocks(
                    bytes,
                    most,
                    #[inline(always)]
                    |counter, window, at, known| {
                        counter.add_block(joints(simd, window), bytes, window, at, known)
                    },
                )
            },
        )
    }

    /// Without vectors, what is not ASCII goes through the automaton.
    fn scalar_blocks(&mut self, bytes: &[u8], most: u64) -> usize {
        self.blocks(bytes, most, |counter, window, at, known| {
            let block = window.get(BEFORE..BEFORE + BLOCK).unwrap_or_default();
            counter.scalars = counter.scalars.wrapping_add(leads(block));
            counter.newlines = counter.newlines.wrapping_add(newlines(block));
            *known = counter.walk_dense(bytes, window, at, *known);
        })
    }

    /// Counts blocks with `block`, which gets the window of one, its place, and the last place
    /// where the state is known.
    #[inline(always)]
    fn blocks(
        &mut self,
        bytes: &[u8],
        most: u64,
        mut block: impl FnMut(&mut Self, &Window, usize, &mut usize),
    ) -> usize {
        let Some(least) = most.checked_sub(FIRST) else {
            return 0;
        };
        // So many bytes go first that every block has a window.
        let first = self.walk(bytes, 0, BEFORE, u64::MAX);
        let before = bytes.get(..first).unwrap_or_default();
        self.scalars = self.scalars.wrapping_add(leads(before));
        self.newlines = self.newlines.wrapping_add(newlines(before));
        // `self.state` is the state there; behind it the bytes tell it.
        let mut known = first;
        let mut at = first;
        let mut ascii = true;
        // Where a wide block had something that joins, so many blocks go one by one.
        let (mut singly, mut patience) = (0_u32, 1_u32);
        while self.graphemes.saturating_add(BLOCK as u64) <= least {
            if singly == 0 && self.graphemes.saturating_add(WIDE as u64) <= least {
                let wide = wide_window(bytes, at);
                let tallied = if ascii {
                    wide.and_then(tally_ascii)
                } else {
                    None
                };
                if let Some(tally) = tallied.or_else(|| wide.and_then(tally)) {
                    self.graphemes = self.graphemes.wrapping_add(tally.clusters());
                    self.scalars = self.scalars.wrapping_add(u64::from(tally.scalars));
                    self.newlines = self.newlines.wrapping_add(u64::from(tally.newlines));
                    self.join_first(bytes, at, known);
                    at = at.wrapping_add(WIDE);
                    ascii = tally.ascii;
                    patience = 1;
                    continue;
                }
                singly = patience.saturating_mul((WIDE / BLOCK) as u32);
                patience = patience.saturating_mul(2).min(MOST_PATIENCE);
            }
            singly = singly.saturating_sub(1);
            let Some(window) = window(bytes, at) else {
                break;
            };
            block(self, window, at, &mut known);
            at = at.wrapping_add(BLOCK);
        }
        let end = scalar_start(bytes, at);
        self.state = self.state_at(bytes, end, known);
        end
    }

    /// Takes back the cluster at the start of a block that was counted from its bytes, where the
    /// automaton says that it does not begin there.
    #[inline(always)]
    fn join_first(&mut self, bytes: &[u8], at: usize, known: usize) {
        if known >= at && self.state.is_open() {
            let begins = self.state.step(class_at(bytes, known).0).1;
            self.graphemes = self.graphemes.wrapping_sub(1).wrapping_add(begins);
        }
    }

    /// Adds the block at `at`.
    #[cfg(feature = "std")]
    #[inline(always)]
    fn add_block(
        &mut self,
        joints: Joints,
        bytes: &[u8],
        window: &Window,
        at: usize,
        known: &mut usize,
    ) {
        let scalars = u64::from(joints.scalars.count_ones());
        self.scalars = self.scalars.wrapping_add(scalars);
        self.newlines = self
            .newlines
            .wrapping_add(u64::from(joints.newlines.count_ones()));
        let mut unsure = joints.unsure;
        if *known >= at && self.state.is_open() {
            unsure |= 1_u64.unbounded_shl(known.wrapping_sub(at) as u32);
        }
        if unsure.count_ones() > DENSE {
            *known = self.walk_dense(bytes, window, at, *known);
            return;
        }
        let begins = u64::from(joints.begins.count_ones());
        self.graphemes = self.graphemes.wrapping_add(begins);
        while unsure != 0 {
            let first = at.wrapping_add(unsure.trailing_zeros() as usize);
            *known = self.walk_unsure(bytes, first, at, *known, (unsure, joints.begins));
            let behind = known.wrapping_sub(at) as u32;
            unsure &= u64::MAX.unbounded_shl(behind);
        }
    }

    /// Walks from an unsure scalar of the block at `at` until the bytes tell again what begins a
    /// cluster; the place after that, where the state is known then.
    #[cfg(feature = "std")]
    #[inline(always)]
    fn walk_unsure(
        &mut self,
        bytes: &[u8],
        first: usize,
        at: usize,
        known: usize,
        (unsure, begins): (u64, u64),
    ) -> usize {
        let mut state = self.state_at(bytes, first, known);
        let mut place = first;
        let mut offset = place.wrapping_sub(at) as u32;
        loop {
            let (class, length) = class_at(bytes, place);
            let (next, begun) = state.step(class);
            state = next;
            let counted = begins >> offset & 1;
            self.graphemes = self.graphemes.wrapping_add(begun).wrapping_sub(counted);
            place = place.wrapping_add(length);
            offset = place.wrapping_sub(at) as u32;
            let goes_on = state.is_open() || unsure.unbounded_shr(offset) & 1 == 1;
            if offset >= BLOCK as u32 || !goes_on {
                break;
            }
        }
        self.state = state;
        place
    }

    /// Counts the clusters of the block at `at` with the automaton alone; where the state is
    /// known then.
    #[inline(always)]
    fn walk_dense(&mut self, bytes: &[u8], window: &Window, at: usize, known: usize) -> usize {
        let start = scalar_start(bytes, at);
        self.state = self.state_at(bytes, start, known);
        let (state, graphemes, end) = walk_block(self.state, window, start.wrapping_sub(at));
        self.state = state;
        self.graphemes = self.graphemes.wrapping_add(graphemes);
        at.wrapping_add(end)
    }

    /// The state before `at`, where that at `known` is in `self`.
    #[inline(always)]
    fn state_at(&self, bytes: &[u8], at: usize, known: usize) -> State {
        let mut from = at;
        while from > known {
            from = scalar_before(bytes, from);
            let (class, length) = class_at(bytes, from);
            if !joins(class) {
                let behind = from.wrapping_add(length);
                return states(State::after_first(class), bytes, behind, at);
            }
        }
        states(self.state, bytes, known, at)
    }

    /// Counts the clusters that begin from `at`, a scalar boundary, up to the last scalar that
    /// begins before `limit`, or until there are `most`; the boundary after that.
    #[inline(always)]
    fn walk(&mut self, bytes: &[u8], at: usize, limit: usize, most: u64) -> usize {
        let left = most.saturating_sub(self.graphemes);
        let (state, graphemes, end) = walk(self.state, bytes, at, limit, left);
        self.state = state;
        self.graphemes = self.graphemes.wrapping_add(graphemes);
        end
    }
}

/// The window of the block at `at`, if the text goes on long enough.
#[inline(always)]
pub(crate) fn window(bytes: &[u8], at: usize) -> Option<&Window> {
    bytes.get(at.wrapping_sub(BEFORE)..)?.first_chunk()
}

/// The window of the wide block at `at`, if the text goes on long enough.
#[inline(always)]
fn wide_window(bytes: &[u8], at: usize) -> Option<&WideWindow> {
    bytes.get(at.wrapping_sub(1)..)?.first_chunk()
}

/// The byte before `at` and the bytes from there, with zeros for what the text does not have; how
/// many bytes of the block the text has. `None` at the start: what was before is in the state alone.
fn last_window(bytes: &[u8], at: usize) -> Option<(SmallWindow, usize)> {
    let mut window = [0; 1 + BLOCK + 2];
    let text = bytes.get(at.checked_sub(1)?..)?;
    let length = window.len().min(text.len());
    let (filled, _) = window.split_at_mut(length);
    filled.copy_from_slice(text.split_at(length).0);
    Some((window, length.saturating_sub(1).min(BLOCK)))
}

/// Where in a block that passed the screen the cluster after `clusters` begins.
fn clusters_end(window: &SmallWindow, clusters: u64) -> usize {
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

/// No fewer clusters than the bytes before the first block have.
const FIRST: u64 = BEFORE as u64;

/// At most so many wide blocks go in single ones before a wide one is tried again.
const MOST_PATIENCE: u32 = 16;

/// Where more scalars of a block are unsure, looking at each does not pay.
#[cfg(feature = "std")]
const DENSE: u32 = 8;

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
        // Where the machine has no vectors.
        let mut plain = Counter::default();
        if text.len() >= BLOCK * 2 {
            let counted = plain.scalar_blocks(text.as_bytes(), u64::MAX);
            plain.walk(text.as_bytes(), counted, text.len(), u64::MAX);
            assert_eq!(plain.graphemes, counter.graphemes, "{text:?}");
        }
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

    /// A counter that only ever asks the automaton.
    fn walked(text: &str) -> u64 {
        let mut counter = Counter::default();
        counter.walk(text.as_bytes(), 0, text.len(), u64::MAX);
        counter.graphemes
    }

    /// What of the text before a scalar, or after it, matters for its cluster.
    const NEIGHBOURS: [&str; 24] = [
        "a",
        "\r",
        "\n",
        "\0",
        "\u{85}",
        "\u{61c}",
        "\u{180e}",
        "\u{2028}",
        "\u{feff}",
        "\u{e0001}",
        "\u{301}",
        "\u{600}",
        "\u{200c}",
        "\u{915}",
        "\u{915}\u{94d}",
        "\u{915}\u{93c}\u{94d}\u{200d}",
        "\u{94d}",
        "\u{1f1e6}",
        "\u{1100}",
        "\u{1160}",
        "\u{ac00}",
        "\u{1f469}",
        "\u{1f469}\u{200d}",
        "\u{200d}\u{2764}",
    ];

    #[test]
    fn every_scalar_counts_in_a_block_as_in_the_automaton() {
        let (mut text, mut wrong) = (String::new(), Vec::new());
        let filler = "x".repeat(80);
        // Of the planes without a character, some.
        let unassigned = ('\u{40000}'..'\u{e0000}').step_by(61);
        let rest = '\u{e0000}'..=char::MAX;
        for c in ('\0'..'\u{40000}').chain(unassigned).chain(rest) {
            // Before, on and after the edge of a block.
            let before = 54 + u32::from(c) as usize % 20;
            for neighbour in NEIGHBOURS {
                text.clear();
                text.extend(["x", neighbour, c.encode_utf8(&mut [0; 4]), neighbour, "x"]);
                let expected = walked(&text) + (before + 80) as u64;
                text.insert_str(0, filler.get(..before).unwrap_or_default());
                text.push_str(&filler);
                let mut counter = Counter::default();
                counter.update(&text);
                if counter.graphemes != expected && wrong.len() < 9 {
                    wrong.push((c, neighbour));
                }
            }
        }
        assert_eq!(wrong, []);
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
