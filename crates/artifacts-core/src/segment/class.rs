//! The classes of scalars that decide where a cluster ends.

use super::tables::{BLOCKS, INDEX};

/// What UAX #29 makes of a scalar: its Grapheme_Cluster_Break, with Extended_Pictographic and
/// Indic_Conjunct_Break where they matter.
///
/// The numbers are those in the generated tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Class {
    Other,
    CarriageReturn,
    LineFeed,
    Control,
    Extend,
    NonJoiner,
    Linker,
    Joiner,
    RegionalIndicator,
    Prepend,
    SpacingMark,
    L,
    V,
    T,
    Lv,
    Lvt,
    Pictographic,
    Consonant,
}

impl Class {
    /// Every class, at its number.
    pub(crate) const ALL: [Self; 18] = [
        Self::Other,
        Self::CarriageReturn,
        Self::LineFeed,
        Self::Control,
        Self::Extend,
        Self::NonJoiner,
        Self::Linker,
        Self::Joiner,
        Self::RegionalIndicator,
        Self::Prepend,
        Self::SpacingMark,
        Self::L,
        Self::V,
        Self::T,
        Self::Lv,
        Self::Lvt,
        Self::Pictographic,
        Self::Consonant,
    ];
}

/// Whether a scalar of the class joins whatever is before it, unless that is a control.
#[inline(always)]
pub(crate) fn joins(class: u8) -> bool {
    const JOINING: u32 = 1 << Class::Extend as u32
        | 1 << Class::NonJoiner as u32
        | 1 << Class::Linker as u32
        | 1 << Class::Joiner as u32
        | 1 << Class::SpacingMark as u32;
    JOINING >> (class & 31) & 1 == 1
}

/// The number of the class of the scalar that begins at `at` in valid UTF-8, and its length in
/// bytes.
#[inline(always)]
pub(crate) fn class_at(bytes: &[u8], at: usize) -> (u8, usize) {
    let byte = |ahead: usize| {
        let byte = bytes.get(at.wrapping_add(ahead)).copied();
        byte.unwrap_or_default()
    };
    let word = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
    match word & 0xFF {
        0..0x80 => (ascii_class(word), 1),
        0x80..0xE0 => (class_of_two(word), 2),
        0xE0..0xF0 => (class_of_three(word), 3),
        _ => (class_of_four(word), 4),
    }
}

/// The number of the class of the scalar in the two lowest bytes of `word`.
#[inline(always)]
pub(crate) fn class_of_two(word: u32) -> u8 {
    class_in(word & 0x1F, word >> 8 & 0x3F)
}

/// The number of the class of the scalar in the three lowest bytes of `word`.
#[inline(always)]
pub(crate) fn class_of_three(word: u32) -> u8 {
    class_in((word & 0xF) << 6 | word >> 8 & 0x3F, word >> 16 & 0x3F)
}

/// The number of the class of the scalar in the four bytes of `word`.
#[inline(always)]
pub(crate) fn class_of_four(word: u32) -> u8 {
    let block = (word & 7) << 12 | (word >> 8 & 0x3F) << 6 | word >> 16 & 0x3F;
    class_in(block, word >> 24 & 0x3F)
}

/// The number of the class of the ASCII scalar in the lowest byte of `word`.
#[inline(always)]
pub(crate) fn ascii_class(word: u32) -> u8 {
    class_in(word >> 6 & 1, word & 0x3F)
}

/// The number of the class of a scalar value.
#[inline(always)]
pub(crate) fn class_of(scalar: u32) -> u8 {
    class_in(scalar >> 6, scalar & 0x3F)
}

/// The number of the class of the scalar at `low` in the block of 64 with the number `block`.
#[inline(always)]
fn class_in(block: u32, low: u32) -> u8 {
    let block = INDEX.get(block as usize).copied().unwrap_or(0);
    let at = usize::from(block) << 6 | low as usize;
    BLOCKS.get(at).copied().unwrap_or(0)
}
