//! Decoding bytes that arrive piece by piece, as `String::from_utf8_lossy` decodes the whole.

use alloc::borrow::Cow;

use super::count::Counter;
use super::lossy;

/// Decodes `bytes` as `String::from_utf8_lossy` does: one U+FFFD for each maximal invalid subpart
/// (SPEC 1.7). Faster than that where errors are dense; valid text is borrowed.
///
/// ```
/// use artifacts_core::decode_lossy;
///
/// assert_eq!(decode_lossy(b"a\xF0\x9Fb"), "a\u{FFFD}b");
/// ```
#[must_use]
pub fn decode_lossy(bytes: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(lossy::decode(bytes)),
    }
}

/// How many invalid subparts `bytes` have: as many U+FFFD [`decode_lossy`] puts into their text.
///
/// ```
/// use artifacts_core::count_invalid;
///
/// assert_eq!(count_invalid(b"a\xF0\x9Fb\xFF"), 2);
/// assert_eq!(count_invalid("a\u{FFFD}b".as_bytes()), 0);
/// ```
#[must_use]
pub fn count_invalid(bytes: &[u8]) -> u64 {
    Counter::default().update_lossy(bytes)
}

/// A piece of the decoded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decoded<'a> {
    /// Bytes that are valid.
    Valid(&'a str),
    /// Whole units, of which some are no scalars: each of these is one U+FFFD.
    Invalid(&'a [u8]),
}

impl<'a> Decoded<'a> {
    /// What it was decoded from.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Valid(text) => text.as_bytes(),
            Self::Invalid(bytes) => bytes,
        }
    }
}

/// Decodes pieces of bytes and holds the start of a sequence that the next piece may complete.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Decoder {
    held: [u8; 4],
    length: usize,
}

impl Decoder {
    /// Decodes the next bytes.
    pub(crate) fn update(&mut self, bytes: &[u8], mut sink: impl FnMut(Decoded<'_>)) {
        let bytes = self.complete(bytes, &mut sink);
        let (whole, open) = bytes.split_at(bytes.len().saturating_sub(open_end(bytes)));
        match simdutf8::basic::from_utf8(whole) {
            Ok("") => {}
            Ok(text) => sink(Decoded::Valid(text)),
            Err(_) => sink(Decoded::Invalid(whole)),
        }
        self.hold(open);
    }

    /// Ends the text: what is held is an invalid subpart.
    pub(crate) fn finish(self, mut sink: impl FnMut(Decoded<'_>)) {
        if self.length > 0 {
            sink(Decoded::Invalid(self.held()));
        }
    }

    /// Completes what is held with the first bytes; the bytes it did not need.
    fn complete<'a>(&mut self, bytes: &'a [u8], sink: &mut impl FnMut(Decoded<'_>)) -> &'a [u8] {
        let mut rest = bytes;
        while self.length > 0 {
            let Some((byte, behind)) = rest.split_first() else {
                break;
            };
            let mut longer = *self;
            longer.hold_one(*byte);
            match core::str::from_utf8(longer.held()) {
                Ok(text) => {
                    sink(Decoded::Valid(text));
                    self.length = 0;
                    rest = behind;
                }
                Err(error) if error.error_len().is_none() => {
                    *self = longer;
                    rest = behind;
                }
                // What was held is a maximal subpart; the byte after it begins anew.
                Err(_) => {
                    sink(Decoded::Invalid(self.held()));
                    self.length = 0;
                }
            }
        }
        rest
    }

    fn held(&self) -> &[u8] {
        self.held.get(..self.length).unwrap_or_default()
    }

    fn hold(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.hold_one(*byte);
        }
    }

    fn hold_one(&mut self, byte: u8) {
        if let Some(slot) = self.held.get_mut(self.length) {
            *slot = byte;
            self.length = self.length.saturating_add(1);
        }
    }
}

/// How many bytes at the end begin a sequence that more bytes could complete: at most three.
fn open_end(bytes: &[u8]) -> usize {
    let lead = bytes.iter().rev().take(3).position(|byte| *byte >= 0xC0);
    let Some(length) = lead.and_then(|back| back.checked_add(1)) else {
        return 0;
    };
    let start = bytes.len().saturating_sub(length);
    let end = bytes.get(start..).unwrap_or_default();
    match core::str::from_utf8(end) {
        Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() => length,
        _ => 0,
    }
}
