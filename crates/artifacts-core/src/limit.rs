//! Limits: how much of a tool result the model is shown, in which unit.

use alloc::format;
use core::num::NonZeroU64;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::{Error, ErrorKind};

/// The unit of a [`Limit`]. Cuts are on grapheme boundaries, whatever the unit (SPEC 1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// Extended grapheme clusters, the default.
    Graphemes,
    /// UTF-8 bytes.
    Bytes,
    /// Unicode scalar values.
    Scalars,
    /// Estimated tokens of four scalar values each.
    Tokens,
}

/// How large a tool result may be before it is excerpted, and how large its excerpt is.
///
/// Over means strictly greater. A grapheme may hold any number of bytes, so a limit also has a
/// byte ceiling of 8 bytes for each grapheme of the limit (SPEC 1.4); over either means over.
///
/// ```
/// use artifacts_core::Limit;
///
/// let limit = Limit::graphemes(4)?;
/// assert!(limit.fits("4444"));
/// assert!(!limit.fits("55555"));
/// assert!(Limit::graphemes(0).is_err());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limit {
    unit: Unit,
    amount: NonZeroU64,
}

impl Limit {
    /// A limit of `amount` graphemes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if `amount` is 0.
    pub fn graphemes(amount: u64) -> Result<Self, Error> {
        Self::new(Unit::Graphemes, amount)
    }

    /// A limit of `amount` of `unit`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if `amount` is 0, or below 1,000 tokens.
    pub fn new(unit: Unit, amount: u64) -> Result<Self, Error> {
        let least = if unit == Unit::Tokens { 1_000 } else { 1 };
        match NonZeroU64::new(amount) {
            Some(amount) if amount.get() >= least => Ok(Self { unit, amount }),
            _ => Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "limit must be at least {least}, got {amount}: leave it out to pass every result whole"
                ),
            )),
        }
    }

    /// The unit of the amount.
    #[must_use]
    pub fn unit(self) -> Unit {
        self.unit
    }

    /// The amount.
    #[must_use]
    pub fn amount(self) -> u64 {
        self.amount.get()
    }

    /// Whether `text` is within the limit.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        let Budget { units, bytes } = self.budget();
        let count = match self.unit {
            _ if (text.len() as u64) <= units.min(bytes) => return true,
            Unit::Graphemes => text.graphemes(true).count(),
            Unit::Bytes => text.len(),
            Unit::Scalars | Unit::Tokens => text.chars().count(),
        };
        count as u64 <= units && text.len() as u64 <= bytes
    }

    /// The budget in units (tokens as scalars) and the byte ceiling.
    pub(crate) fn budget(self) -> Budget {
        let units = match self.unit {
            Unit::Tokens => self.amount().saturating_mul(4),
            _ => self.amount(),
        };
        Budget {
            units,
            bytes: units.saturating_mul(8),
        }
    }
}

/// What one end of an excerpt may hold: both hold.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Budget {
    pub(crate) units: u64,
    pub(crate) bytes: u64,
}

/// `ceil(amount * 3 / 4)`, without overflow.
pub(crate) fn three_quarters(amount: u64) -> u64 {
    amount.saturating_sub(amount / 4)
}
