//! The screen: tells from bytes alone that no scalar of a block joins its neighbours.
//!
//! Every pair of scalars in one cluster, but for a carriage return with its line feed, has a
//! scalar among the two that is a mark, a joiner, a prefix, a conjoining jamo or a regional
//! indicator: a *joining* scalar. Where a block has none, its clusters are its scalars. The screen
//! looks at the first three bytes of each scalar and may flag scalars that do not join, never the
//! other way round: a test looks at every scalar there is.
//!
//! The comparisons are written as distances that are 0 where a pattern matches, so that the
//! compiler turns them into the same operation on many bytes at once, without a branch.

/// How many bytes a block has.
pub(crate) const BLOCK: usize = 64;

/// How many bytes are looked at together while nothing in them joins: a count of them fits a byte.
pub(crate) const WIDE: usize = 192;

/// The byte before a block, the block, and as many bytes after it as its last scalar may need.
pub(crate) type Window = [u8; BLOCK + 4];

/// A window of [`WIDE`] bytes.
pub(crate) type WideWindow = [u8; WIDE + 4];

/// What a block has of everything that is counted by bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Scalars that begin in the block.
    pub(crate) scalars: u8,
    /// Line feeds.
    pub(crate) newlines: u8,
    /// Line feeds after a carriage return.
    pub(crate) pairs: u8,
    /// The largest byte.
    pub(crate) largest: u8,
}

impl Tally {
    /// Clusters that begin in a block that passed the screen.
    #[inline(always)]
    pub(crate) fn clusters(&self) -> u64 {
        u64::from(self.scalars.wrapping_sub(self.pairs))
    }
}

/// Counts the block of a window of at most [`WIDE`] bytes.
#[inline(always)]
#[expect(
    clippy::indexing_slicing,
    reason = "the indices are below the length of the array"
)]
pub(crate) fn tally<const LENGTH: usize>(window: &[u8; LENGTH]) -> Tally {
    let (mut scalars, mut newlines, mut pairs, mut largest) = (0_u8, 0_u8, 0_u8, 0_u8);
    for at in 0..LENGTH.wrapping_sub(4) {
        let (before, x) = (window[at], window[at.wrapping_add(1)]);
        let newline = u8::from(x == b'\n');
        scalars = scalars.wrapping_add(u8::from(x.cast_signed() >= -64));
        newlines = newlines.wrapping_add(newline);
        pairs = pairs.wrapping_add(newline & u8::from(before == b'\r'));
        largest = largest.max(x);
    }
    Tally {
        scalars,
        newlines,
        pairs,
        largest,
    }
}

/// As [`tally`] for a block of ASCII; `None` if it is not.
#[inline(always)]
#[expect(
    clippy::indexing_slicing,
    reason = "the indices are below the length of the array"
)]
pub(crate) fn tally_ascii(window: &WideWindow) -> Option<Tally> {
    let (mut any, mut newlines, mut pairs) = (0_u8, 0_u8, 0_u8);
    for at in 0..WIDE {
        let (before, x) = (window[at], window[at.wrapping_add(1)]);
        let newline = u8::from(x == b'\n');
        any |= x;
        newlines = newlines.wrapping_add(newline);
        pairs = pairs.wrapping_add(newline & u8::from(before == b'\r'));
    }
    any.is_ascii().then_some(Tally {
        scalars: WIDE as u8,
        newlines,
        pairs,
        largest: any,
    })
}

/// Whether a scalar that begins in the block of a window may join a neighbour, where `largest` is
/// the largest byte of the block.
#[inline(always)]
#[expect(
    clippy::indexing_slicing,
    reason = "the indices are below the length of the array"
)]
pub(crate) fn flagged<const LENGTH: usize>(window: &[u8; LENGTH], largest: u8) -> bool {
    let mut nearest = u8::MAX;
    if largest >= 0xE0 {
        for at in 0..LENGTH.wrapping_sub(4) {
            let (x, y) = (window[at.wrapping_add(1)], window[at.wrapping_add(2)]);
            let z = window[at.wrapping_add(3)];
            nearest = nearest.min(distance(x, y)).min(distance_of_three(x, y, z));
        }
    } else if largest >= 0xCC {
        for at in 0..LENGTH.wrapping_sub(4) {
            let (x, y) = (window[at.wrapping_add(1)], window[at.wrapping_add(2)]);
            nearest = nearest.min(distance(x, y));
        }
    }
    nearest == 0
}

/// 0 if a scalar with the first bytes `x` and `y` may join and is below U+1000 or above U+FFFF;
/// anything for the bytes within a scalar.
#[inline(always)]
fn distance(x: u8, y: u8) -> u8 {
    // Combining diacritical marks, U+0300..U+036F.
    let marks = (x & 0xFE) ^ 0xCC;
    // Cyrillic marks, U+0483..U+0489.
    let cyrillic = (x ^ 0xD2) | y.saturating_sub(0x89);
    // Hebrew points, Arabic marks and prefixes, but not their letters.
    let hebrew = ((x ^ 0xD6) | 0x91_u8.saturating_sub(y)).min((x ^ 0xD7) | y.saturating_sub(0x87));
    let arabic = ((x ^ 0xD8) | y.saturating_sub(0x85).min(within(y, 0x90, 0x9A)))
        .min((x ^ 0xD9) | within(y, 0x8B, 0x9F).min(y ^ 0xB0))
        .min((x ^ 0xDB) | 0x96_u8.saturating_sub(y));
    // Syriac to N'Ko and everything from U+0800 to U+0FFF.
    let middle = within(x, 0xDC, 0xE0);
    // Everything from U+10000.
    let astral = 0xF0_u8.saturating_sub(x);
    let semitic = hebrew.min(arabic);
    marks.min(cyrillic).min(semitic).min(middle).min(astral)
}

/// 0 if a scalar with the first bytes `x`, `y` and `z` may join and is from U+1000 to U+FFFF;
/// anything for the bytes within a scalar.
#[inline(always)]
fn distance_of_three(x: u8, y: u8, z: u8) -> u8 {
    // U+1000..U+1DFF: Myanmar, conjoining jamo and more, but not Latin and Greek after it.
    let e1 = (x ^ 0xE1) | y.saturating_sub(0xB7);
    // The joiners, U+20C0..U+20FF, and U+2CC0..U+2DFF.
    let e2 = (x ^ 0xE2)
        | ((y ^ 0x80) | ((z & 0xFE) ^ 0x8C))
            .min(y ^ 0x83)
            .min(within(y, 0xB3, 0xB7));
    // U+302A..U+303F, and the kana voicing marks.
    let e3 = (x ^ 0xE3)
        | ((y ^ 0x80) | 0xAA_u8.saturating_sub(z)).min((y ^ 0x82) | within(z, 0x99, 0x9A));
    // U+A000..U+ABFF, but not Hangul syllables.
    let ea = (x ^ 0xEA) | y.saturating_sub(0xAF);
    // Conjoining jamo after the Hangul syllables.
    let ed = (x ^ 0xED) | 0x9E_u8.saturating_sub(y);
    // U+FB00..U+FB3F, U+FE00..U+FE3F, U+FF80..U+FFBF.
    let ef = (x ^ 0xEF) | (y ^ 0xAC).min(y ^ 0xB8).min(y ^ 0xBE);
    e1.min(e2).min(e3).min(ea).min(ed).min(ef)
}

/// 0 from `low` to `high`.
#[inline(always)]
fn within(byte: u8, low: u8, high: u8) -> u8 {
    byte.wrapping_sub(low)
        .saturating_sub(high.wrapping_sub(low))
}

#[cfg(test)]
mod tests {
    use super::super::class::{Class, class_of};
    use super::*;

    fn joins(class: u8) -> bool {
        const JOINING: [Class; 10] = [
            Class::Extend,
            Class::NonJoiner,
            Class::Linker,
            Class::Joiner,
            Class::RegionalIndicator,
            Class::Prepend,
            Class::SpacingMark,
            Class::L,
            Class::V,
            Class::T,
        ];
        JOINING.into_iter().any(|joining| joining as u8 == class)
    }

    /// A window of spaces with `c` at `at` of the block, as far as it goes.
    fn window(c: char, at: usize) -> Window {
        let mut window = [b' '; BLOCK + 4];
        let mut bytes = [0; 4];
        let block = window.iter_mut().skip(1).skip(at);
        for (slot, byte) in block.zip(c.encode_utf8(&mut bytes).bytes()) {
            *slot = byte;
        }
        window
    }

    #[track_caller]
    fn is_flagged(c: char, at: usize) -> bool {
        let window = window(c, at);
        flagged(&window, tally(&window).largest)
    }

    #[test]
    fn every_scalar_that_joins_is_flagged() {
        let mut missed = 0_u32;
        for c in '\0'..=char::MAX {
            if joins(class_of(u32::from(c))) {
                for at in [0, 17, BLOCK - 2, BLOCK - 1] {
                    missed = missed.saturating_add(u32::from(!is_flagged(c, at)));
                }
            }
        }
        assert_eq!(missed, 0);
    }

    #[test]
    fn common_scripts_pass_the_screen() {
        let texts = [
            "façade größer “Übung”…",
            "Việt Nam",
            "Съешь ещё",
            "Ξεσκεπάζω",
            "نص حكيم له سر قاطع یک",
            "דג סקרן שט בים",
            "漢字かなカナ、。，",
            "키스의 고유조건은",
            "├── ✓ │ → ≤ €",
        ];
        for c in texts.concat().chars() {
            assert!(!is_flagged(c, 3), "{c:?}");
        }
    }

    #[test]
    fn a_block_is_tallied_by_bytes() {
        let mut block = [b'a'; BLOCK + 4];
        block[0] = b'\r';
        block[1] = b'\n';
        block[10..14].copy_from_slice(b"\r\n\n\r");
        block[20..22].copy_from_slice("é".as_bytes());
        let tally = tally(&block);
        assert_eq!((tally.scalars, tally.newlines, tally.pairs), (63, 3, 2));
        assert_eq!((tally.clusters(), tally.largest), (61, 0xC3));
    }

    #[test]
    fn ascii_is_tallied_by_bytes() {
        let mut wide = [b'\n'; WIDE + 4];
        wide[0] = b'\r';
        let found = tally_ascii(&wide).unwrap();
        assert_eq!((found.scalars, found.newlines, found.pairs), (192, 192, 1));
        assert_eq!(tally(&wide).clusters(), found.clusters());
        wide[180] = 0x80;
        assert_eq!(tally_ascii(&wide), None);
    }
}
