//! Limits: how much of a tool result the model is shown, in which unit.

use alloc::format;
use core::num::NonZeroU64;

use crate::ends::Part;
use crate::segment::Counter;
use crate::{Error, ErrorKind, Measure};

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

impl Unit {
    /// The word that a record or a flag has for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Graphemes => "graphemes",
            Self::Bytes => "bytes",
            Self::Scalars => "scalars",
            Self::Tokens => "tokens",
        }
    }
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
    ceiling: NonZeroU64,
}

impl Limit {
    pub(crate) const EXCERPT: Self = Self::preset(Unit::Graphemes, 16_384);
    pub(crate) const POINTER: Self = Self::preset(Unit::Bytes, 51_200);
    pub(crate) const HEAD_NOTE: Self = Self::preset(Unit::Scalars, 16_000);

    /// A limit of `amount` graphemes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if `amount` is 0.
    pub fn graphemes(amount: u64) -> Result<Self, Error> {
        Self::new(Unit::Graphemes, amount)
    }

    /// A limit of `amount` of `unit`, with a byte ceiling of 8 bytes for each unit (of 32 for each
    /// token).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if `amount` is 0, or below 1,000 tokens.
    pub fn new(unit: Unit, amount: u64) -> Result<Self, Error> {
        let (least, advice) = match unit {
            Unit::Tokens => (1_000, "give a smaller one in scalars, 4 to a token"),
            _ => (1, "leave it out to pass every result whole"),
        };
        match NonZeroU64::new(amount) {
            Some(amount) if amount.get() >= least => Ok(Self {
                unit,
                amount,
                ceiling: units(unit, amount).saturating_mul(BYTES_PER_UNIT),
            }),
            _ => Err(Error::new(
                ErrorKind::Limit,
                format!(
                    "limit must be at least {least} {}, got {amount}: {advice}",
                    unit.as_str()
                ),
            )),
        }
    }

    /// The same limit with a byte ceiling of `bytes`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] if `bytes` is 0.
    pub fn with_byte_ceiling(self, bytes: u64) -> Result<Self, Error> {
        match NonZeroU64::new(bytes) {
            Some(ceiling) => Ok(Self { ceiling, ..self }),
            None => Err(Error::new(
                ErrorKind::Limit,
                format!("byte ceiling of the limit must be at least 1, got {bytes}"),
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

    /// The byte ceiling.
    #[must_use]
    pub fn byte_ceiling(self) -> u64 {
        self.ceiling.get()
    }

    /// Whether `text` is within the limit.
    ///
    /// Where the bytes alone decide, the text is not read (SPEC 1.2); else it is read until it is
    /// certainly over.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        self.budget().fits(self.unit, text)
    }

    const fn preset(unit: Unit, amount: u64) -> Self {
        let amount = NonZeroU64::new(amount).expect("a preset is not 0");
        Self {
            unit,
            amount,
            ceiling: amount.saturating_mul(BYTES_PER_UNIT),
        }
    }

    /// The budget in units (tokens as scalars) and the byte ceiling.
    pub(crate) fn budget(self) -> Budget {
        Budget {
            units: units(self.unit, self.amount).get(),
            bytes: self.ceiling.get(),
        }
    }
}

/// What one end of an excerpt may hold: both hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) units: u64,
    pub(crate) bytes: u64,
}

impl Budget {
    /// Whether `text` is within the budget, in `unit` and in bytes.
    pub(crate) fn fits(self, unit: Unit, text: &str) -> bool {
        let by_bytes = self.fits_by_bytes(unit, text.len() as u64);
        by_bytes.unwrap_or_else(|| self.fits_beyond(unit, Part::default(), text))
    }

    /// Whether a text of so many bytes is within the budget, if that tells.
    pub(crate) fn fits_by_bytes(self, unit: Unit, length: u64) -> Option<bool> {
        match unit {
            _ if length > self.bytes => Some(false),
            _ if length <= self.units => Some(true),
            Unit::Bytes => Some(false),
            Unit::Graphemes | Unit::Scalars | Unit::Tokens => None,
        }
    }

    /// Whether `text`, which begins with the whole clusters of `first`, is within the budget in
    /// `unit`.
    pub(crate) fn fits_beyond(self, unit: Unit, first: Part<'_>, text: &str) -> bool {
        let (_, rest) = text.split_at(first.text.len());
        let units = self.units.saturating_sub(first.cost(unit).units);
        match unit {
            Unit::Graphemes => Counter::default().advance(rest, units) == rest.len(),
            Unit::Bytes => rest.len() as u64 <= units,
            Unit::Scalars | Unit::Tokens => {
                let scalars = usize::try_from(units).unwrap_or(usize::MAX);
                rest.chars().nth(scalars).is_none()
            }
        }
    }

    /// Whether a text is certainly over the budget whose measure is `measure`, with no more bytes
    /// than the text has.
    pub(crate) fn is_below(self, unit: Unit, measure: &Measure) -> bool {
        let measured = match unit {
            Unit::Graphemes => measure.graphemes(),
            Unit::Bytes => measure.bytes(),
            Unit::Scalars | Unit::Tokens => measure.scalars(),
        };
        measured > self.units || measure.bytes() > self.bytes
    }

    /// The budget with so many units and bytes more.
    pub(crate) fn plus(self, amount: u64) -> Self {
        Self {
            units: self.units.saturating_add(amount),
            bytes: self.bytes.saturating_add(amount),
        }
    }

    /// What is left of this budget beside `other`.
    pub(crate) fn less(self, other: Self) -> Self {
        Self {
            units: self.units.saturating_sub(other.units),
            bytes: self.bytes.saturating_sub(other.bytes),
        }
    }

    /// The smaller of the two budgets in each respect.
    pub(crate) fn min(self, other: Self) -> Self {
        Self {
            units: self.units.min(other.units),
            bytes: self.bytes.min(other.bytes),
        }
    }
}

/// The amount in the unit that is counted: a token is four scalars.
fn units(unit: Unit, amount: NonZeroU64) -> NonZeroU64 {
    match unit {
        Unit::Tokens => amount.saturating_mul(SCALARS_PER_TOKEN),
        Unit::Graphemes | Unit::Bytes | Unit::Scalars => amount,
    }
}

const SCALARS_PER_TOKEN: NonZeroU64 = NonZeroU64::new(4).unwrap();

const BYTES_PER_UNIT: NonZeroU64 = NonZeroU64::new(8).unwrap();
