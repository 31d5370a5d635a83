//! Counting blocks of bytes of which some are invalid, with vector instructions.
//!
//! Which bytes begin a unit, and which end a scalar, is told from the bytes of a block; only what
//! may join a neighbour is decoded.

use alloc::vec::Vec;

use fearless_simd::{Simd, SimdInt as _, mask8x64, u8x64};

use super::automaton::State;
use super::blocks::window;
use super::class::class_at;
use super::count::Counter;
use super::joints::{Bytes, bits, may_join, within};
use super::lossy::Unit;
use super::screen::{BEFORE, BLOCK, Window};
use super::walk::scalar_before;

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
                        .wrapping_sub(u64::from(units.ends.count_ones()));
                    self.add_units(&units, last.ends, bytes, at, &mut known);
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
                    self.state = State::after_first(unit.class);
                }
                (end, replaced)
            },
        )
    }

    /// Adds the units of a block at `at`, where scalars end in the block before it at `ended`.
    #[inline(always)]
    fn add_units(&mut self, units: &Units, ended: u64, bytes: &[u8], at: usize, known: &mut usize) {
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
            let mut unit = unit_at(bytes, place, units.unsure >> offset);
            let ends = units.ends << 1 | ended >> 63;
            let mut state = match ends >> offset & 1 {
                _ if place == *known => self.state,
                1 => State::after_first(class_at(bytes, scalar_before(bytes, place)).0),
                _ => State::ANY,
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
                unit = unit_at(bytes, place, units.unsure >> offset);
            }
            self.state = state;
            *known = place;
            unsure &= u64::MAX.unbounded_shl(offset);
        }
    }
}

/// The unit that begins at `at`; the lowest bit of `known` tells that it is a scalar.
#[inline(always)]
fn unit_at(bytes: &[u8], at: usize, known: u64) -> Unit {
    if known & 1 == 0 {
        return Unit::at(bytes, at);
    }
    let (class, length) = class_at(bytes, at);
    Unit {
        class,
        length,
        complete: true,
    }
}

/// Decodes blocks from the start of `bytes` into `text`; up to which unit boundary.
#[inline(always)]
pub(super) fn decode_blocks<S: Simd>(simd: S, bytes: &[u8], text: &mut Vec<u8>) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut first = 0;
            while first < BEFORE.min(bytes.len()) {
                first = first.wrapping_add(push_unit(bytes, first, text));
            }
            // Up to `done` the units are in `text`.
            let (mut at, mut done) = (first, first);
            let mut last = Units::default();
            while let Some(window) = window(bytes, at) {
                let units = Units::of(simd, window, last);
                let ends = units.ends << 1 | last.ends >> 63;
                let mut decoded = [0; 3 * BLOCK + 8];
                let mut length = 0_usize;
                let mut starts = units.starts;
                while starts != 0 {
                    // Where a unit begins, the one before it is known.
                    let offset = starts.trailing_zeros();
                    starts &= starts.wrapping_sub(1);
                    let start = at.wrapping_add(offset as usize);
                    // Without a branch, which random bytes would mispredict.
                    let scalar = 0_u32.wrapping_sub((ends >> offset & 1) as u32);
                    let word = word_at(bytes, done) & scalar | REPLACEMENT & !scalar;
                    let length_of_unit = start.wrapping_sub(done) as u32;
                    let taken = length_of_unit & scalar | 3 & !scalar;
                    // The first unit has none before it.
                    let taken = (taken as usize).wrapping_mul(usize::from(start != done));
                    if let Some(slot) = decoded.get_mut(length..).and_then(<[u8]>::first_chunk_mut)
                    {
                        *slot = word.to_le_bytes();
                    }
                    length = length.wrapping_add(taken);
                    done = start;
                }
                text.extend_from_slice(decoded.get(..length).unwrap_or_default());
                last = units;
                at = at.wrapping_add(BLOCK);
            }
            done
        },
    )
}

/// Decodes the unit at `at` into `text`; how many bytes it has.
pub(super) fn push_unit(bytes: &[u8], at: usize, text: &mut Vec<u8>) -> usize {
    let unit = Unit::at(bytes, at);
    match bytes.get(at..at.wrapping_add(unit.length)) {
        Some(scalar) if unit.complete => text.extend_from_slice(scalar),
        _ => text.extend_from_slice("\u{fffd}".as_bytes()),
    }
    unit.length
}

/// The four bytes from `at`, the first lowest.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u32 {
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
    u32::from_le_bytes(word.copied().unwrap_or_default())
}

/// U+FFFD, and a byte that is not taken.
const REPLACEMENT: u32 = u32::from_le_bytes([0xEF, 0xBF, 0xBD, 0]);

/// What the bytes of a block tell of its units; bit n stands for byte n of the block.
#[derive(Debug, Clone, Copy, Default)]
struct Units {
    /// Where a unit begins.
    starts: u64,
    /// How many do.
    begun: u64,
    /// Where a scalar ends.
    ends: u64,
    /// Line feeds.
    newlines: u64,
    /// Line feeds after a carriage return.
    pairs: u64,
    /// Scalars that may join a neighbour.
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
        let completed = bits(completed)
            & (bits((z & 0xC0).simd_eq(0x80)) | !threes)
            & (bits((bytes.at::<3>() & 0xC0).simd_eq(0x80)) | !fours);
        Self {
            starts,
            begun: u64::from(starts.count_ones()),
            ends,
            newlines,
            pairs,
            unsure: may_join(simd, window, completed),
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
