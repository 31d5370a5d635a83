//! The longest start of a text that a limit allows.

use crate::{Limit, ends};

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
        let head = ends::prefix(text, self.unit(), self.budget());
        Prefix {
            head: head.text,
            rest: text.split_at(head.text.len()).1,
            graphemes: head.graphemes,
        }
    }
}
