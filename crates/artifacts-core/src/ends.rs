//! The longest prefix and suffix of whole clusters within a budget.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::Unit;
use crate::limit::Budget;

/// A piece of a text between two grapheme boundaries, and how many clusters it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    pub(crate) graphemes: u64,
}

impl<'a> Part<'a> {
    /// The piece before `edge`, a line edge.
    pub(crate) fn up_to(self, edge: usize) -> Self {
        let (text, removed) = self.text.split_at(edge);
        self.without(text, removed)
    }

    /// The piece from `edge`, a line edge.
    pub(crate) fn after(self, edge: usize) -> Self {
        let (removed, text) = self.text.split_at(edge);
        self.without(text, removed)
    }

    fn without(self, text: &'a str, removed: &str) -> Self {
        Self {
            text,
            graphemes: self
                .graphemes
                .saturating_sub(cost(removed, Unit::Graphemes)),
        }
    }

    /// What of a budget in `unit` the piece takes.
    pub(crate) fn cost(&self, unit: Unit) -> Budget {
        Budget {
            units: cost(self.text, unit),
            bytes: self.text.len() as u64,
        }
    }

    /// Whether the piece is within a budget in `unit`.
    pub(crate) fn within(&self, unit: Unit, budget: Budget) -> bool {
        let cost = self.cost(unit);
        cost.units <= budget.units && cost.bytes <= budget.bytes
    }
}

/// The longest prefix of whole clusters within `budget`.
pub(crate) fn prefix(text: &str, unit: Unit, budget: Budget) -> Part<'_> {
    let (length, graphemes) = span(text.graphemes(true), unit, budget);
    Part {
        text: text.split_at(length).0,
        graphemes,
    }
}

/// The longest suffix of whole clusters within `budget`.
pub(crate) fn suffix(text: &str, unit: Unit, budget: Budget) -> Part<'_> {
    let (length, graphemes) = span(text.graphemes(true).rev(), unit, budget);
    Part {
        text: text.split_at(text.len().saturating_sub(length)).1,
        graphemes,
    }
}

pub(crate) fn span<'a>(
    clusters: impl Iterator<Item = &'a str>,
    unit: Unit,
    budget: Budget,
) -> (usize, u64) {
    let (mut length, mut used, mut graphemes) = (0_usize, 0_u64, 0_u64);
    for cluster in clusters {
        let longer = length.saturating_add(cluster.len());
        let more = used.saturating_add(cost(cluster, unit));
        if more > budget.units || longer as u64 > budget.bytes {
            break;
        }
        (length, used, graphemes) = (longer, more, graphemes.saturating_add(1));
    }
    (length, graphemes)
}

/// How many of `unit` (tokens as scalars) `text` has.
pub(crate) fn cost(text: &str, unit: Unit) -> u64 {
    match unit {
        Unit::Graphemes => text.graphemes(true).count() as u64,
        Unit::Bytes => text.len() as u64,
        Unit::Scalars | Unit::Tokens => text.chars().count() as u64,
    }
}
