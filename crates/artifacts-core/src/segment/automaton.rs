//! The automaton of UAX #29: which pairs of neighbours belong to one cluster.

use super::class::Class;

/// What of the text before a position decides whether a cluster ends there.
///
/// The value is four times the number of the state, so that it shifts a row of
/// [`ROWS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State(u32);

impl State {
    /// The start of a text, or after a control: a cluster ends, whatever follows.
    pub(crate) const START: Self = Self::new(0);
    const CARRIAGE_RETURN: Self = Self::new(1);
    /// Only what always joins can follow.
    pub(crate) const ANY: Self = Self::new(2);
    const PREPEND: Self = Self::new(3);
    const L: Self = Self::new(4);
    const V: Self = Self::new(5);
    const T: Self = Self::new(6);
    /// After an odd number of regional indicators.
    const ODD_INDICATOR: Self = Self::new(7);
    const PICTOGRAPHIC: Self = Self::new(8);
    const PICTOGRAPHIC_JOINER: Self = Self::new(9);
    const CONSONANT: Self = Self::new(10);
    const CONSONANT_LINKER: Self = Self::new(11);

    const COUNT: u32 = 12;

    const fn new(number: u32) -> Self {
        Self(number.wrapping_mul(4))
    }

    /// The state after a scalar that begins a cluster.
    #[inline(always)]
    pub(crate) fn after_first(class: u8) -> Self {
        Self::START.step(class).0
    }

    /// The state after the next scalar, and 1 if a cluster begins with it, else 0.
    #[inline(always)]
    pub(crate) fn step(self, class: u8) -> (Self, u64) {
        let row = |rows: &[u64; 256]| rows.get(usize::from(class)).copied().unwrap_or(0) >> self.0;
        let (next, begins) = (row(&ROWS.next), row(&ROWS.begins));
        (Self((next & 0x3C) as u32), begins & 1)
    }

    /// Whether it decides about a next scalar that is not unsure by its bytes. A line feed after a
    /// carriage return is not meant: the bytes tell it.
    #[inline(always)]
    pub(crate) fn is_open(self) -> bool {
        matches!(
            self,
            Self::START
                | Self::PREPEND
                | Self::L
                | Self::PICTOGRAPHIC_JOINER
                | Self::CONSONANT_LINKER
        )
    }
}

/// What two neighbours tell alone, whatever is before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pair {
    /// The second begins a cluster.
    Parted,
    /// They are in one cluster.
    Joined,
    /// It depends on what is before them.
    Open,
}

impl Pair {
    /// What scalars of these classes tell.
    pub(crate) fn of(before: u8, after: u8) -> Self {
        let row = usize::from(before & 31);
        let bit = |rows: &[u32; 32]| rows.get(row).copied().unwrap_or(0) >> (after & 31) & 1 == 1;
        match (bit(&ROWS.parted), bit(&ROWS.joined)) {
            (true, _) => Self::Parted,
            (_, true) => Self::Joined,
            _ => Self::Open,
        }
    }
}

/// The state after a scalar of `class`, and whether a cluster begins with it: UAX #29, 3.1.1.
const fn transition(state: State, class: Class) -> (State, bool) {
    let first = match class {
        Class::LineFeed | Class::Control => State::START,
        Class::CarriageReturn => State::CARRIAGE_RETURN,
        Class::Prepend => State::PREPEND,
        Class::RegionalIndicator => State::ODD_INDICATOR,
        Class::L => State::L,
        Class::V | Class::Lv => State::V,
        Class::T | Class::Lvt => State::T,
        Class::Pictographic => State::PICTOGRAPHIC,
        Class::Consonant => State::CONSONANT,
        Class::Other
        | Class::Extend
        | Class::NonJoiner
        | Class::Linker
        | Class::Joiner
        | Class::SpacingMark => State::ANY,
    };
    match (state, class) {
        // GB1, GB3, GB4, GB5
        (State::CARRIAGE_RETURN, Class::LineFeed) => (first, false),
        (State::START | State::CARRIAGE_RETURN, _)
        | (_, Class::CarriageReturn | Class::LineFeed | Class::Control) => (first, true),
        // GB9, GB9a; what of GB9c and GB11 is still open stays open.
        (State::PICTOGRAPHIC, Class::Extend | Class::NonJoiner | Class::Linker) => {
            (State::PICTOGRAPHIC, false)
        }
        (State::PICTOGRAPHIC, Class::Joiner) => (State::PICTOGRAPHIC_JOINER, false),
        (State::CONSONANT, Class::Extend | Class::Joiner) => (State::CONSONANT, false),
        (State::CONSONANT, Class::Linker)
        | (State::CONSONANT_LINKER, Class::Extend | Class::Joiner | Class::Linker) => {
            (State::CONSONANT_LINKER, false)
        }
        (
            _,
            Class::Extend | Class::NonJoiner | Class::Linker | Class::Joiner | Class::SpacingMark,
        ) => (State::ANY, false),
        // GB6, GB7, GB8
        (State::L, Class::L | Class::V | Class::Lv | Class::Lvt)
        | (State::V, Class::V | Class::T)
        | (State::T, Class::T)
        // GB9b, GB9c, GB11
        | (State::PREPEND, _)
        | (State::CONSONANT_LINKER, Class::Consonant)
        | (State::PICTOGRAPHIC_JOINER, Class::Pictographic) => (first, false),
        // GB12, GB13
        (State::ODD_INDICATOR, Class::RegionalIndicator) => (State::ANY, false),
        // GB999
        _ => (first, true),
    }
}

/// The rows of the automaton, one for each class; a state is a shift within a row.
#[derive(Debug)]
struct Rows {
    /// The next state, four times its number. A row for every byte, so that none is out of bounds.
    next: [u64; 256],
    /// Whether a cluster begins.
    begins: [u64; 256],
    /// After the row's class, the classes that begin a cluster in every state.
    parted: [u32; 32],
    /// After the row's class, the classes that begin a cluster in no state.
    joined: [u32; 32],
}

static ROWS: Rows = Rows::new();

impl Rows {
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "evaluated at compile time, where both are errors"
    )]
    const fn new() -> Self {
        let mut rows = Self {
            next: [0; 256],
            begins: [0; 256],
            parted: [u32::MAX; 32],
            joined: [u32::MAX; 32],
        };
        let mut class = 0;
        while class < Class::ALL.len() {
            let mut number = 0;
            while number < State::COUNT {
                let state = State::new(number);
                let (next, begins) = transition(state, Class::ALL[class]);
                rows.next[class] |= (next.0 as u64) << state.0;
                rows.begins[class] |= (begins as u64) << state.0;
                let mut follower = 0;
                while follower < Class::ALL.len() {
                    let unsettled = match transition(next, Class::ALL[follower]).1 {
                        true => &mut rows.joined[class],
                        false => &mut rows.parted[class],
                    };
                    *unsettled &= !(1 << follower);
                    follower += 1;
                }
                number += 1;
            }
            class += 1;
        }
        rows
    }
}
