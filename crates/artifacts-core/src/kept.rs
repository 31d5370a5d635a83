//! What of a text is kept while it passes: enough to cut it as the whole would be cut.

use alloc::collections::VecDeque;
use alloc::string::String;
use core::mem;

use crate::cut::Source;
use crate::segment::{Decoded, State};
use crate::{Cut, Shape};

/// What of a text is kept while it passes.
#[derive(Debug, Clone)]
pub(crate) enum Kept {
    /// All of it, while it may pass whole.
    Whole(String),
    /// Its ends, once it is certainly cut.
    Ends(Ends),
}

impl Kept {
    /// Takes the next piece of the text, which follows `state`; at least `behind` bytes of the
    /// text follow it: it has no fewer than what it is decoded from.
    pub(crate) fn push(&mut self, shape: &Shape, state: State, piece: Decoded<'_>, behind: usize) {
        if let Self::Ends(ends) = self
            && behind >= ends.reach
        {
            return ends.clear();
        }
        let text = &*piece.text();
        match self {
            Self::Whole(whole) => {
                whole.push_str(text);
                if whole.len() as u64 > shape.largest_whole() {
                    *self = Self::Ends(Ends::new(shape, mem::take(whole)));
                }
            }
            Self::Ends(ends) => ends.push(state, text),
        }
    }

    /// The parts to show, if the text does not pass whole.
    pub(crate) fn cut(&self, shape: &Shape) -> Option<Cut<'_>> {
        match self {
            Self::Whole(whole) => shape.shorten(whole),
            Self::Ends(ends) => Some(shape.cut_source(&ends.source())),
        }
    }

    /// The whole text, where it is kept.
    pub(crate) fn into_whole(self) -> String {
        match self {
            Self::Whole(whole) => whole,
            Self::Ends(ends) => ends.front,
        }
    }
}

/// The ends of a text that is certainly cut.
#[derive(Debug, Clone)]
pub(crate) struct Ends {
    front: String,
    /// The text from the first mark.
    back: String,
    /// Places in `back`, each with the state before it.
    marks: VecDeque<(usize, State)>,
    /// At least so many bytes of the end are kept.
    reach: usize,
}

impl Ends {
    fn new(shape: &Shape, front: String) -> Self {
        let reach = usize::try_from(shape.reach_back()).unwrap_or(usize::MAX);
        let mut ends = Self {
            front: String::new(),
            back: String::new(),
            marks: VecDeque::from([(0, State::START)]),
            // The byte before the end decides too: whether a line begins there.
            reach: reach.saturating_add(8),
        };
        if reach > 0 {
            ends.back.push_str(&front);
        } else {
            ends.reach = 0;
        }
        ends.front = front;
        ends
    }

    /// Forgets the end: more than it can reach follows.
    fn clear(&mut self) {
        self.back.clear();
        self.marks.clear();
    }

    fn push(&mut self, state: State, text: &str) {
        let at = self.back.len();
        match self.marks.back() {
            Some((last, _)) if at.saturating_sub(*last) < MARK => {}
            _ => self.marks.push_back((at, state)),
        }
        self.back.push_str(text);
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
        drop(self.back.drain(..start));
        for (at, _) in &mut self.marks {
            *at = at.saturating_sub(start);
        }
    }

    fn source(&self) -> Source<'_> {
        let state = self.marks.front().map_or(State::START, |(_, state)| *state);
        Source::of_ends(&self.front, state, &self.back)
    }
}

/// How far apart marks are at least, in bytes.
const MARK: usize = 4 * 1024;

/// How many bytes more than twice those needed may be kept.
const SPARE: usize = 64 * 1024;
