//! Asking the automaton about one scalar after the other.

use super::automaton::State;
use super::class::{ascii_class, class_at, class_of_four, class_of_three, class_of_two, joins};
use super::screen::{BEFORE, BLOCK, Window};

/// Goes from `at`, a scalar boundary where the state is `state`, up to the last scalar that begins
/// before `limit`, or until `most` clusters began: the state after that, how many clusters began,
/// and the boundary.
#[inline(always)]
pub(crate) fn walk(
    mut state: State,
    bytes: &[u8],
    mut at: usize,
    limit: usize,
    most: u64,
) -> (State, u64, usize) {
    let mut graphemes = 0_u64;
    while at < limit {
        if let Some([first, .., last]) = ascii_word(bytes, at, limit)
            && graphemes.saturating_add(8) <= most
        {
            // All but the first begin a cluster, whatever they are.
            let begins = state.step(ascii_class(u32::from(first))).1;
            graphemes = graphemes.wrapping_add(begins).wrapping_add(7);
            state = State::after_first(ascii_class(u32::from(last)));
            at = at.wrapping_add(8);
            continue;
        }
        let (class, length) = class_at(bytes, at);
        let (next, begins) = state.step(class);
        if graphemes.wrapping_add(begins) > most {
            break;
        }
        state = next;
        graphemes = graphemes.wrapping_add(begins);
        at = at.wrapping_add(length);
    }
    (state, graphemes, at)
}

/// As [`walk`] for the scalars that begin in a block, from `start` in it.
#[inline(always)]
pub(crate) fn walk_block(mut state: State, window: &Window, start: usize) -> (State, u64, usize) {
    let (mut graphemes, mut at) = (0_u64, start);
    // One arm for each length of a scalar, so that a run of one length is a tight loop.
    while at < BLOCK {
        let word = word_at(window, at);
        let begins;
        match word & 0xFF {
            0xE0..0xF0 => {
                (state, begins) = state.step(class_of_three(word));
                at = at.wrapping_add(3);
            }
            0xC0..0xE0 => {
                (state, begins) = state.step(class_of_two(word));
                at = at.wrapping_add(2);
            }
            0xF0.. => {
                (state, begins) = state.step(class_of_four(word));
                at = at.wrapping_add(4);
            }
            _ => {
                let run = ascii_run(window, at);
                let (first, after) = state.step(ascii_class(word));
                // All but the first begin a cluster, whatever they are.
                begins = after.wrapping_add(run as u64).wrapping_sub(1);
                at = at.wrapping_add(run);
                state = match run {
                    1 => first,
                    _ => State::after_first(ascii_class(word_at(window, at.wrapping_sub(1)))),
                };
            }
        }
        graphemes = graphemes.wrapping_add(begins);
    }
    (state, graphemes, at)
}

/// The first scalar boundary at or after `at`.
#[inline(always)]
pub(crate) fn scalar_start(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| byte.cast_signed() < -64) {
        at = at.wrapping_add(1);
    }
    at
}

/// Where the scalar begins that ends at `end`.
#[inline(always)]
pub(crate) fn scalar_before(bytes: &[u8], end: usize) -> usize {
    let mut start = end.wrapping_sub(1);
    while bytes
        .get(start)
        .is_some_and(|byte| byte.cast_signed() < -64)
    {
        start = start.wrapping_sub(1);
    }
    start
}

/// The state at `at`, where that at `known` is `state`: told from the last scalar between them that
/// is no mark, which is taken for the first of its cluster.
#[inline(always)]
pub(crate) fn state_at(state: State, bytes: &[u8], known: usize, at: usize) -> State {
    let mut from = at;
    while from > known {
        from = scalar_before(bytes, from);
        let (class, length) = class_at(bytes, from);
        if !joins(class) {
            let behind = from.wrapping_add(length);
            return states(State::after_first(class), bytes, behind, at);
        }
    }
    states(state, bytes, known, at)
}

/// The state at `end`, where that at `at` is `state`.
#[inline(always)]
fn states(mut state: State, bytes: &[u8], mut at: usize, end: usize) -> State {
    while at < end {
        let (class, length) = class_at(bytes, at);
        state = state.step(class).0;
        at = at.wrapping_add(length);
    }
    state
}

/// The eight bytes from `at`, before `limit`, if they are ASCII without a carriage return.
#[inline(always)]
fn ascii_word(bytes: &[u8], at: usize, limit: usize) -> Option<[u8; 8]> {
    let word: [u8; 8] = *bytes.get(at..limit)?.first_chunk()?;
    let value = u64::from_le_bytes(word);
    let returns = (value ^ RETURNS).wrapping_sub(ONES) & HIGH;
    (value & HIGH == 0 && returns == 0).then_some(word)
}

/// How many bytes from `at` of a block are ASCII, of the next eight; 1 where one of these is a
/// carriage return. The byte at `at` is ASCII.
#[inline(always)]
fn ascii_run(window: &Window, at: usize) -> usize {
    let Some(word) = window
        .get(at.wrapping_add(BEFORE)..)
        .and_then(<[u8]>::first_chunk)
    else {
        return 1;
    };
    let value = u64::from_le_bytes(*word);
    let run = ((value & HIGH).trailing_zeros() / 8) as usize;
    let returns = (value ^ RETURNS).wrapping_sub(ONES) & HIGH & !value;
    match returns {
        0 => run.min(BLOCK.wrapping_sub(at)),
        _ => 1,
    }
}

/// The byte at `at` of a block and the three after it, the first lowest.
#[inline(always)]
#[expect(
    clippy::indexing_slicing,
    reason = "the indices are below the length of the array"
)]
fn word_at(window: &Window, at: usize) -> u32 {
    let at = at % BLOCK;
    u32::from_le_bytes([
        window[at.wrapping_add(BEFORE)],
        window[at.wrapping_add(BEFORE + 1)],
        window[at.wrapping_add(BEFORE + 2)],
        window[at.wrapping_add(BEFORE + 3)],
    ])
}

/// A word of ones, of highest bits and of carriage returns, one for each byte.
const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
const RETURNS: u64 = u64::from_le_bytes([b'\r'; 8]);
