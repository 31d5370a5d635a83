//! The longest start of a text that a limit allows.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::ends::span;
use crate::limit::Budget;
use crate::{Limit, Measure, Unit};

/// The longest run of whole clusters from the start of a text that is within a [`Limit`], and what
/// follows it.
///
/// The rest starts on a cluster boundary of the whole text, so counting the rest alone and adding
/// [`graphemes`](Self::graphemes) gives the count of the whole.
///
/// ```
/// use artifacts_core::{Limit, Measure};
///
/// let prefix = Limit::graphemes(2)?.prefix("abc🇩🇪🇫🇷");
/// assert_eq!((prefix.head(), prefix.rest()), ("ab", "c🇩🇪🇫🇷"));
/// assert_eq!(prefix.graphemes() + Measure::of(prefix.rest()).graphemes(), 5);
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefix<'a> {
    head: &'a str,
    rest: &'a str,
    graphemes: u64,
}

impl<'a> Prefix<'a> {
    /// The start of the text.
    #[must_use]
    pub fn head(&self) -> &'a str {
        self.head
    }

    /// What follows the head; empty if the text is within the limit.
    #[must_use]
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// Grapheme clusters in the head.
    #[must_use]
    pub fn graphemes(&self) -> u64 {
        self.graphemes
    }
}

impl Limit {
    /// Splits `text` where this limit is reached, reading little further than that (SPEC 1.4).
    #[must_use]
    pub fn prefix(self, text: &str) -> Prefix<'_> {
        let (length, graphemes) = match self.unit() {
            Unit::Graphemes => leap(text, self.budget()),
            unit => span(text.graphemes(true), unit, self.budget()),
        };
        let (head, rest) = text.split_at(length);
        Prefix {
            head,
            rest,
            graphemes,
        }
    }
}

/// What `span` finds, by counting pieces instead of visiting clusters.
///
/// As many bytes as clusters are left to take hold no more clusters than that, so such a piece is
/// taken at once, but for its last cluster, which may go on behind the piece. A boundary depends
/// on nothing but what is before it and one scalar after it, so those inside a piece are those of
/// the text.
fn leap(text: &str, budget: Budget) -> (usize, u64) {
    let (mut rest, mut left) = (text, budget);
    while left.units > FEW {
        let most = usize::try_from(left.units.min(left.bytes)).unwrap_or(usize::MAX);
        let (piece, _) = rest.split_at(floor(rest, most));
        let open = match piece.len() == rest.len() {
            true => 0,
            false => piece.graphemes(true).next_back().map_or(0, str::len),
        };
        let (whole, _) = piece.split_at(piece.len().saturating_sub(open));
        if whole.is_empty() {
            break;
        }
        let count = Measure::of(whole).graphemes();
        left.units = left.units.saturating_sub(count);
        left.bytes = left.bytes.saturating_sub(whole.len() as u64);
        (_, rest) = rest.split_at(whole.len());
    }
    let (length, count) = span(rest.graphemes(true), Unit::Graphemes, left);
    let leapt = text.len().saturating_sub(rest.len());
    let counted = budget.units.saturating_sub(left.units);
    (leapt.saturating_add(length), counted.saturating_add(count))
}

/// The last scalar boundary at or before `index`.
fn floor(text: &str, index: usize) -> usize {
    let least = index.saturating_sub(3);
    (least..=index)
        .rev()
        .find(|index| text.is_char_boundary(*index))
        .unwrap_or(text.len())
}

/// Up to so many clusters are visited one by one.
const FEW: u64 = 32;

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn leaping_and_visiting_agree(
            pieces in proptest::collection::vec(
                prop_oneof![
                    Just("a"), Just("plain words "), Just("\r"), Just("\n"), Just("\u{301}"),
                    Just("🇩"), Just("\u{200d}"), Just("👩"), Just("क"), Just("\u{94d}"),
                    Just("\u{600}"), Just("ᄀ"), Just("ᅡ"), Just("界"),
                ],
                0..150,
            ),
            graphemes in 1..200_u64,
        ) {
            let text: Vec<&str> = pieces;
            let text = text.concat();
            let limit = Limit::graphemes(graphemes)?;
            let visited = span(text.graphemes(true), Unit::Graphemes, limit.budget());
            prop_assert_eq!(leap(&text, limit.budget()), visited);
        }
    }

    #[test]
    fn a_cluster_longer_than_a_piece_is_taken_whole_or_not_at_all() {
        let marks = |count: usize| ["e", &"\u{301}".repeat(count), "x"].concat();
        for (count, taken) in [(1, 4), (199, 400), (200, 0)] {
            let text = marks(count);
            let prefix = Limit::graphemes(50)
                .expect("because it is not 0")
                .prefix(&text);
            assert_eq!(prefix.head().len(), taken, "{count} marks");
        }
    }
}
