//! Finding cluster boundaries near a position, reading no more of the text before it than decides.
//!
//! Two neighbours tell whether a cluster ends between them, but for two cases. After marks it may
//! depend on the scalar that these follow. Between two regional indicators it depends on how many
//! there are before: no rule of UAX #29 tells that without the start of their run.

use super::automaton::{Pair, State};
use super::class::{Class, class_of};
use super::walk::state_at;

/// The last cluster boundary of `text` at or before `at`.
pub(crate) fn boundary_at_or_before(text: &str, at: usize) -> usize {
    let mut at = floor(text, at);
    while !is_boundary(State::START, text, at) {
        at = previous(text, at);
    }
    at
}

/// The first cluster boundary of `text` at or after `at`, where what was before the text left
/// `state`.
pub(crate) fn boundary_at_or_after(state: State, text: &str, at: usize) -> usize {
    let mut at = ceiling(text, at);
    while !is_boundary(state, text, at) {
        at = next(text, at);
    }
    at
}

/// Whether a cluster begins or the text ends at `at`, a scalar boundary, where what was before the
/// text left `state`.
pub(crate) fn is_boundary(state: State, text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let Some(next) = after.chars().next().map(class) else {
        return true;
    };
    let last = before.chars().next_back().map(class);
    match last.map(|last| Pair::of(last, next)) {
        Some(Pair::Parted) => true,
        Some(Pair::Joined) => false,
        Some(Pair::Open) | None => state_after(state, before).step(next).1 == 1,
    }
}

/// The state after `text`, where what was before it left `state`.
fn state_after(state: State, text: &str) -> State {
    let indicators = indicators_at_end(text);
    if indicators == 0 {
        return state_at(state, text.as_bytes(), 0, text.len());
    }
    let before = match indicators.saturating_mul(4) == text.len() {
        true => state,
        false => State::START,
    };
    // The last alone has the effect of any odd number, the last two of any even one.
    let last = [Class::RegionalIndicator as u8; 2];
    let (_, last) = last.split_at(indicators % 2);
    last.iter()
        .fold(before, |state, class| state.step(*class).0)
}

/// How many regional indicators `text` ends with.
fn indicators_at_end(text: &str) -> usize {
    let scalars = text.as_bytes().rchunks_exact(4);
    // U+1F1E6..U+1F1FF.
    let is_indicator = |scalar: &[u8]| matches!(scalar, [0xF0, 0x9F, 0x87, 0xA6..=0xBF]);
    scalars.take_while(|scalar| is_indicator(scalar)).count()
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

/// The scalars before and after `at`, a scalar boundary; `None` at the ends of the text.
fn pair_at(text: &str, at: usize) -> Option<Pair> {
    let (before, after) = text.split_at(at);
    let before = before.chars().next_back().map(class)?;
    Some(Pair::of(before, after.chars().next().map(class)?))
}

fn class(c: char) -> u8 {
    class_of(u32::from(c))
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
