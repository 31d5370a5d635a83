//! Bytes on their way to be measured, with what of them is counted already.

use crate::measure::Counted;
use crate::segment::{State, is_boundary};
use crate::{Cut, Measured};

/// Bytes to be measured, of which a part may be counted already.
///
/// A result that is over its limit is cut before it is stored, and measured while it is. Made of a
/// text and its cut, what the cut shows is not counted a second time; made of a
/// [`LossyCut`](crate::LossyCut), what was counted to decide is not.
///
/// ```
/// use artifacts_core::{Limit, Measured, Shape, Unmeasured};
///
/// let text = "0123456789".repeat(1_000);
/// let cut = Shape::new(Limit::graphemes(4)?).cut(&text);
/// let unmeasured = Unmeasured::of_cut(&text, cut);
/// assert_eq!(unmeasured.measure(), Measured::of(text.as_bytes()));
/// assert_eq!(unmeasured.bytes(), text.as_bytes());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Unmeasured<'a>(Known<'a>);

#[derive(Debug, Clone, Copy)]
enum Known<'a> {
    Bytes(&'a [u8]),
    /// The text begins and ends with the parts of the cut, on cluster boundaries.
    Cut(&'a str, Cut<'a>),
    /// These are the first bytes, whole units of them.
    Start(&'a [u8], Counted),
}

impl<'a> Unmeasured<'a> {
    /// A text with its cut. If the cut is that of another text, the whole is counted.
    #[must_use]
    pub fn of_cut(text: &'a str, cut: Cut<'a>) -> Self {
        let (head, tail) = (cut.head(), cut.tail());
        let after = text.len().checked_sub(tail.len());
        let is_of_text = after.is_some_and(|after| {
            head.len() <= after
                && text.starts_with(head)
                && text.ends_with(tail)
                && [head.len(), after]
                    .iter()
                    .all(|at| is_boundary(State::START, text, *at))
        });
        match is_of_text {
            true => Self(Known::Cut(text, cut)),
            false => text.as_bytes().into(),
        }
    }

    /// Bytes of which the first are counted.
    pub(crate) fn of_counted(bytes: &'a [u8], counted: Counted) -> Self {
        Self(Known::Start(bytes, counted))
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        match self.0 {
            Known::Bytes(bytes) | Known::Start(bytes, _) => bytes,
            Known::Cut(text, _) => text.as_bytes(),
        }
    }

    /// Measures and hashes the bytes, as [`Measured::of`] does.
    #[must_use]
    pub fn measure(&self) -> Measured {
        match self.0 {
            Known::Bytes(bytes) => Measured::of(bytes),
            Known::Cut(text, cut) => Measured::around(text, &cut),
            Known::Start(bytes, counted) => Measured::beyond(counted, bytes),
        }
    }
}

/// Bytes of which nothing is known.
impl<'a> From<&'a [u8]> for Unmeasured<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(Known::Bytes(bytes))
    }
}
