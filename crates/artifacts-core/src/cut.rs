//! The cut: which two ends of a text are shown, and whether showing them saves anything.

use crate::ends::{Part, prefix, suffix, suffix_after};
use crate::json::json_bytes;
use crate::limit::Budget;
use crate::segment::State;
use crate::{Growth, Measure, Measured, Rendering, Shape, Unit};

/// The two ends of a text that an excerpt shows: a prefix and a suffix of it, on grapheme
/// boundaries.
///
/// ```
/// use artifacts_core::{Limit, Shape};
///
/// let cut = Shape::new(Limit::graphemes(4)?).cut("0123456789");
/// assert_eq!((cut.head(), cut.tail(), cut.shown()), ("012", "9", 4));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut<'a> {
    head: &'a str,
    tail: &'a str,
    shown: u64,
}

impl<'a> Cut<'a> {
    pub(crate) fn new(head: Part<'a>, tail: Part<'a>) -> Self {
        Self {
            head: head.text,
            tail: tail.text,
            shown: head.graphemes.saturating_add(tail.graphemes),
        }
    }

    /// The two parts of a text that was cut before.
    pub(crate) fn of_shown(head: &'a str, tail: &'a str, shown: u64) -> Self {
        Self { head, tail, shown }
    }

    /// The first part, a byte-exact prefix.
    #[must_use]
    pub fn head(&self) -> &'a str {
        self.head
    }

    /// The last part, a byte-exact suffix.
    #[must_use]
    pub fn tail(&self) -> &'a str {
        self.tail
    }

    /// How many graphemes of the text are shown.
    #[must_use]
    pub fn shown(&self) -> u64 {
        self.shown
    }

    /// How many graphemes of the text are not shown (SPEC 2.3).
    #[must_use]
    pub fn elided(&self, whole: &Measured) -> u64 {
        whole.measure().graphemes().saturating_sub(self.shown)
    }

    /// Bytes of both parts.
    fn bytes(&self) -> u64 {
        (self.head.len() as u64).saturating_add(self.tail.len() as u64)
    }
}

/// A text of which only the ends may be known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The text, or more of its start than a cut shows.
    front: &'a str,
    /// More of its end than a cut shows, and the state before it, where the text is not known.
    back: Option<(State, &'a str)>,
    /// As much of its start as the shape's share, where that was found before.
    first: Option<Part<'a>>,
}

impl<'a> Source<'a> {
    /// A text that is known.
    pub(crate) fn of(text: &'a str) -> Self {
        Self {
            front: text,
            back: None,
            first: None,
        }
    }

    /// A text that begins with `front`, of which `first` is the shape's share, and that ends with
    /// `back`: what follows a state.
    pub(crate) fn of_ends(front: &'a str, first: Part<'a>, back: (State, &'a str)) -> Self {
        Self {
            front,
            back: Some(back),
            first: Some(first),
        }
    }

    /// What is known of the text before its last `length` bytes, from its start.
    fn before(&self, length: usize) -> &'a str {
        match self.back {
            Some(_) => self.front,
            None => {
                let end = self.front.len().saturating_sub(length);
                self.front.split_at(end).0
            }
        }
    }

    /// What is known of the text after its first `length` bytes, up to its end.
    fn after(&self, length: usize) -> (State, &'a str) {
        self.back
            .unwrap_or_else(|| (State::START, self.front.split_at(length).1))
    }
}

impl Shape {
    /// The parts of `text` that are shown, or `None` where the whole text passes: because it fits
    /// the limit, or because its observation might not be shorter (SPEC 2.4).
    ///
    /// An observation made from the cut passes whole in turn, under the same shape, whichever
    /// marker and hint it has. With a line snap or a trailer, what is shown depends on where lines
    /// end, so every text passes whole that is over the limit by no more than a marker with its
    /// hint can have: 640 bytes, and as many units.
    ///
    /// ```
    /// use artifacts_core::{Limit, Shape};
    ///
    /// let shape = Shape::new(Limit::graphemes(4)?);
    /// assert!(shape.shorten("0123").is_none());
    /// assert!(shape.shorten("0123456789").is_none(), "a marker is longer than six digits");
    /// assert!(shape.shorten(&"0123456789".repeat(100)).is_some());
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    #[must_use]
    pub fn shorten<'a>(&self, text: &'a str) -> Option<Cut<'a>> {
        let (unit, passing) = (self.limit().unit(), self.passing());
        let mut source = Source::of(text);
        match passing.fits_by_bytes(unit, text.len() as u64) {
            Some(true) => return None,
            Some(false) => {}
            None => {
                // What the cut shows is counted first: it is not counted again.
                let first = self.first(&source);
                if passing.fits_beyond(unit, first, text) {
                    return None;
                }
                source.first = Some(first);
            }
        }
        let cut = self.cut_source(&source);
        self.shrinks(&cut, text.len() as u64).then_some(cut)
    }

    /// As much of the start of a text as its share of the limit holds.
    pub(crate) fn first<'a>(&self, source: &Source<'a>) -> Part<'a> {
        let share = match self.rendering() {
            Rendering::Excerpt => self.head_share(),
            Rendering::HeadNote | Rendering::Pointer | Rendering::Header => self.limit().budget(),
        };
        let found = || prefix(source.front, self.limit().unit(), share);
        source.first.unwrap_or_else(found)
    }

    /// Whether a text whose measure is `measure`, with no more bytes than the text has, is
    /// certainly cut if its observation is shorter.
    pub(crate) fn is_below(&self, measure: &Measure) -> bool {
        self.passing().is_below(self.limit().unit(), measure)
    }

    /// What passes whole, however its cut would look.
    pub(crate) fn passing(&self) -> Budget {
        let limit = self.limit().budget();
        let moves = match self.rendering() {
            Rendering::Excerpt => self.line_snap() > 0 || self.trailer() > 0,
            Rendering::HeadNote => self.line_snap() > 0,
            Rendering::Pointer | Rendering::Header => false,
        };
        // The cut of an observation may show fewer bytes than the observation does: the marker
        // ends lines, and takes units from longer clusters. So an observation passes for its size:
        // its parts are within the limit, its marker within the room.
        match self.growth() {
            Growth::Never if moves => limit.plus(MARKER_ROOM),
            Growth::Never | Growth::Allowed => limit,
        }
    }

    /// Whether the observation of `cut` is certainly shorter than the `text_bytes` bytes it was
    /// cut from. Always so if growth is allowed.
    ///
    /// The marker and the hint are taken at the largest size they can have, so that the answer
    /// depends neither on the op id nor on the outcome of the store. The observation of a cut that
    /// neither a line snap nor a trailer moved gets `false` in turn.
    pub(crate) fn shrinks(&self, cut: &Cut<'_>, text_bytes: u64) -> bool {
        if self.growth() == Growth::Allowed {
            return true;
        }
        let longest = match self.rendering() {
            Rendering::Excerpt | Rendering::HeadNote => cut.bytes().saturating_add(MARKER_ROOM),
            Rendering::Pointer => POINTER_BYTES,
            Rendering::Header => HEADER_BYTES,
        };
        longest < text_bytes
    }

    /// The parts of `text` that are shown. Always cuts: ask [`shorten`](Self::shorten) where a
    /// text that fits should pass whole.
    #[must_use]
    pub fn cut<'a>(&self, text: &'a str) -> Cut<'a> {
        self.cut_source(&Source::of(text))
    }

    /// As [`cut`](Self::cut) for a text of which only the ends may be known.
    pub(crate) fn cut_source<'a>(&self, source: &Source<'a>) -> Cut<'a> {
        match self.rendering() {
            Rendering::Excerpt => self.cut_both_ends(source),
            Rendering::HeadNote => Cut::new(self.snap_end(self.first(source)), Part::default()),
            Rendering::Pointer => {
                let head = prefix(source.front, Unit::Graphemes, PREVIEW);
                Cut::new(within_json(head, PREVIEW.bytes), Part::default())
            }
            Rendering::Header => {
                let head = first_lines(self.first(source).text, HEADER_LINES);
                Cut::new(prefix(head, Unit::Graphemes, HEADER_TEXT), Part::default())
            }
        }
    }

    fn cut_both_ends<'a>(&self, source: &Source<'a>) -> Cut<'a> {
        let (unit, limit) = (self.limit().unit(), self.limit().budget());
        let head_share = self.head_share();
        let tail_share = limit.less(head_share);
        let trailer = self.protected_trailer(source);
        if !trailer.within(unit, tail_share) {
            let before = source.before(trailer.text.len());
            let head = prefix(before, unit, head_share.min(limit.less(trailer.cost(unit))));
            return Cut::new(self.snap_end(head), trailer);
        }
        let head = self.snap_end(self.first(source));
        let (state, rest) = source.after(head.text.len());
        let tail = suffix_after(state, rest, unit, tail_share);
        Cut::new(head, self.snap_start(rest, tail))
    }

    /// A smaller cut of a text of which only the two ends `head` and `tail` are left. Where no end
    /// is left, none is shown: the head does not reach to it.
    pub(crate) fn cut_ends<'a>(&self, head: &'a str, tail: &'a str) -> Cut<'a> {
        if self.rendering() != Rendering::Excerpt {
            return self.cut(head);
        }
        let (unit, limit) = (self.limit().unit(), self.limit().budget());
        let tail_share = limit.less(self.head_share());
        let trailer = self.protected_trailer(&Source::of(tail));
        let last = match trailer.within(unit, tail_share) {
            true => self.snap_start(tail, suffix(tail, unit, tail_share)),
            false => trailer,
        };
        let first = self.head_share().min(limit.less(last.cost(unit)));
        Cut::new(self.snap_end(prefix(head, unit, first)), last)
    }

    /// The lines that are shown whatever the split, as far as the limit allows.
    fn protected_trailer<'a>(&self, source: &Source<'a>) -> Part<'a> {
        let (unit, limit) = (self.limit().unit(), self.limit().budget());
        let Some(before_first) = self.trailer().checked_sub(1) else {
            return Part::default();
        };
        let (state, text) = source.after(0);
        match last_lines(text, before_first, limit.bytes) {
            Some(lines) => suffix(lines, unit, limit),
            None => suffix_after(state, text, unit, limit),
        }
    }

    /// How many bytes at the end of a text decide its cut, where the state before them is known.
    pub(crate) fn least_back(&self) -> usize {
        let limit = self.limit().budget();
        let reach = match self.rendering() {
            Rendering::Excerpt if self.trailer() > 0 => limit.bytes,
            Rendering::Excerpt => limit.less(self.head_share()).bytes,
            Rendering::HeadNote | Rendering::Pointer | Rendering::Header => 0,
        };
        match usize::try_from(reach).unwrap_or(usize::MAX) {
            0 => 0,
            // The byte before the end decides too: whether a line begins there.
            reach => reach.saturating_add(8),
        }
    }

    /// No text of more bytes passes whole, and its head is decided within so many bytes.
    pub(crate) fn largest_whole(&self) -> u64 {
        let bytes = self.limit().byte_ceiling().saturating_add(MARKER_ROOM);
        bytes.max(HEADER_BYTES)
    }

    /// The part without the beginning of a last line that is not complete, if that is short.
    fn snap_end<'a>(&self, part: Part<'a>) -> Part<'a> {
        let slack = usize::try_from(self.line_snap()).unwrap_or(usize::MAX);
        let reach = part.text.bytes().rev().take(slack.saturating_add(1));
        match reach.enumerate().find(|(_, byte)| *byte == b'\n') {
            Some((back, _)) => part.up_to(part.text.len().saturating_sub(back)),
            None => part,
        }
    }

    /// The part, a suffix of `text`, without the rest of a line that began before it, if that is
    /// short.
    fn snap_start<'a>(&self, text: &'a str, part: Part<'a>) -> Part<'a> {
        let (before, _) = text.split_at(text.len().saturating_sub(part.text.len()));
        if self.line_snap() == 0 || before.is_empty() || before.ends_with('\n') {
            return part;
        }
        let slack = usize::try_from(self.line_snap()).unwrap_or(usize::MAX);
        let newline = part.text.bytes().take(slack).position(|byte| byte == b'\n');
        match newline.and_then(|newline| newline.checked_add(1)) {
            Some(edge) if edge < part.text.len() => part.after(edge),
            _ => part,
        }
    }
}

/// As many whole clusters of `part` as have at most `bytes` bytes inside a JSON string.
fn within_json(part: Part<'_>, bytes: u64) -> Part<'_> {
    if json_bytes(part.text) <= bytes {
        return part;
    }
    let (mut fits, mut length) = (0_usize, 0_u64);
    for (start, c) in part.text.char_indices() {
        length = length.saturating_add(json_bytes(c.encode_utf8(&mut [0; 4])));
        if length > bytes {
            break;
        }
        fits = start.saturating_add(c.len_utf8());
    }
    prefix(
        part.text,
        Unit::Graphemes,
        Budget {
            units: u64::MAX,
            bytes: fits as u64,
        },
    )
}

/// The first `count` lines, each with its line break.
fn first_lines(text: &str, count: usize) -> &str {
    let length = text.split_inclusive('\n').take(count).map(str::len).sum();
    text.split_at(length).0
}

/// The last line and `before` lines before it; `None` if they reach further back than `within`
/// bytes, or than the text.
fn last_lines(text: &str, before: u32, within: u64) -> Option<&str> {
    let reach = usize::try_from(within).unwrap_or(usize::MAX);
    let reach = text.len().saturating_sub(reach.saturating_add(1));
    // The break at the very end closes the last line: it does not begin another.
    let backwards = text.bytes().enumerate().rev().skip(1);
    let mut breaks = backwards
        .take_while(|(at, _)| *at >= reach)
        .filter(|(_, byte)| *byte == b'\n');
    let (at, _) = breaks.nth(usize::try_from(before).unwrap_or(usize::MAX))?;
    text.get(at.saturating_add(1)..)
}

/// At most this many characters, of at most so many bytes inside JSON, in the preview of a
/// pointer.
const PREVIEW: Budget = Budget {
    units: 200,
    bytes: 1_600,
};

/// At most this many lines under a header.
const HEADER_LINES: usize = 10;

/// At most this many characters of at most so many bytes under a header.
const HEADER_TEXT: Budget = Budget {
    units: 2_000,
    bytes: 3_500,
};

/// No marker with its hint and the line breaks around both has more bytes.
pub(crate) const MARKER_ROOM: u64 = 640;

/// No observation in the pointer rendering has more bytes.
pub(crate) const POINTER_BYTES: u64 = 2_560;

/// No observation in the header rendering has more bytes.
pub(crate) const HEADER_BYTES: u64 = 4_160;
