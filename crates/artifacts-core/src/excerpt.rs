//! The excerpt: head, one marker line, tail.

use alloc::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::limit::Budget;
use crate::{Limit, Marker, Measured, Shape, Unit};

/// The two ends of a text that an excerpt shows: a prefix and a suffix of it, on grapheme
/// boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut<'a> {
    head: &'a str,
    tail: &'a str,
    shown: u64,
}

impl<'a> Cut<'a> {
    /// Cuts `text`, which is larger than both budgets together.
    pub(crate) fn of(text: &'a str, unit: Unit, head: Budget, tail: Budget) -> Self {
        let (length, in_head) = span(text.graphemes(true), unit, head);
        let (head, rest) = text.split_at(length);
        let (length, in_tail) = span(rest.graphemes(true).rev(), unit, tail);
        let (_, tail) = rest.split_at(rest.len().saturating_sub(length));
        Self {
            head,
            tail,
            shown: in_head.saturating_add(in_tail),
        }
    }

    /// The first part, a byte-exact prefix.
    #[must_use]
    pub fn head(&self) -> &'a str {
        self.head
    }

    /// The last part, a byte-exact suffix.
    #[must_use]
    pub fn tail(&self) -> &'a str {
        self.tail
    }

    /// How many graphemes of the text are not shown (SPEC 2.3).
    #[must_use]
    pub fn elided(&self, whole: &Measured) -> u64 {
        whole.measure().graphemes().saturating_sub(self.shown)
    }
}

/// The text itself if it fits `limit`, else its excerpt: `head + "\n" + marker + "\n" + tail`.
///
/// ```
/// use artifacts_core::{Limit, Marker, Measured, NotStored, excerpt};
///
/// let whole = Measured::of(b"0123456789");
/// let marker = Marker::not_stored(NotStored::Other, &whole, 6);
/// let short = excerpt("0123456789", Limit::graphemes(4)?, &marker);
/// assert_eq!(short, format!("012\n{marker}\n9"));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[must_use]
pub fn excerpt<'a>(text: &'a str, limit: Limit, marker: &Marker) -> Cow<'a, str> {
    if limit.fits(text) {
        return Cow::Borrowed(text);
    }
    let shape = Shape::new(limit);
    Cow::Owned(shape.render(&shape.cut(text), marker))
}

/// Length in bytes and graphemes of the longest run of whole clusters within `budget`.
pub(crate) fn span<'a>(
    clusters: impl Iterator<Item = &'a str>,
    unit: Unit,
    budget: Budget,
) -> (usize, u64) {
    let (mut length, mut used, mut graphemes) = (0_usize, 0_u64, 0_u64);
    for cluster in clusters {
        let cost = match unit {
            Unit::Graphemes => 1,
            Unit::Bytes => cluster.len() as u64,
            Unit::Scalars | Unit::Tokens => cluster.chars().count() as u64,
        };
        let (longer, more) = (
            length.saturating_add(cluster.len()),
            used.saturating_add(cost),
        );
        if more > budget.units || longer as u64 > budget.bytes {
            break;
        }
        (length, used, graphemes) = (longer, more, graphemes.saturating_add(1));
    }
    (length, graphemes)
}
