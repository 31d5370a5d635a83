//! Where the clusters of a block begin, told from its bytes alone with vector instructions.
//!
//! Most scalars need no automaton. One that joins whatever is before it, a *mark*, begins a
//! cluster only after a control. One that is no mark and has no joiner or prefix before it always
//! begins one. Where it may depend on more, the scalar is *unsure*, and the counter asks the
//! automaton. The comparisons may call a scalar unsure that is not, never the other way round: a
//! test looks at every scalar there is, before and after each kind of scalar.

use fearless_simd::{Simd, SimdInt as _, SimdMask as _, mask8x64, u8x64};

use super::leads::{of_e0, of_four, of_three, of_two};
use super::screen::{BEFORE, BLOCK, Window};

/// What the bytes of a block tell; bit n stands for byte n of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Joints {
    /// Where a scalar begins.
    pub(crate) scalars: u64,
    /// Line feeds.
    pub(crate) newlines: u64,
    /// Where a cluster begins, unless the scalar is unsure.
    pub(crate) begins: u64,
    /// Scalars that the automaton decides.
    pub(crate) unsure: u64,
}

/// Looks at the block of a window.
#[inline(always)]
pub(crate) fn joints<S: Simd>(simd: S, window: &Window) -> Joints {
    let bytes = Bytes::of(simd, window);
    let x = bytes.at::<0>();
    let scalars = !bits((x & 0xC0).simd_eq(0x80));
    let newlines = bits(x.simd_eq(b'\n'));
    let mut begins = scalars;
    if newlines != 0 {
        begins &= !(newlines & bits(bytes.at::<-1>().simd_eq(b'\r')));
    }
    let e0 = bits(x.simd_eq(0xE0));
    let (joined, mut unsure) = joining(simd, window, e0, u64::MAX);
    begins &= !joined;
    if joined != 0 {
        begins |= joined & bits(bytes.after_ascii_control());
        unsure |= joined & bits(bytes.after_wide_control());
    }
    // Those with the lead byte E0 were looked at.
    let others = joined & !e0;
    if others != 0 {
        unsure |= others & bits(bytes.after_virama());
    }
    if others != 0 || bytes.joiner_before() {
        unsure |= bits(bytes.after_joiner()) & scalars & !joined;
    }
    Joints {
        scalars,
        newlines,
        begins,
        unsure,
    }
}

/// Scalars among `complete` that may join a neighbour.
#[inline(always)]
pub(super) fn may_join<S: Simd>(simd: S, window: &Window, complete: u64) -> u64 {
    let e0 = bits(Bytes::of(simd, window).at::<0>().simd_eq(0xE0));
    let (joined, unsure) = joining(simd, window, e0 & complete, complete);
    (joined | unsure) & complete
}

/// Scalars that join whatever is before them, unless that is a control; and scalars that the
/// automaton decides. `e0` are those with that lead byte; others than those of `scalars` may be
/// left out.
#[inline(always)]
fn joining<S: Simd>(simd: S, window: &Window, e0: u64, scalars: u64) -> (u64, u64) {
    let x = Bytes::of(simd, window).at::<0>();
    let near = bits(near_joining(x)) & scalars;
    let (mut joined, mut unsure) = (0, 0);
    if near != 0 {
        let mut add = |(of_joined, of_unsure)| {
            joined |= of_joined;
            unsure |= of_unsure;
        };
        let (three, four) = (bits(x.simd_ge(0xE0)), bits(x.simd_ge(0xF0)));
        if near & !three != 0 {
            add(of_two(simd, window));
        }
        if e0 != 0 {
            add(of_e0(simd, window, e0));
        }
        if near & three & !(four | e0) != 0 {
            add(of_three(simd, window));
        }
        if near & four != 0 {
            add(of_four(simd, window));
        }
    }
    (joined, unsure)
}

/// A window, read from each of its places at once.
pub(super) struct Bytes<'a, S> {
    simd: S,
    window: &'a Window,
}

impl<'a, S: Simd> Bytes<'a, S> {
    pub(super) fn of(simd: S, window: &'a Window) -> Self {
        Self { simd, window }
    }

    /// For each byte of the block, the byte `AHEAD` places after it.
    #[inline(always)]
    pub(super) fn at<const AHEAD: isize>(&self) -> u8x64<S> {
        let from = BEFORE.wrapping_add_signed(AHEAD);
        let bytes = self.window.get(from..).and_then(<[u8]>::first_chunk);
        self.simd.load_array_ref_u8x64(bytes.unwrap_or(&[0; BLOCK]))
    }

    /// Whether a zero width joiner ends before the first scalar of the block.
    #[inline(always)]
    fn joiner_before(&self) -> bool {
        // The five bytes before the block and the first three of it: a joiner may reach into it.
        let around = self.window.get(BEFORE.wrapping_sub(5)..);
        let around = around.and_then(<[u8]>::first_chunk).copied();
        let around = u64::from_be_bytes(around.unwrap_or_default());
        let ends = |bits: u32| around >> bits & 0xFF_FFFF == 0xE2_808D;
        ends(24) | ends(16) | ends(8)
    }

    /// Where a zero width joiner ends.
    #[inline(always)]
    fn after_joiner(&self) -> mask8x64<S> {
        self.after([0xE2, 0x80, 0x8D])
    }

    /// Where a Devanagari virama ends.
    #[inline(always)]
    pub(super) fn after_virama(&self) -> mask8x64<S> {
        self.after([0xE0, 0xA5, 0x8D])
    }

    #[inline(always)]
    fn after(&self, [x, y, z]: [u8; 3]) -> mask8x64<S> {
        self.at::<-3>().simd_eq(x) & self.at::<-2>().simd_eq(y) & self.at::<-1>().simd_eq(z)
    }

    #[inline(always)]
    fn after_ascii_control(&self) -> mask8x64<S> {
        let before = self.at::<-1>();
        before.simd_le(0x1F) | before.simd_eq(0x7F)
    }

    /// Where a scalar ends that may be a control of two or three bytes. Those of four are unsure
    /// themselves, as is U+180E.
    #[inline(always)]
    fn after_wide_control(&self) -> mask8x64<S> {
        let (third, second) = (self.at::<-3>(), self.at::<-2>());
        // U+0080..U+00BF, U+0600..U+063F, U+2000..U+207F, U+FEC0..U+FFFF.
        second.simd_eq(0xC2)
            | second.simd_eq(0xD8)
            | (third.simd_eq(0xE2) & second.simd_le(0x81))
            | (third.simd_eq(0xEF) & second.simd_ge(0xBB))
    }
}

/// The bits of a mask.
#[inline(always)]
pub(super) fn bits<S: Simd>(mask: mask8x64<S>) -> u64 {
    mask.to_bitmask()
}

/// The lead bytes of scalars among which there are some that join.
#[inline(always)]
fn near_joining<S: Simd>(x: u8x64<S>) -> mask8x64<S> {
    // Greek and most of Cyrillic, Han, most of Hangul.
    let plain = within(x, 0xCE, 0xD1) | within(x, 0xE4, 0xE9) | within(x, 0xEB, 0xEC);
    x.simd_ge(0xCC) & !plain
}

/// The bytes from `low` to `high`.
#[inline(always)]
#[expect(clippy::arithmetic_side_effects, reason = "each lane wraps")]
pub(super) fn within<S: Simd>(x: u8x64<S>, low: u8, high: u8) -> mask8x64<S> {
    (x - low).simd_le(high.wrapping_sub(low))
}
