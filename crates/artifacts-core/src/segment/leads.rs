//! Which scalars of a block are marks or unsure, for groups of lead bytes that have such.
//!
//! The functions are not inlined: a block needs one of them at most, as a rule, and masks that live
//! across branches are slow.

use fearless_simd::{Simd, SimdInt as _, mask8x64, u8x64};

use super::joints::{Bytes, bits, within};
use super::screen::Window;

/// U+0300..U+07FF: diacritical marks and Cyrillic ones one by one, of the right-to-left scripts
/// whatever is not a letter, everything from Syriac to N'Ko.
#[inline(always)]
pub(super) fn of_two<S: Simd>(simd: S, window: &Window) -> (u64, u64) {
    simd.vectorize(
        #[inline(always)]
        || {
            let bytes = Bytes::of(simd, window);
            let (x, y) = (bytes.at::<0>(), bytes.at::<1>());
            let diacritical = x.simd_eq(0xCC) | (x.simd_eq(0xCD) & y.simd_le(0xAF));
            let cyrillic = x.simd_eq(0xD2) & within(y, 0x83, 0x89);
            let hebrew = (x.simd_eq(0xD6) & y.simd_ge(0x91)) | (x.simd_eq(0xD7) & y.simd_le(0x87));
            let arabic = (x.simd_eq(0xD8) & (y.simd_le(0x85) | within(y, 0x90, 0x9A)))
                | (x.simd_eq(0xD9) & (within(y, 0x8B, 0x9F) | y.simd_eq(0xB0)))
                | (x.simd_eq(0xDB) & y.simd_ge(0x96));
            let other = within(x, 0xDC, 0xDF);
            (bits(diacritical | cyrillic), bits(hebrew | arabic | other))
        },
    )
}

/// U+0800..U+0FFF: Devanagari and Thai marks one by one, everything of the other scripts.
/// `scalars` are those with the lead byte E0.
#[inline(always)]
pub(super) fn of_e0<S: Simd>(simd: S, window: &Window, scalars: u64) -> (u64, u64) {
    simd.vectorize(
        #[inline(always)]
        || {
            let bytes = Bytes::of(simd, window);
            let (y, z) = (bytes.at::<1>(), bytes.at::<2>());
            let thai = scalars & bits((y & 0xFE).simd_eq(0xB8));
            let devanagari = scalars & bits((y & 0xFE).simd_eq(0xA4));
            let mut joined = 0;
            let mut unsure = scalars & !(thai | devanagari);
            if thai != 0 {
                // U+0E31, U+0E33..U+0E3A, U+0E47..U+0E4E.
                let first = y.simd_eq(0xB8) & (within(z, 0xB3, 0xBA) | z.simd_eq(0xB1));
                let second = y.simd_eq(0xB9) & within(z, 0x87, 0x8E);
                joined = thai & bits(first | second);
                unsure |= joined & bits(bytes.after_virama());
            }
            if devanagari != 0 {
                let marks = devanagari & bits(devanagari_mark(y, z));
                let consonants = devanagari & bits(consonant(y, z));
                let after_virama = bits(bytes.after_virama());
                let before = bytes.at::<-6>().simd_eq(0xE0);
                let before = before & consonant(bytes.at::<-5>(), bytes.at::<-4>());
                let conjuncts = after_virama & consonants & bits(before);
                joined |= marks | conjuncts;
                unsure |= after_virama & (marks | (consonants & !conjuncts));
            }
            (joined, unsure)
        },
    )
}

/// U+0900..U+0903, U+093A..U+093C, U+093E..U+094F, U+0951..U+0957, U+0962..U+0963, by their second
/// and third byte.
#[inline(always)]
fn devanagari_mark<S: Simd>(y: u8x64<S>, z: u8x64<S>) -> mask8x64<S> {
    let low = z.simd_le(0x83) | (z.simd_ge(0xBA) & !z.simd_eq(0xBD));
    let high = (z.simd_le(0x97) & !z.simd_eq(0x90)) | (z & 0xFE).simd_eq(0xA2);
    (y.simd_eq(0xA4) & low) | (y.simd_eq(0xA5) & high)
}

/// U+0915..U+0939, U+0958..U+095F, U+0978..U+097F, by their second and third byte.
#[inline(always)]
fn consonant<S: Simd>(y: u8x64<S>, z: u8x64<S>) -> mask8x64<S> {
    let low = within(z, 0x95, 0xB9);
    let high = within(z, 0x98, 0x9F) | z.simd_ge(0xB8);
    (y.simd_eq(0xA4) & low) | (y.simd_eq(0xA5) & high)
}

/// U+1000..U+FFFF: the joiners and the marks of punctuation, kana and variants one by one, of the
/// scripts among them everything that is not a Hangul syllable.
#[inline(always)]
pub(super) fn of_three<S: Simd>(simd: S, window: &Window) -> (u64, u64) {
    simd.vectorize(
        #[inline(always)]
        || {
            let bytes = Bytes::of(simd, window);
            let (x, y, z) = (bytes.at::<0>(), bytes.at::<1>(), bytes.at::<2>());
            // U+200C..U+200D, U+20D0..U+20F0.
            let joiners = y.simd_eq(0x80) & (z & 0xFE).simd_eq(0x8C);
            let enclosing = y.simd_eq(0x83) & within(z, 0x90, 0xB0);
            let e2 = x.simd_eq(0xE2) & (joiners | enclosing);
            // U+302A..U+302F, U+3099..U+309A.
            let tones = y.simd_eq(0x80) & within(z, 0xAA, 0xAF);
            let voicing = y.simd_eq(0x82) & within(z, 0x99, 0x9A);
            let e3 = x.simd_eq(0xE3) & (tones | voicing);
            // U+FB1E, U+FE00..U+FE0F, U+FE20..U+FE2F, U+FF9E..U+FF9F.
            let hebrew = y.simd_eq(0xAC) & z.simd_eq(0x9E);
            let selectors = y.simd_eq(0xB8) & (z & 0xDF).simd_le(0x8F);
            let half_width = y.simd_eq(0xBE) & (z & 0xFE).simd_eq(0x9E);
            let ef = x.simd_eq(0xEF) & (hebrew | selectors | half_width);
            // U+1000..U+1DFF, of U+2CC0..U+2DFF, U+A000..U+ABFF, U+D7B0..U+D7FF.
            let blocks = y.simd_eq(0xB3) | y.simd_eq(0xB5) | y.simd_eq(0xB7);
            let jamo = y.simd_eq(0x9F) | (y.simd_eq(0x9E) & z.simd_ge(0xB0));
            let unsure = (x.simd_eq(0xE1) & y.simd_le(0xB7))
                | (x.simd_eq(0xE2) & blocks)
                | (x.simd_eq(0xEA) & y.simd_le(0xAF))
                | (x.simd_eq(0xED) & jamo);
            (bits(e2 | e3 | ef), bits(unsure))
        },
    )
}

/// From U+10000: the skin tones one by one; regional indicators with what surrounds them, everything
/// else of plane 1 but for emoji, everything from U+C0000 to U+FFFFF.
#[inline(always)]
pub(super) fn of_four<S: Simd>(simd: S, window: &Window) -> (u64, u64) {
    simd.vectorize(
        #[inline(always)]
        || {
            let bytes = Bytes::of(simd, window);
            let (x, y, z) = (bytes.at::<0>(), bytes.at::<1>(), bytes.at::<2>());
            let emoji = x.simd_eq(0xF0) & y.simd_eq(0x9F);
            let tones = emoji & z.simd_eq(0x8F) & bytes.at::<3>().simd_ge(0xBB);
            let indicators = emoji & z.simd_eq(0x87);
            let others = x.simd_eq(0xF0) & y.simd_le(0x9E);
            (bits(tones), bits(indicators | others | x.simd_eq(0xF3)))
        },
    )
}
