//! Blocks of bytes, and what a block of ASCII has of everything that is counted.

/// How many bytes a block has.
pub(crate) const BLOCK: usize = 64;

/// So many bytes before a block decide where its clusters begin.
pub(crate) const BEFORE: usize = 8;

/// The bytes before a block, the block, and as many bytes after it as its last scalar may need.
pub(crate) type Window = [u8; BEFORE + BLOCK + 4];

/// How many bytes are looked at together while they are ASCII: a count of them fits a byte.
pub(crate) const WIDE: usize = 192;

/// The byte before [`WIDE`] bytes, these, and two bytes after them.
pub(crate) type WideWindow = [u8; 1 + WIDE + 2];

/// The same for a block.
pub(crate) type SmallWindow = [u8; 1 + BLOCK + 2];

/// What bytes have in which no scalar joins a neighbour, but for a line feed after a
/// carriage return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Scalars that begin in the bytes.
    pub(crate) scalars: u8,
    /// Line feeds.
    pub(crate) newlines: u8,
    /// Line feeds after a carriage return.
    pub(crate) pairs: u8,
    /// Whether every byte is ASCII.
    pub(crate) ascii: bool,
}

impl Tally {
    /// Clusters that begin in the bytes, if the first is not joined to what is before it.
    #[inline(always)]
    pub(crate) fn clusters(&self) -> u64 {
        u64::from(self.scalars.wrapping_sub(self.pairs))
    }
}

/// Counts the wide block of a window; `None` if it is not ASCII.
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
        ascii: true,
    })
}

/// Counts the bytes of a window, at most [`WIDE`]; `None` if a scalar in it may join a neighbour.
#[inline(always)]
#[expect(
    clippy::indexing_slicing,
    reason = "the indices are below the length of the array"
)]
pub(crate) fn tally<const LENGTH: usize>(window: &[u8; LENGTH]) -> Option<Tally> {
    let (mut scalars, mut newlines, mut pairs, mut largest) = (0_u8, 0_u8, 0_u8, 0_u8);
    let mut nearest = u8::MAX;
    for at in 0..LENGTH.wrapping_sub(3) {
        let (before, x) = (window[at], window[at.wrapping_add(1)]);
        let newline = u8::from(x == b'\n');
        scalars = scalars.wrapping_add(u8::from(x.cast_signed() >= -64));
        newlines = newlines.wrapping_add(newline);
        pairs = pairs.wrapping_add(newline & u8::from(before == b'\r'));
        largest = largest.max(x);
        nearest = nearest.min(distance_of_lead(x));
    }
    if largest >= 0xF0 || nearest == 0 {
        return None;
    }
    if largest >= 0xE1 {
        for at in 0..LENGTH.wrapping_sub(3) {
            let (x, y) = (window[at.wrapping_add(1)], window[at.wrapping_add(2)]);
            nearest = nearest.min(distance_of_three(x, y, window[at.wrapping_add(3)]));
        }
    }
    (nearest > 0).then_some(Tally {
        scalars,
        newlines,
        pairs,
        ascii: largest.is_ascii(),
    })
}

/// 0 for the lead bytes of scalars below U+1000 of which some join.
#[inline(always)]
fn distance_of_lead(x: u8) -> u8 {
    // Diacritical marks; Cyrillic with its marks; Hebrew to Tibetan.
    ((x & 0xFE) ^ 0xCC).min(x ^ 0xD2).min(within(x, 0xD6, 0xE0))
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
    use super::super::class::{Class, class_of, joins};
    use super::*;

    /// Spaces with `c` at `at` of the wide block, as far as it goes.
    fn window(c: char, at: usize) -> WideWindow {
        let mut window = [b' '; 1 + WIDE + 2];
        let mut bytes = [0; 4];
        let block = window.iter_mut().skip(1).skip(at);
        for (slot, byte) in block.zip(c.encode_utf8(&mut bytes).bytes()) {
            *slot = byte;
        }
        window
    }

    fn may_join(class: u8) -> bool {
        const JOINING: [Class; 5] = [
            Class::RegionalIndicator,
            Class::Prepend,
            Class::L,
            Class::V,
            Class::T,
        ];
        joins(class) || JOINING.into_iter().any(|joining| joining as u8 == class)
    }

    #[test]
    fn every_scalar_that_joins_is_seen() {
        let mut missed = 0_u32;
        for c in '\0'..=char::MAX {
            if may_join(class_of(u32::from(c))) {
                for at in [0, 17, WIDE - 2, WIDE - 1] {
                    missed = missed.saturating_add(u32::from(tally(&window(c, at)).is_some()));
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
            "漢字かなカナ、。，",
            "키스의 고유조건은",
            "├── ✓ │ → ≤ €",
        ];
        for c in texts.concat().chars() {
            assert!(tally(&window(c, 3)).is_some(), "{c:?}");
        }
    }

    #[test]
    fn wide_blocks_are_tallied_by_bytes() {
        let mut wide = [b'\n'; 1 + WIDE + 2];
        wide[0] = b'\r';
        let found = tally_ascii(&wide).unwrap();
        assert_eq!((found.scalars, found.newlines, found.pairs), (192, 192, 1));
        assert_eq!(tally(&wide), Some(found));
        assert_eq!(found.clusters(), 191);
        wide[180..182].copy_from_slice("é".as_bytes());
        assert_eq!(tally_ascii(&wide), None);
        let found = tally(&wide).unwrap();
        assert_eq!((found.scalars, found.newlines, found.pairs), (191, 190, 1));
        assert!(!found.ascii);
    }
}
