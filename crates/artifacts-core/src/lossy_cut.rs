//! Cutting bytes whose text is decoded where it is shown, and no further.

use alloc::string::String;

use crate::cut::{HEADER_BYTES, Source};
use crate::held::{Back, Front};
use crate::limit::Budget;
use crate::measure::{Counted, STEP};
use crate::segment::{Decoded, State, decode_lossy, unit_boundary};
use crate::{Cut, Measure, Rendering, Shape, Unit, Unmeasured};

/// The cut of bytes, with the text of its two ends. Made by [`Shape::shorten_lossy`].
///
/// ```
/// use artifacts_core::{Limit, Measured, Shape};
///
/// let bytes = b"0123456789\xFF".repeat(1_000);
/// let shape = Shape::new(Limit::graphemes(4)?);
/// let lossy = shape.shorten_lossy(&bytes).expect("bytes over the limit");
/// assert_eq!((lossy.cut().head(), lossy.cut().tail()), ("012", "\u{FFFD}"));
/// assert_eq!(lossy.unmeasured().measure(), Measured::of(&bytes));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LossyCut<'a> {
    bytes: &'a [u8],
    counted: Counted,
    cut: OwnedCut,
}

impl<'a> LossyCut<'a> {
    /// The cut.
    #[must_use]
    pub fn cut(&self) -> Cut<'_> {
        self.cut.cut()
    }

    /// The bytes. What was counted to decide on the cut is not counted again.
    #[must_use]
    pub fn unmeasured(&self) -> Unmeasured<'a> {
        Unmeasured::of_counted(self.bytes, self.counted)
    }
}

/// The text of a [`Cut`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnedCut {
    head: String,
    tail: String,
    shown: u64,
}

impl OwnedCut {
    pub(crate) fn of(cut: &Cut<'_>) -> Self {
        Self {
            head: cut.head().into(),
            tail: cut.tail().into(),
            shown: cut.shown(),
        }
    }

    pub(crate) fn cut(&self) -> Cut<'_> {
        Cut::of_shown(&self.head, &self.tail, self.shown)
    }
}

impl Shape {
    /// As [`shorten`](Self::shorten) for the text that [`decode_lossy`] makes of `bytes`. Where it
    /// is cut, little more of both ends is decoded than is shown.
    ///
    /// ```
    /// use artifacts_core::{LossyCut, Shape, decode_lossy};
    ///
    /// let bytes = b"0123456789\xFF".repeat(10_000);
    /// let lossy = Shape::excerpt().shorten_lossy(&bytes);
    /// let text = decode_lossy(&bytes);
    /// let cut = lossy.as_ref().map(LossyCut::cut);
    /// assert_eq!(cut, Shape::excerpt().shorten(&text));
    /// ```
    #[must_use]
    pub fn shorten_lossy<'a>(&self, bytes: &'a [u8]) -> Option<LossyCut<'a>> {
        let (unit, passing) = (self.limit().unit(), self.passing());
        // The text has no fewer bytes, and at most three for each.
        let length = bytes.len() as u64;
        if passing.fits_by_bytes(unit, length.saturating_mul(3)) == Some(true) {
            return None;
        }
        let is_over = |start: &Measure| length > passing.bytes || self.is_below(start);
        let mut counted = Counted::from_start(bytes, is_over);
        let is_over = is_over(&counted.measure());
        let is_whole = counted.bytes() == bytes.len();
        if is_whole && !self.is_below(&counted.most_of_text()) {
            return None;
        }
        let ends = is_over.then(|| self.decode_ends(bytes, &mut counted));
        let whole = || {
            // All of it is shown, or nearly all.
            let text = decode_lossy(bytes);
            self.shorten(&text).as_ref().map(OwnedCut::of)
        };
        Some(LossyCut {
            bytes,
            counted,
            cut: ends.flatten().or_else(whole)?,
        })
    }

    /// The ends of the text of `bytes`, which is certainly over the limit, or `None` where showing
    /// them may not be shorter. `counted` is the start; it is counted further if the end does not
    /// tell where its clusters begin.
    fn decode_ends<'a>(&self, bytes: &'a [u8], counted: &mut Counted) -> Option<OwnedCut> {
        let length = bytes.len();
        let last_of = |reach: usize| unit_boundary(bytes, length.saturating_sub(reach));
        let (_, last) = bytes.split_at(last_of(STEP));
        let last = Counted::from_start(last, |_| true).measure();
        let (front, back) = self.guesses(&counted.measure(), &last);
        let front = Front::of(Decoded::Invalid(bytes), front);
        let reach = self.least_back();
        let end = match reach {
            0 => &[],
            _ => bytes,
        };
        let back = Back::of(Decoded::Invalid(end), State::START, back);
        let mut extended = 0;
        let further = |back: &mut Back<'a>| {
            if extended < EXTENSIONS {
                extended = extended.saturating_add(1);
                return back.extend();
            }
            // One cluster, or a run of flags: what is before it tells, and is to be counted anyway.
            let before = counted.up_to(bytes, last_of(reach));
            let (_, end) = bytes.split_at(before.bytes());
            *back = Back::of(Decoded::Invalid(end), before.state(), end.len());
            if before.bytes() > counted.bytes() {
                *counted = before;
            }
        };
        self.cut_between(front, back, further, |cut| {
            let shrinks = self.shrinks(cut, length as u64);
            shrinks.then(|| OwnedCut::of(cut))
        })
    }

    /// Gives the cut of a text that is certainly cut to `shown`. More of both ends is decoded only
    /// where they do not decide, `further` back by what it is given.
    pub(crate) fn cut_between<'b, T>(
        &self,
        mut front: Front<'_>,
        mut back: Back<'b>,
        mut further: impl FnMut(&mut Back<'b>),
        shown: impl FnOnce(&Cut<'_>) -> T,
    ) -> T {
        let first = loop {
            let first = self.first(&Source::of(front.text()));
            let decided = match self.rendering() {
                Rendering::Excerpt | Rendering::HeadNote => first.text.len(),
                Rendering::Pointer | Rendering::Header => FIXED,
            };
            if front.decides(decided) {
                break first;
            }
            front.extend();
        };
        let snap = usize::try_from(self.line_snap()).unwrap_or(usize::MAX);
        let most = usize::try_from(self.limit().byte_ceiling()).unwrap_or(usize::MAX);
        loop {
            let cut = self.cut_source(&Source::of_ends(front.text(), first, back.text()));
            // No tail has more bytes than the ceiling, before its snap neither.
            let tail = cut.tail().len().saturating_add(snap).min(most);
            if back.decides(tail) {
                return shown(&cut);
            }
            further(&mut back);
        }
    }

    /// From how many bytes the head and the tail are probably decoded, where the text is much the
    /// same as in the pieces at its start and at its end that were measured.
    pub(crate) fn guesses(&self, start: &Measure, end: &Measure) -> (usize, usize) {
        let (head, limit) = (self.head_share(), self.limit().budget());
        let tail = match self.trailer() {
            0 => limit.less(head),
            _ => limit,
        };
        let guess = |share: Budget, slack: u32, piece: &Measure| {
            let all = match self.limit().unit() {
                Unit::Graphemes => piece.graphemes(),
                Unit::Bytes => piece.bytes(),
                Unit::Scalars | Unit::Tokens => piece.scalars(),
            };
            let bytes = u128::from(share.units).saturating_mul(u128::from(piece.bytes()));
            let bytes = bytes.div_ceil(u128::from(all.max(1)));
            let bytes = bytes.saturating_add(bytes / 16);
            let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
            let bytes = bytes.saturating_add(u64::from(slack)).min(share.bytes);
            usize::try_from(bytes).map_or(usize::MAX, |bytes| bytes.saturating_add(SPARE))
        };
        let front = match self.rendering() {
            Rendering::Excerpt => guess(head, 0, start),
            Rendering::HeadNote => guess(limit, 0, start),
            Rendering::Pointer | Rendering::Header => FIXED.saturating_add(SPARE),
        };
        (front, guess(tail, self.line_snap(), end))
    }
}

/// How often more of the end is decoded before all that is before it is counted instead.
const EXTENSIONS: u32 = 2;

/// A preview, or the lines under a header, are within so many bytes whatever the limit.
const FIXED: usize = HEADER_BYTES as usize;

/// How many bytes more than are probably shown are decoded.
const SPARE: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limit;

    #[test]
    fn what_is_decoded_follows_what_a_rendering_shows() {
        let piece = Measure::of("0123456789");
        let limit = Limit::graphemes(1_000_000).unwrap();
        let front = |rendering, snap| {
            let shape = Shape::new(limit).with_rendering(rendering);
            shape.with_line_snap(snap).guesses(&piece, &piece).0
        };
        for snap in [0, u32::MAX] {
            assert_eq!(front(Rendering::Pointer, snap), FIXED + SPARE);
            assert_eq!(front(Rendering::Header, snap), FIXED + SPARE);
            assert_eq!(front(Rendering::HeadNote, snap), 1_062_564);
            assert_eq!(front(Rendering::Excerpt, snap), 796_939);
        }
    }
}
