//! What of a text is kept while it passes: enough to cut it as the whole would be cut.

use alloc::collections::VecDeque;
use alloc::string::String;
use core::mem;

use crate::held::{Back, Front, Held};
use crate::lossy_cut::OwnedCut;
use crate::segment::{Decoded, State};
use crate::{Cut, Measure, Shape};

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
    Cut(OwnedCut),
}

impl Shown {
    fn of(cut: &Cut<'_>) -> Self {
        Self::Cut(OwnedCut::of(cut))
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
        let reach = shape.least_back();
        Self {
            back: match reach {
                0 => Held::default(),
                _ => front.clone(),
            },
            front,
            marks: VecDeque::from([(0, State::START)]),
            reach,
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
        let (front, back) = shape.guesses(measure, measure);
        let front = Front::of(self.front.as_decoded(), front);
        let back = Back::of(self.back.as_decoded(), state, back);
        shape.cut_between(front, back, Back::extend, shown)
    }
}

/// How far apart marks are at least, in bytes.
const MARK: usize = 4 * 1024;

/// How many bytes more than twice those needed may be kept.
const SPARE: usize = 64 * 1024;
