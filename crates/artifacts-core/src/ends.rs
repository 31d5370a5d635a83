//! The longest prefix and suffix of whole clusters within a budget.

use crate::Unit;
use crate::limit::Budget;
use crate::segment::{Counter, State, boundary_at_or_after, boundary_at_or_before, floor};

/// A piece of a text between two grapheme boundaries, and how many clusters it has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    pub(crate) graphemes: u64,
}

impl<'a> Part<'a> {
    /// A piece whose clusters are not counted yet.
    fn counted(text: &'a str) -> Self {
        Self {
            text,
            graphemes: count(text),
        }
    }

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
            graphemes: self.graphemes.saturating_sub(count(removed)),
        }
    }

    /// What of a budget in `unit` the piece takes.
    pub(crate) fn cost(&self, unit: Unit) -> Budget {
        let bytes = self.text.len() as u64;
        let units = match unit {
            Unit::Graphemes => self.graphemes,
            Unit::Bytes => bytes,
            Unit::Scalars | Unit::Tokens => self.text.chars().count() as u64,
        };
        Budget { units, bytes }
    }

    /// Whether the piece is within a budget in `unit`.
    pub(crate) fn within(&self, unit: Unit, budget: Budget) -> bool {
        let cost = self.cost(unit);
        cost.units <= budget.units && cost.bytes <= budget.bytes
    }
}

/// The longest prefix of whole clusters within `budget`. Reads little more than that.
pub(crate) fn prefix(text: &str, unit: Unit, budget: Budget) -> Part<'_> {
    let most = position(budget.bytes, text);
    let end = match unit {
        Unit::Graphemes => {
            let (within, _) = text.split_at(floor(text, most));
            let mut counter = Counter::default();
            let end = counter.advance(within, budget.units);
            if end < within.len() || end == text.len() {
                let (text, _) = text.split_at(end);
                return Part {
                    text,
                    graphemes: counter.graphemes,
                };
            }
            most
        }
        Unit::Bytes => most.min(position(budget.units, text)),
        Unit::Scalars | Unit::Tokens => {
            let scalars = usize::try_from(budget.units).unwrap_or(usize::MAX);
            let end = text
                .char_indices()
                .nth(scalars)
                .map_or(text.len(), |(at, _)| at);
            most.min(end)
        }
    };
    Part::counted(text.split_at(boundary_at_or_before(text, end)).0)
}

/// The longest suffix of whole clusters within `budget`. Reads little more than that.
pub(crate) fn suffix(text: &str, unit: Unit, budget: Budget) -> Part<'_> {
    suffix_after(State::START, text, unit, budget)
}

/// As [`suffix`] for a text that follows one that ended in `state`, and that has more bytes than
/// the budget.
pub(crate) fn suffix_after(state: State, text: &str, unit: Unit, budget: Budget) -> Part<'_> {
    let back = |bytes: u64| text.len().saturating_sub(position(bytes, text));
    let least = match unit {
        Unit::Graphemes => back(budget.bytes),
        Unit::Bytes => back(budget.bytes.min(budget.units)),
        Unit::Scalars | Unit::Tokens => {
            let scalars = usize::try_from(budget.units).unwrap_or(usize::MAX);
            let start = match scalars.checked_sub(1) {
                Some(before) => text.char_indices().nth_back(before).map_or(0, |(at, _)| at),
                None => text.len(),
            };
            start.max(back(budget.bytes))
        }
    };
    let least = boundary_at_or_after(state, text, least);
    let part = text.split_at(least).1;
    match unit {
        Unit::Graphemes => last_clusters(part, budget.units),
        Unit::Bytes | Unit::Scalars | Unit::Tokens => Part::counted(part),
    }
}

/// The last `most` clusters of `text`, which begins with one.
fn last_clusters(text: &str, most: u64) -> Part<'_> {
    let mut reach = position(most, text);
    // Both places are boundaries: what is between them is counted once.
    let (mut from, mut graphemes) = (text.len(), 0_u64);
    loop {
        let (longer, _) = text.split_at(from);
        let further = boundary_at_or_before(longer, text.len().saturating_sub(reach));
        graphemes = graphemes.saturating_add(count(longer.split_at(further).1));
        from = further;
        let (_, window) = text.split_at(from);
        if graphemes >= most || from == 0 {
            let surplus = graphemes.saturating_sub(most);
            let start = Counter::default().advance(window, surplus);
            return Part {
                text: window.split_at(start).1,
                graphemes: graphemes.min(most),
            };
        }
        // What is missing has probably clusters of the same length.
        let length = (window.len() as u64).div_ceil(graphemes.max(1)).max(2);
        let missing = most.saturating_sub(graphemes).saturating_mul(length);
        let longer = reach.saturating_add(position(missing, text));
        reach = longer.saturating_add(64);
    }
}

/// How many clusters `text` has.
fn count(text: &str) -> u64 {
    let mut counter = Counter::default();
    counter.update(text);
    counter.graphemes
}

/// The position after `bytes` bytes, or the end of `text`.
fn position(bytes: u64, text: &str) -> usize {
    usize::try_from(bytes).map_or(text.len(), |bytes| bytes.min(text.len()))
}
