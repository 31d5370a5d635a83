//! Excerpts of results that arrive piece by piece.

use crate::held::Held;
use crate::kept::{Kept, Shown};
use crate::{Cut, Measured, Meter, Shape};

/// Measures, hashes and excerpts bytes that arrive piece by piece, split anywhere.
///
/// Gives what [`Measured::of`] and [`Shape::shorten`] give for the whole, decoded as
/// `String::from_utf8_lossy` does (SPEC 1.7, 1.8).
///
/// ```
/// use artifacts_core::{Excerpter, Limit, Shape};
///
/// let mut excerpter = Excerpter::new(Shape::new(Limit::graphemes(4)?));
/// for _ in 0..1_000 {
///     excerpter.update(b"0123456789");
/// }
/// let excerpted = excerpter.finish();
/// assert_eq!(excerpted.measured().measure().bytes(), 10_000);
/// let cut = excerpted.cut().expect("a result over the limit");
/// assert_eq!((cut.head(), cut.tail()), ("012", "9"));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Excerpter {
    shape: Shape,
    meter: Meter,
    kept: Kept,
}

impl Excerpter {
    /// Starts with no bytes.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            meter: Meter::default(),
            kept: Kept::Whole(Held::default()),
        }
    }

    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        let Self { shape, meter, kept } = self;
        let mut behind = bytes.len();
        meter.update_with(bytes, |state, decoded| {
            behind = behind.saturating_sub(decoded.bytes().len());
            kept.push(shape, state, decoded, behind);
        });
    }

    /// What was taken, measured and cut.
    #[must_use]
    pub fn finish(self) -> Excerpted {
        let Self {
            shape,
            meter,
            mut kept,
        } = self;
        let measured = meter.finish_with(|state, decoded| kept.push(&shape, state, decoded, 0));
        Excerpted {
            measured,
            shown: kept.show(&shape, measured.measure()),
        }
    }
}

/// What an [`Excerpter`] knows of the bytes it took.
///
/// ```
/// use artifacts_core::{Excerpter, Shape};
///
/// let mut excerpter = Excerpter::new(Shape::excerpt());
/// excerpter.update(b"short");
/// let excerpted = excerpter.finish();
/// assert_eq!(excerpted.whole(), Some("short"));
/// assert!(excerpted.cut().is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpted {
    measured: Measured,
    shown: Shown,
}

impl Excerpted {
    /// Size and digest of all bytes taken.
    #[must_use]
    pub fn measured(&self) -> &Measured {
        &self.measured
    }

    /// The whole text, if it passes whole.
    #[must_use]
    pub fn whole(&self) -> Option<&str> {
        match &self.shown {
            Shown::Whole(text) => Some(text),
            Shown::Cut(_) => None,
        }
    }

    /// The parts to show, if the text does not pass whole.
    #[must_use]
    pub fn cut(&self) -> Option<Cut<'_>> {
        match &self.shown {
            Shown::Whole(_) => None,
            Shown::Cut(cut) => Some(cut.cut()),
        }
    }
}
