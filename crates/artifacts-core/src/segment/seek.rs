//! Finding cluster boundaries near a position without reading the text before it.

use super::automaton::{Pair, State};
use super::class::class_of;

/// The last cluster boundary of `text` at or before `at`.
pub(crate) fn boundary_at_or_before(text: &str, at: usize) -> usize {
    let mut at = floor(text, at);
    loop {
        match pair_at(text, at) {
            None | Some(Pair::Parted) => return at,
            Some(Pair::Joined) => at = previous(text, at),
            Some(Pair::Open) => {
                let from = certain_before(text, at);
                return boundaries(text, from, State::START)
                    .take_while(|boundary| *boundary <= at)
                    .last()
                    .unwrap_or(from);
            }
        }
    }
}

/// The first cluster boundary of `text` at or after `at`, where what was before the text left
/// `state`.
pub(crate) fn boundary_at_or_after(state: State, text: &str, at: usize) -> usize {
    let mut at = ceiling(text, at);
    loop {
        match pair_at(text, at) {
            Some(Pair::Parted) => return at,
            Some(Pair::Joined) => at = next(text, at),
            None if at > 0 => return at,
            None | Some(Pair::Open) => {
                let from = certain_before(text, at);
                let state = if from == 0 { state } else { State::START };
                return boundaries(text, from, state)
                    .find(|boundary| *boundary >= at)
                    .unwrap_or(text.len());
            }
        }
    }
}

/// A boundary at or before `at` that is one whatever is before it; 0 if there is none.
pub(crate) fn certain_before(text: &str, at: usize) -> usize {
    let mut at = floor(text, at);
    while at > 0 && pair_at(text, at) != Some(Pair::Parted) {
        at = previous(text, at);
    }
    at
}

/// The first boundary after `at` that is one whatever is before it, if `text` has one.
pub(crate) fn certain_after(text: &str, at: usize) -> Option<usize> {
    let mut at = at;
    while at < text.len() {
        at = next(text, at);
        if pair_at(text, at) == Some(Pair::Parted) {
            return Some(at);
        }
    }
    None
}

/// The boundaries of `text` from `from`, where what is before left `state`.
fn boundaries(text: &str, from: usize, state: State) -> impl Iterator<Item = usize> {
    let (_, rest) = text.split_at(from);
    let mut state = state;
    rest.char_indices().filter_map(move |(at, c)| {
        let (next, begins) = state.step(class_of(u32::from(c)));
        state = next;
        (begins == 1).then_some(from.wrapping_add(at))
    })
}

/// The scalars before and after `at`, a scalar boundary; `None` at the ends of the text.
fn pair_at(text: &str, at: usize) -> Option<Pair> {
    let (before, after) = text.split_at(at);
    let before = class_of(u32::from(before.chars().next_back()?));
    let after = class_of(u32::from(after.chars().next()?));
    Some(Pair::of(before, after))
}

/// The scalar boundary before `at`.
fn previous(text: &str, at: usize) -> usize {
    floor(text, at.saturating_sub(1))
}

/// The scalar boundary after `at`.
fn next(text: &str, at: usize) -> usize {
    ceiling(text, at.saturating_add(1))
}

/// The last scalar boundary at or before `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at = at.saturating_sub(1);
    }
    at
}

/// The first scalar boundary at or after `at`.
fn ceiling(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at = at.saturating_add(1);
    }
    at
}
