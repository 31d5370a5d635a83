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

/// The number of the class of the scalar that begins at `at` in valid UTF-8, and its length in
/// bytes.
#[inline(always)]
pub(crate) fn class_at(bytes: &[u8], at: usize) -> (u8, usize) {
    let byte = |ahead: usize| {
        let byte = bytes.get(at.wrapping_add(ahead)).copied();
        u32::from(byte.unwrap_or_default())
    };
    let low = |ahead: usize| byte(ahead) & 0x3F;
    match byte(0) {
        lead @ ..0x80 => (class_in(lead >> 6, lead & 0x3F), 1),
        lead @ ..0xE0 => (class_in(lead & 0x1F, low(1)), 2),
        lead @ ..0xF0 => (class_in((lead & 0xF) << 6 | low(1), low(2)), 3),
        lead => {
            let block = (lead & 7) << 12 | low(1) << 6 | low(2);
            (class_in(block, low(3)), 4)
        }
    }
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
