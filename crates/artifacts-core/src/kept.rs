//! What of a text is kept while it passes: enough to cut it as the whole would be cut.

use alloc::collections::VecDeque;
use alloc::string::String;
use core::mem;

use crate::cut::{HEADER_BYTES, Source};
use crate::held::{Back, Front, Held};
use crate::segment::{Decoded, State};
use crate::{Cut, Measure, Shape, Unit};

/// What of a text is kept while it passes.
#[derive(Debug, Clone)]
pub(crate) enum Kept {
    /// All of it, while it may pass whole.
    Whole(Held),
    /// Its ends, once it is certainly cut.
    Ends(Ends),
}

impl Kept {
    /// Takes the next piece of the text, which follows `state`; at least `behind` bytes of the
    /// text follow it: it has no fewer than what it is decoded from.
    pub(crate) fn push(&mut self, shape: &Shape, state: State, piece: Decoded<'_>, behind: usize) {
        match self {
            Self::Whole(whole) => {
                whole.push(piece);
                if whole.len() as u64 > shape.largest_whole() {
                    *self = Self::Ends(Ends::new(shape, mem::take(whole)));
                }
            }
            Self::Ends(ends) if behind >= ends.reach => ends.clear(),
            Self::Ends(ends) => ends.push(state, piece),
        }
    }

    /// What is shown of the text, whose measure is `measure`; its bytes may be those that it was
    /// decoded from.
    pub(crate) fn show(self, shape: &Shape, measure: &Measure) -> Shown {
        let whole = match self {
            Self::Ends(ends) => return ends.cut(shape, measure, Shown::of),
            Self::Whole(Held::Bytes(bytes)) if shape.is_below(measure) => {
                let ends = Ends::new(shape, Held::Bytes(bytes));
                let shown = ends.cut(shape, measure, |cut| {
                    let shrinks = shape.shrinks(cut, measure.bytes());
                    shrinks.then(|| Shown::of(cut))
                });
                match shown {
                    Some(shown) => return shown,
                    None => ends.front.into_text(),
                }
            }
            Self::Whole(whole) => whole.into_text(),
        };
        let cut = shape.shorten(&whole).as_ref().map(Shown::of);
        cut.unwrap_or(Shown::Whole(whole))
    }
}

/// What is shown of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shown {
    Whole(String),
    Cut {
        head: String,
        tail: String,
        graphemes: u64,
    },
}

impl Shown {
    fn of(cut: &Cut<'_>) -> Self {
        Self::Cut {
            head: cut.head().into(),
            tail: cut.tail().into(),
            graphemes: cut.shown(),
        }
    }
}

/// The ends of a text that is certainly cut.
#[derive(Debug, Clone)]
pub(crate) struct Ends {
    front: Held,
    /// What follows the first mark.
    back: Held,
    /// Places in `back`, each with the state before it.
    marks: VecDeque<(usize, State)>,
    /// At least so many bytes of the end are kept.
    reach: usize,
}

impl Ends {
    fn new(shape: &Shape, front: Held) -> Self {
        let reach = usize::try_from(shape.reach_back()).unwrap_or(usize::MAX);
        Self {
            back: match reach {
                0 => Held::default(),
                _ => front.clone(),
            },
            front,
            marks: VecDeque::from([(0, State::START)]),
            reach: match reach {
                0 => 0,
                // The byte before the end decides too: whether a line begins there.
                _ => reach.saturating_add(8),
            },
        }
    }

    /// Forgets the end: more than it can reach follows.
    fn clear(&mut self) {
        self.back = Held::default();
        self.marks.clear();
    }

    fn push(&mut self, state: State, piece: Decoded<'_>) {
        let at = self.back.len();
        match self.marks.back() {
            Some((last, _)) if at.saturating_sub(*last) < MARK => {}
            _ => self.marks.push_back((at, state)),
        }
        self.back.push(piece);
        if at > self.reach.saturating_mul(2).saturating_add(SPARE) {
            self.forget();
        }
    }

    /// Drops what lies before the last mark that leaves enough.
    fn forget(&mut self) {
        let most = self.back.len().saturating_sub(self.reach);
        let before = self.marks.iter().take_while(|(at, _)| *at <= most).count();
        drop(self.marks.drain(..before.saturating_sub(1)));
        let Some((start, _)) = self.marks.front().copied() else {
            return;
        };
        self.back.drop_first(start);
        for (at, _) in &mut self.marks {
            *at = at.saturating_sub(start);
        }
    }

    /// Gives the cut of the text, whose measure is `measure`, to `shown`. Decodes little more of
    /// both ends than it shows.
    fn cut<T>(&self, shape: &Shape, measure: &Measure, shown: impl FnOnce(&Cut<'_>) -> T) -> T {
        let state = self.marks.front().map_or(State::START, |(_, state)| *state);
        let snap = usize::try_from(shape.line_snap()).unwrap_or(usize::MAX);
        // No rendering but a cut at the limit looks further than this.
        let least = usize::try_from(HEADER_BYTES).unwrap_or(usize::MAX);
        let (head, tail) = guesses(shape, measure);
        let mut front = Front::of(&self.front, head.saturating_add(snap).max(least));
        let mut back = Back::of(&self.back, state, tail.saturating_add(snap));
        loop {
            let (state, end) = back.text();
            let cut = shape.cut_source(&Source::of_ends(front.text(), state, end));
            let is_front_enough = front.decides(&cut, snap, least);
            let is_back_enough = back.decides(&cut, snap);
            if is_front_enough && is_back_enough {
                return shown(&cut);
            }
            if !is_front_enough {
                front.extend();
            }
            if !is_back_enough {
                back.extend();
            }
        }
    }
}

/// From how many bytes the head and the tail are probably decoded, where the text is much the same
/// everywhere.
fn guesses(shape: &Shape, measure: &Measure) -> (usize, usize) {
    let (unit, limit) = (shape.limit().unit(), shape.limit().budget());
    let head = shape.head_share();
    let all = match unit {
        Unit::Graphemes => measure.graphemes(),
        Unit::Bytes => measure.bytes(),
        Unit::Scalars | Unit::Tokens => measure.scalars(),
    };
    let guess = |units: u64| {
        let bytes = u128::from(units).saturating_mul(u128::from(measure.bytes()));
        let bytes = bytes.div_ceil(u128::from(all.max(1)));
        let spare = (bytes / 16).saturating_add(64);
        usize::try_from(bytes.saturating_add(spare)).unwrap_or(usize::MAX)
    };
    match shape.trailer() {
        0 => (guess(head.units), guess(limit.less(head).units)),
        // The lines at the end are looked for as far as they may reach.
        _ => (guess(head.units), usize::MAX),
    }
}

/// How far apart marks are at least, in bytes.
const MARK: usize = 4 * 1024;

/// How many bytes more than twice those needed may be kept.
const SPARE: usize = 64 * 1024;
