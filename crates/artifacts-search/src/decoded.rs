//! Bytes that may be no UTF-8 as the text that is asked, and the way back to the bytes.

use std::borrow::Cow;
use std::ops::Range;

use artifacts_core::decode_lossy;

/// The text of an artifact's bytes: as it is, or with U+FFFD for what is not UTF-8 (SPEC 1.7).
///
/// ```
/// use artifacts_search::{Decoded, Expand};
///
/// let bytes = b"\xFF\xFE port 8125";
/// let decoded = Decoded::of(bytes);
/// let answer = Expand::of(1).answer(decoded.text(), "Which port?")?;
/// let ranges = decoded.in_bytes(answer.passages().iter().map(|passage| passage.bytes()));
/// assert_eq!(ranges, [0..bytes.len()]);
/// # Ok::<(), artifacts_search::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Decoded<'a> {
    bytes: &'a [u8],
    text: Cow<'a, str>,
}

impl<'a> Decoded<'a> {
    /// Decodes `bytes`.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            text: decode_lossy(bytes),
        }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where `ranges` of the text are in the bytes. A range that ends in the midst of a scalar ends
    /// there; one beyond the text ends where the bytes do. One pass over bytes that are not UTF-8,
    /// none over others.
    #[must_use]
    pub fn in_bytes(&self, ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
        let mut ranges = ranges.into_iter().collect::<Vec<_>>();
        if matches!(self.text, Cow::Borrowed(_)) {
            return ranges;
        }
        let mut places = ranges
            .iter_mut()
            .flat_map(|range| [&mut range.start, &mut range.end])
            .collect::<Vec<_>>();
        places.sort_unstable();
        let mut places = places.into_iter().peekable();
        let (mut text, mut bytes) = (0, 0);
        for chunk in self.bytes.utf8_chunks() {
            let valid = chunk.valid().len();
            // What is replaced belongs to what is before the end of its replacement.
            while let Some(place) = places.next_if(|place| **place <= text + valid) {
                *place = bytes + (*place - text);
            }
            text += valid;
            bytes += valid + chunk.invalid().len();
            if !chunk.invalid().is_empty() {
                text += char::REPLACEMENT_CHARACTER.len_utf8();
            }
        }
        for place in places {
            *place = self.bytes.len();
        }
        ranges
    }
}
