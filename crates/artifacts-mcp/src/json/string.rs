//! Where a JSON string ends, and where its escapes are, found with vector instructions where the machine has them.

use fearless_simd::{Level, Simd, SimdInt as _, SimdMask as _};

/// How many bytes a string has with the quote that ends it, from behind the one that begins it;
/// `None` if it doesn't end, or holds what no string does.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    match Level::new() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(simd) => length_with(simd, bytes),
        #[cfg(target_arch = "aarch64")]
        Level::Neon(simd) => length_with(simd, bytes),
        _ => length_from(bytes, 0),
    }
}

/// Hands the place of each backslash of a string to `take`, which returns where it read on to: a
/// backslash before that is passed over. Ends early where `take` returns `None`.
pub(super) fn each_escape(bytes: &[u8], take: impl FnMut(usize) -> Option<usize>) -> Option<()> {
    match Level::new() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(simd) => each_escape_with(simd, bytes, take),
        #[cfg(target_arch = "aarch64")]
        Level::Neon(simd) => each_escape_with(simd, bytes, take),
        _ => each_escape_from(bytes, 0, take),
    }
}

#[inline(always)]
fn each_escape_with<S: Simd>(
    simd: S,
    bytes: &[u8],
    mut take: impl FnMut(usize) -> Option<usize>,
) -> Option<()> {
    simd.vectorize(
        #[inline(always)]
        || {
            let (blocks, _) = bytes.as_chunks::<BLOCK>();
            let mut read = 0;
            for (index, block) in blocks.iter().enumerate() {
                let x = simd.load_array_ref_u8x64(block);
                let mut escapes = x.simd_eq(b'\\').to_bitmask();
                while escapes != 0 {
                    let at = index * BLOCK + escapes.trailing_zeros() as usize;
                    escapes &= escapes - 1;
                    if at >= read {
                        read = take(at)?;
                    }
                }
            }
            each_escape_from(bytes, read.max(blocks.len() * BLOCK), take)
        },
    )
}

/// The same from `at` on, without vectors.
fn each_escape_from(
    bytes: &[u8],
    mut at: usize,
    mut take: impl FnMut(usize) -> Option<usize>,
) -> Option<()> {
    while let Some(found) = memchr::memchr(b'\\', bytes.get(at..)?) {
        at = take(at + found)?;
    }
    Some(())
}

#[inline(always)]
fn length_with<S: Simd>(simd: S, bytes: &[u8]) -> Option<usize> {
    simd.vectorize(
        #[inline(always)]
        || {
            let (blocks, _) = bytes.as_chunks::<BLOCK>();
            // Up to here the bytes are read: an escape may reach into the next block.
            let mut read = 0;
            for (index, block) in blocks.iter().enumerate() {
                let start = index * BLOCK;
                let mut special = special(simd, block);
                while special != 0 {
                    let at = start + special.trailing_zeros() as usize;
                    special &= special - 1;
                    if at < read {
                        continue;
                    }
                    match step(bytes, at)? {
                        Step::End(length) => return Some(length),
                        Step::Escape(end) => read = end,
                    }
                }
            }
            length_from(bytes, read.max(blocks.len() * BLOCK))
        },
    )
}

/// Quotes, backslashes and control characters; bit n stands for byte n.
#[inline(always)]
fn special<S: Simd>(simd: S, block: &[u8; BLOCK]) -> u64 {
    let x = simd.load_array_ref_u8x64(block);
    (x.simd_eq(b'"') | x.simd_eq(b'\\') | x.simd_le(0x1F)).to_bitmask()
}

const BLOCK: usize = 64;

/// The same from `at` on, without vectors.
fn length_from(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += plain_length(bytes.get(at..)?);
        match step(bytes, at)? {
            Step::End(length) => return Some(length),
            Step::Escape(end) => at = end,
        }
    }
}

/// How many bytes come before the first special one.
fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    // Eight bytes at a time: in `special` the highest bit of the first special byte is set, and
    // none before it (Mycroft's way to find a zero).
    let first = words.iter().enumerate().find_map(|(index, word)| {
        let word = u64::from_le_bytes(*word);
        let quote = word ^ (ONES * u64::from(b'"'));
        let backslash = word ^ (ONES * u64::from(b'\\'));
        let special = (word.wrapping_sub(ONES * 0x20) & !word)
            | (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash);
        let special = special & (ONES << 7);
        (special != 0).then(|| index * 8 + special.trailing_zeros() as usize / 8)
    });
    first.unwrap_or_else(|| {
        let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
        let plain = rest.iter().position(is_special).unwrap_or(rest.len());
        words.len() * 8 + plain
    })
}

const ONES: u64 = u64::MAX / 255;

/// What a special byte is.
enum Step {
    /// The end of the string, which has so many bytes.
    End(usize),
    /// An escape up to there.
    Escape(usize),
}

#[inline(always)]
fn step(bytes: &[u8], at: usize) -> Option<Step> {
    match bytes.get(at..)? {
        [b'"', ..] => Some(Step::End(at + 1)),
        [
            b'\\',
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
            ..,
        ] => Some(Step::Escape(at + 2)),
        [b'\\', b'u', digits @ ..] => {
            let digits = digits.first_chunk::<4>()?;
            let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
            is_hex.then_some(Step::Escape(at + 6))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_string_ends_at_the_first_quote_that_is_no_escape() {
        for before in 0..200 {
            let plain = "x".repeat(before);
            for escape in ["", "\\\"", "\\\\", "\\u0022", "\\\\\\\"", "é"] {
                let text = format!("{plain}{escape}\", \"{plain}");
                let end = before + escape.len() + 1;
                assert_eq!(length(text.as_bytes()), Some(end), "{text}");
            }
            for broken in [
                "",
                "\\",
                "\\x\"",
                "\\u00\"",
                "\\u002g\"",
                "\n\"",
                "\u{1f}\"",
            ] {
                assert_eq!(length(format!("{plain}{broken}").as_bytes()), None);
            }
        }
    }

    proptest! {
        #[test]
        fn vectors_find_what_single_bytes_do(
            text in r#"([a-z"é]{0,3}|\\[\\"nu]|\\u00[0-9]{0,2}|[a-z]{60,66}|\x1f){0,9}"#,
        ) {
            prop_assert_eq!(length(text.as_bytes()), length_from(text.as_bytes(), 0));
        }

        #[test]
        fn vectors_find_the_escapes_that_single_bytes_do(
            text in r#"([a-z]{0,3}|\\[\\"nu]|[a-z]{60,66}){0,9}"#,
            steps in prop::collection::vec(1_usize..8, 1..9),
        ) {
            let bytes = text.as_bytes();
            let take = |found: &mut Vec<usize>, at: usize| {
                found.push(at);
                let end = at + steps[found.len() % steps.len()];
                (end <= bytes.len()).then_some(end)
            };
            let (mut by_vectors, mut by_bytes) = (Vec::new(), Vec::new());
            let end = each_escape(bytes, |at| take(&mut by_vectors, at));
            let same = each_escape_from(bytes, 0, |at| take(&mut by_bytes, at));
            prop_assert_eq!((end, by_vectors), (same, by_bytes));
        }
    }
}
