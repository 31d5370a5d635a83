//! Finding cluster boundaries near a position, reading no more of the text before it than decides.
//!
//! Two neighbours tell whether a cluster ends between them, but for two cases. After marks it may
//! depend on the scalar that these follow. Between two regional indicators it depends on how many
//! there are before: no rule of UAX #29 tells that without the start of their run.

use super::automaton::{Pair, State};
use super::class::{Class, class_of};
use super::screen::BLOCK;
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
    let bytes = text.as_bytes();
    // A run may be megabytes long: whole blocks are compared at once.
    let is_run = |block: &&[u8]| {
        let (scalars, _) = block.as_chunks();
        scalars
            .iter()
            .fold(true, |all, one| all & is_indicator(one))
    };
    let blocks = bytes.rchunks_exact(BLOCK).take_while(is_run).count();
    let (rest, _) = bytes.split_at(bytes.len().saturating_sub(blocks.saturating_mul(BLOCK)));
    let (_, scalars) = rest.as_rchunks();
    let single = scalars.iter().rev().take_while(|one| is_indicator(one));
    single
        .count()
        .saturating_add(blocks.saturating_mul(BLOCK / 4))
}

/// Whether a scalar is one of U+1F1E6..U+1F1FF: only the last of its bytes differs.
fn is_indicator(scalar: &[u8; 4]) -> bool {
    let after_first = u32::from_le_bytes(*scalar).wrapping_sub(FIRST_INDICATOR);
    after_first.rotate_left(8) < 26
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

/// U+1F1E6, its first byte lowest.
const FIRST_INDICATOR: u32 = u32::from_le_bytes([0xF0, 0x9F, 0x87, 0xA6]);

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn regional_indicators_and_nothing_else_are_indicators() {
        for c in '\u{10000}'..=char::MAX {
            let is_one = ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
            assert_eq!(
                indicators_at_end(c.encode_utf8(&mut [0; 4])),
                usize::from(is_one)
            );
        }
    }

    #[test]
    fn a_run_of_any_length_is_counted_whole_whatever_is_before_it() {
        let other_run = "🇩".repeat(40) + "x";
        let before = [
            "",
            "a",
            "é",
            "日",
            "🎉",
            "\u{1f1e5}",
            "\u{1f200}",
            &other_run,
        ];
        for (before, length) in before.iter().flat_map(|one| (0..70).map(move |n| (one, n))) {
            let text = before.to_string() + &"🇩".repeat(length);
            assert_eq!(indicators_at_end(&text), length, "{before:?}");
            assert_eq!(indicators_at_end(&(text + "x")), 0, "{before:?}");
        }
    }
}
