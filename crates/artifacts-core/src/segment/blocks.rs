//! Counting blocks of a text, with vector instructions where the machine has them.

#[cfg(feature = "std")]
use fearless_simd::{Level, Simd};

use super::class::class_at;
use super::count::{Counter, leads, newlines};
#[cfg(feature = "std")]
use super::joints::{Joints, joints};
use super::screen::{BEFORE, BLOCK, WIDE, WideWindow, Window, tally, tally_ascii};
use super::walk::{scalar_start, state_at, walk_block};

impl Counter {
    /// Counts blocks from the start of `text`, not beyond `most` clusters; how many bytes it
    /// counted, up to a scalar boundary.
    pub(super) fn count_blocks(&mut self, text: &str, most: u64) -> usize {
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
    pub(super) fn scalar_blocks(&mut self, bytes: &[u8], most: u64) -> usize {
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
        self.state = state_at(self.state, bytes, known, end);
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
        let mut state = state_at(self.state, bytes, known, first);
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
        self.state = state_at(self.state, bytes, known, start);
        let (state, graphemes, end) = walk_block(self.state, window, start.wrapping_sub(at));
        self.state = state;
        self.graphemes = self.graphemes.wrapping_add(graphemes);
        at.wrapping_add(end)
    }
}

/// The window of the block at `at`, if the text goes on long enough.
#[inline(always)]
pub(super) fn window(bytes: &[u8], at: usize) -> Option<&Window> {
    bytes.get(at.wrapping_sub(BEFORE)..)?.first_chunk()
}

/// The window of the wide block at `at`, if the text goes on long enough.
#[inline(always)]
fn wide_window(bytes: &[u8], at: usize) -> Option<&WideWindow> {
    bytes.get(at.wrapping_sub(1)..)?.first_chunk()
}

/// No fewer clusters than the bytes before the first block have.
const FIRST: u64 = BEFORE as u64;

/// At most so many wide blocks go in single ones before a wide one is tried again.
const MOST_PATIENCE: u32 = 16;

/// Where more scalars of a block are unsure, looking at each does not pay.
#[cfg(feature = "std")]
const DENSE: u32 = 8;
