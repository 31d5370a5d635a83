//! Counting blocks of bytes of which some are invalid, with vector instructions.
//!
//! Which bytes begin a unit, and which end a scalar, is told from the bytes of a block; only what
//! may join a neighbour is decoded.

use fearless_simd::{Simd, SimdInt as _, mask8x64, u8x64};

use super::automaton::State;
use super::class::class_of;
use super::count::{Counter, window};
use super::joints::{Bytes, bits, may_join, within};
use super::lossy::Unit;
use super::screen::{BEFORE, BLOCK, Window};

impl Counter {
    /// Counts blocks from the start of `bytes`; up to which unit boundary, and how many units were
    /// no scalars.
    #[inline(always)]
    pub(super) fn unit_blocks<S: Simd>(&mut self, simd: S, bytes: &[u8]) -> (usize, u64) {
        simd.vectorize(
            #[inline(always)]
            || {
                let (mut at, mut replaced) = self.units(bytes, 0, BEFORE.min(bytes.len()));
                let mut known = at;
                let mut last = Units::default();
                while let Some(window) = window(bytes, at) {
                    let units = Units::of(simd, window, last);
                    replaced = replaced
                        .wrapping_add(units.begun)
                        .wrapping_sub(units.complete);
                    self.add_units(&units, bytes, at, &mut known);
                    last = units;
                    at = at.wrapping_add(BLOCK);
                }
                if known == at || last.starts == 0 {
                    return (known.max(at), replaced);
                }
                // The last unit that begins in the blocks may end after them.
                let first = at.wrapping_sub(1);
                let begin = first.wrapping_sub(last.starts.leading_zeros() as usize);
                let unit = Unit::at(bytes, begin);
                let end = begin.wrapping_add(unit.length);
                if end > at && unit.complete {
                    replaced = replaced.wrapping_sub(1);
                }
                if known != end {
                    self.state = state_before(bytes, end);
                }
                (end, replaced)
            },
        )
    }

    /// Adds the units of a block at `at`.
    #[inline(always)]
    fn add_units(&mut self, units: &Units, bytes: &[u8], at: usize, known: &mut usize) {
        let count = |bits: u64| u64::from(bits.count_ones());
        self.scalars = self.scalars.wrapping_add(units.begun);
        self.newlines = self.newlines.wrapping_add(count(units.newlines));
        let begins = units.starts & !units.pairs;
        self.graphemes = self.graphemes.wrapping_add(count(begins));
        let mut unsure = units.unsure;
        if *known >= at && self.state.is_open() {
            unsure |= 1_u64.unbounded_shl(known.wrapping_sub(at) as u32);
        }
        while unsure != 0 {
            let mut offset = unsure.trailing_zeros();
            let mut place = at.wrapping_add(offset as usize);
            let mut unit = Unit::at(bytes, place);
            let mut state = match place == *known {
                true => self.state,
                false => state_before(bytes, place),
            };
            loop {
                let (next, begun) = state.step(unit.class);
                state = next;
                let counted = begins >> offset & 1;
                self.graphemes = self.graphemes.wrapping_add(begun).wrapping_sub(counted);
                place = place.wrapping_add(unit.length);
                offset = place.wrapping_sub(at) as u32;
                let goes_on = state.is_open() || unsure.unbounded_shr(offset) & 1 == 1;
                if offset >= BLOCK as u32 || !goes_on {
                    break;
                }
                unit = Unit::at(bytes, place);
            }
            self.state = state;
            *known = place;
            unsure &= u64::MAX.unbounded_shl(offset);
        }
    }
}

/// The state after the unit that ends at `end`, if it does not join what is before it.
fn state_before(bytes: &[u8], end: usize) -> State {
    let (before, _) = bytes.split_at(end.min(bytes.len()));
    let start = before.len().saturating_sub(4);
    let lead = before.iter().rposition(|byte| byte.cast_signed() >= -64);
    let (_, unit) = before.split_at(lead.unwrap_or(start).max(start));
    let scalar = core::str::from_utf8(unit).ok();
    let mut scalars = scalar.unwrap_or_default().chars();
    let class = scalars.next().unwrap_or(char::REPLACEMENT_CHARACTER);
    State::after_first(class_of(u32::from(class)))
}

/// What the bytes of a block tell of its units; bit n stands for byte n of the block.
#[derive(Debug, Clone, Copy, Default)]
struct Units {
    /// Where a unit begins.
    starts: u64,
    /// How many do.
    begun: u64,
    /// How many scalars end in the block.
    complete: u64,
    /// Line feeds.
    newlines: u64,
    /// Line feeds after a carriage return.
    pairs: u64,
    /// Scalars that may join a neighbour; some of four bytes may be incomplete.
    unsure: u64,
    /// Second bytes of a sequence, and third ones.
    seconds: u64,
    thirds: u64,
    /// Lead bytes of three bytes or more, and of four.
    threes: u64,
    fours: u64,
}

impl Units {
    /// Looks at the block of a window, where the block before it has `last`.
    #[inline(always)]
    fn of<S: Simd>(simd: S, window: &Window, last: Self) -> Self {
        let bytes = Bytes::of(simd, window);
        let x = bytes.at::<0>();
        let before = |bits: u64, last: u64, places: u32| {
            bits << places | last >> BLOCK.wrapping_sub(places as usize)
        };
        let continuing = bits((x & 0xC0).simd_eq(0x80));
        let (y, z) = (bytes.at::<1>(), bytes.at::<2>());
        let seconds = continuing & bits(second(bytes.at::<-1>(), x));
        let (threes, fours) = (bits(x.simd_ge(0xE0)), bits(x.simd_ge(0xF0)));
        let after_threes = before(threes, last.threes, 2);
        let thirds = continuing & before(seconds, last.seconds, 1) & after_threes;
        let after_fours = before(fours, last.fours, 3);
        let fourths = continuing & before(thirds, last.thirds, 1) & after_fours;
        let starts = !(seconds | thirds | fourths);
        let ends = (seconds & !before(threes, last.threes, 1))
            | (thirds & !before(fours, last.fours, 2))
            | fourths
            | bits(x.simd_le(0x7F));
        let newlines = bits(x.simd_eq(b'\n'));
        let pairs = newlines & bits(bytes.at::<-1>().simd_eq(b'\r'));
        let completed = (y & 0xC0).simd_eq(0x80) & second(x, y);
        let completed = bits(completed) & (bits((z & 0xC0).simd_eq(0x80)) | !threes);
        Self {
            starts,
            begun: u64::from(starts.count_ones()),
            complete: u64::from(ends.count_ones()),
            newlines,
            pairs,
            unsure: may_join(simd, window) & completed,
            seconds,
            thirds,
            threes,
            fours,
        }
    }
}

/// Where `x` may follow the lead byte `lead`, if it is a continuation byte: Unicode, table 3-7.
#[inline(always)]
fn second<S: Simd>(lead: u8x64<S>, x: u8x64<S>) -> mask8x64<S> {
    let overlong = (lead.simd_eq(0xE0) & x.simd_le(0x9F)) | (lead.simd_eq(0xF0) & x.simd_le(0x8F));
    let beyond = (lead.simd_eq(0xED) & x.simd_ge(0xA0)) | (lead.simd_eq(0xF4) & x.simd_ge(0x90));
    within(lead, 0xC2, 0xF4) & !(overlong | beyond)
}
