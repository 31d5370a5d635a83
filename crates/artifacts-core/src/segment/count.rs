//! The counter: clusters, scalars and line feeds of a text that arrives piece by piece.

use super::automaton::State;
use super::class::{ascii_class, class_at};
use super::screen::{BLOCK, SmallWindow, WIDE, tally};
use super::walk::{scalar_before, scalar_start, walk};

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
            let block = bytes.get(at..limit).unwrap_or_default();
            let end = match is_plain(block) {
                true => at.wrapping_add(self.pass_plain(block, graphemes)),
                false => self
                    .pass_block(bytes, at, graphemes)
                    .unwrap_or_else(|| self.walk(bytes, at, limit, graphemes)),
            };
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

    /// Counts the clusters of a block that [is plain](is_plain) until there are `most`; where in it
    /// the next one begins.
    fn pass_plain(&mut self, block: &[u8], most: u64) -> usize {
        let Some((first, begins)) = block.first().map(|first| self.state.step(class(*first)))
        else {
            return 0;
        };
        // All but the first begin a cluster, whatever they are.
        let left = usize::try_from(most.saturating_sub(self.graphemes)).unwrap_or(usize::MAX);
        let joined = 1_usize.wrapping_sub(begins as usize);
        let end = left.saturating_add(joined).min(block.len());
        self.graphemes = self.graphemes.wrapping_add(end.wrapping_sub(joined) as u64);
        match block.get(..end) {
            Some([]) | None => {}
            Some([_]) => self.state = first,
            Some([.., last]) => self.state = State::after_first(class(*last)),
        }
        end
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

    /// Counts the clusters that begin from `at`, a scalar boundary, up to the last scalar that
    /// begins before `limit`, or until there are `most`; the boundary after that.
    #[inline(always)]
    pub(super) fn walk(&mut self, bytes: &[u8], at: usize, limit: usize, most: u64) -> usize {
        let left = most.saturating_sub(self.graphemes);
        let (state, graphemes, end) = walk(self.state, bytes, at, limit, left);
        self.state = state;
        self.graphemes = self.graphemes.wrapping_add(graphemes);
        end
    }
}

/// Whether a block is ASCII without a carriage return: no byte of it joins the one before it.
fn is_plain(block: &[u8]) -> bool {
    let odd = |byte: u8| byte & 0x80 | u8::from(byte == b'\r');
    block.iter().fold(0, |all, byte| all | odd(*byte)) == 0
}

/// The class of an ASCII byte.
fn class(byte: u8) -> u8 {
    ascii_class(u32::from(byte))
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
pub(super) fn leads(bytes: &[u8]) -> u64 {
    count(bytes, |byte| byte.cast_signed() >= -64)
}

/// How many line feeds `bytes` has.
pub(super) fn newlines(bytes: &[u8]) -> u64 {
    count(bytes, |byte| byte == b'\n')
}

/// How many of `bytes` are what `is` says, counted in bytes, which vectors have most of.
fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> u64 {
    let in_chunk = |chunk: &[u8]| {
        let counts = chunk.iter().map(|byte| u8::from(is(*byte)));
        u64::from(counts.fold(0, u8::wrapping_add))
    };
    bytes.chunks(WIDE).map(in_chunk).sum()
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
