//! Bytes of a text that are held, and as much of the text as a cut needs of them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::segment::{Decoded, State, certain_after, decode_lossy, unit_boundary};

/// Whole units of a text: it is decoded where it is shown, as far as it is shown.
#[derive(Debug, Clone)]
pub(crate) enum Held {
    /// All of them valid.
    Text(String),
    /// Some of them perhaps not.
    Bytes(Vec<u8>),
}

impl Default for Held {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl Held {
    /// How many bytes are held; the text has no fewer.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    /// Takes the piece that follows.
    pub(crate) fn push(&mut self, piece: Decoded<'_>) {
        match (&mut *self, piece) {
            (Self::Text(text), Decoded::Valid(piece)) => text.push_str(piece),
            (Self::Bytes(bytes), _) => bytes.extend_from_slice(piece.bytes()),
            (Self::Text(text), Decoded::Invalid(piece)) => {
                let mut bytes = core::mem::take(text).into_bytes();
                bytes.extend_from_slice(piece);
                *self = Self::Bytes(bytes);
            }
        }
    }

    /// What is held.
    pub(crate) fn as_decoded(&self) -> Decoded<'_> {
        match self {
            Self::Text(text) => Decoded::Valid(text),
            Self::Bytes(bytes) => Decoded::Invalid(bytes),
        }
    }

    /// Drops the first `length` bytes, which are whole units.
    pub(crate) fn drop_first(&mut self, length: usize) {
        match self {
            Self::Text(text) => drop(text.drain(..length)),
            Self::Bytes(bytes) => drop(bytes.drain(..length)),
        }
    }

    /// All of the text.
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Bytes(bytes) => decode_lossy(&bytes).into_owned(),
        }
    }
}

/// The start of a text, decoded as far as it was needed.
#[derive(Debug)]
pub(crate) struct Front<'a> {
    /// All that can be decoded.
    source: Decoded<'a>,
    /// The text of the first `taken` bytes, unless the source is text.
    decoded: String,
    taken: usize,
}

impl<'a> Front<'a> {
    /// Decodes about `length` bytes.
    pub(crate) fn of(source: Decoded<'a>, length: usize) -> Self {
        let mut front = Self {
            source,
            decoded: String::new(),
            taken: 0,
        };
        front.decode(length);
        front
    }

    /// More of the text.
    pub(crate) fn extend(&mut self) {
        self.decode(self.taken.max(LEAST));
    }

    pub(crate) fn text(&self) -> &str {
        match self.source {
            Decoded::Valid(text) => text,
            Decoded::Invalid(_) => &self.decoded,
        }
    }

    /// Whether a head of at most `length` bytes would be the same with more of the text: it ends
    /// where another cluster begins.
    pub(crate) fn decides(&self, length: usize) -> bool {
        length < self.text().len() || self.taken >= self.source.bytes().len()
    }

    /// Decodes about `length` bytes more.
    fn decode(&mut self, length: usize) {
        let Decoded::Invalid(bytes) = self.source else {
            self.taken = self.source.bytes().len();
            return;
        };
        let (_, rest) = bytes.split_at(self.taken);
        let (piece, _) = rest.split_at(unit_boundary(rest, length));
        self.decoded.push_str(&decode_lossy(piece));
        self.taken = self.taken.saturating_add(piece.len());
    }
}

/// The end of a text, decoded as far as it was needed.
#[derive(Debug)]
pub(crate) struct Back<'a> {
    /// All that can be decoded.
    source: Decoded<'a>,
    /// The state before the source.
    before: State,
    /// The text of the last `taken` bytes, unless the source is text.
    decoded: String,
    taken: usize,
    /// Where in it the text begins that follows `state`.
    start: usize,
    state: State,
}

impl<'a> Back<'a> {
    /// Decodes about `length` bytes of what follows the state `before`.
    pub(crate) fn of(source: Decoded<'a>, before: State, length: usize) -> Self {
        let mut back = Self {
            source,
            before,
            decoded: String::new(),
            taken: 0,
            start: 0,
            state: before,
        };
        back.decode(length);
        back
    }

    /// More of the text.
    pub(crate) fn extend(&mut self) {
        self.decode(self.taken.saturating_mul(2).max(LEAST));
    }

    /// The text, and the state that what is before it left.
    pub(crate) fn text(&self) -> (State, &str) {
        match self.source {
            Decoded::Valid(text) => (self.before, text),
            Decoded::Invalid(_) => (self.state, self.decoded.split_at(self.start).1),
        }
    }

    /// Whether a tail of at most `length` bytes would be the same with more of the text: before
    /// it, there is a whole cluster.
    pub(crate) fn decides(&self, length: usize) -> bool {
        self.taken >= self.source.bytes().len() || length < self.text().1.len()
    }

    /// Decodes about the last `length` bytes.
    fn decode(&mut self, length: usize) {
        let Decoded::Invalid(bytes) = self.source else {
            self.taken = self.source.bytes().len();
            return;
        };
        let from = unit_boundary(bytes, bytes.len().saturating_sub(length));
        let (_, end) = bytes.split_at(from);
        self.decoded = decode_lossy(end).into_owned();
        self.taken = end.len();
        (self.start, self.state) = match from {
            0 => (0, self.before),
            // What is before the first certain boundary is of no use; without one, nothing is.
            _ => {
                let certain = certain_after(&self.decoded, 0);
                (certain.unwrap_or(self.decoded.len()), State::START)
            }
        };
    }
}

/// At least so many bytes are decoded at a time.
const LEAST: usize = 1024;
