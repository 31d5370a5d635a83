//! Points in time, and the clock that is passed in.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{Error, ErrorKind};

/// A point in time in UTC microseconds, written as in `2026-08-10T12:34:56.000001Z` (SPEC 5.7).
///
/// ```
/// use loop_integration::Timestamp;
///
/// let time = Timestamp::from_unix_micros(1_786_365_296_000_001);
/// assert_eq!(time.to_string(), "2026-08-10T12:34:56.000001Z");
/// assert_eq!(time.to_string().parse::<Timestamp>()?, time);
/// # Ok::<(), loop_integration::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The latest time that can be written: 9999-12-30T22:00:00.999999Z, which is in the year 9999
    /// in every time zone.
    pub const MAX: Self = Self(253_402_207_200_999_999);

    /// `micros` microseconds after the beginning of 1970; a later time than [`MAX`](Self::MAX)
    /// becomes that.
    #[must_use]
    pub fn from_unix_micros(micros: u64) -> Self {
        Self(micros.min(Self::MAX.0))
    }

    /// Microseconds after the beginning of 1970.
    #[must_use]
    pub fn unix_micros(self) -> u64 {
        self.0
    }

    /// Microseconds from `earlier` to this; 0 if the clock went back.
    #[must_use]
    pub fn micros_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Tells the time a record is written with. Nothing else on the settle path depends on it (I2).
///
/// Any closure that returns a [`Timestamp`] is a clock.
///
/// ```
/// use loop_integration::{Clock, Timestamp};
///
/// let stopped = || Timestamp::from_unix_micros(7);
/// assert_eq!(stopped.now().to_string(), "1970-01-01T00:00:00.000007Z");
/// ```
pub trait Clock: Send + Sync {
    /// The time at the call.
    fn now(&self) -> Timestamp;
}

impl<F: Fn() -> Timestamp + Send + Sync> Clock for F {
    fn now(&self) -> Timestamp {
        self()
    }
}

/// The clock of the machine.
///
/// ```
/// use loop_integration::{Clock as _, SystemClock};
///
/// assert!(SystemClock.now().to_string().ends_with('Z'));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that asks the machine; a caller passes it in"
        )]
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        let micros = since_epoch.map_or(0, |since| since.as_micros());
        Timestamp::from_unix_micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }
}

/// RFC 3339 in UTC, always with six digits after the point.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In range: the constructor ends at MAX.
        let micros = i64::try_from(self.0).unwrap_or(i64::MAX);
        let time = jiff::Timestamp::from_microsecond(micros).unwrap_or(jiff::Timestamp::MAX);
        write!(f, "{time:.6}")
    }
}

/// Reads exactly what `Display` writes.
impl FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let time = text.parse::<jiff::Timestamp>().ok();
        time.and_then(|time| u64::try_from(time.as_microsecond()).ok())
            .map(Self::from_unix_micros)
            .filter(|time| time.to_string() == text)
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::Damaged,
                    "not a time: expected UTC as in 2026-08-10T12:34:56.000001Z",
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_until_2400_reads_back() {
        for day in 0..157_000 {
            let time = Timestamp::from_unix_micros(day * 86_400_000_000 + 1);
            assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
        }
    }

    #[test]
    fn known_times_are_written_as_known() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (u64::MAX, "9999-12-30T22:00:00.999999Z"),
        ] {
            assert_eq!(Timestamp::from_unix_micros(micros).to_string(), text);
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "",
            "2026-08-10",
            "2026-08-10T12:34:56Z",
            "2026-08-10T12:34:56.000001+00:00",
            "2026-13-10T12:34:56.000001Z",
            "2026-02-30T12:34:56.000001Z",
            "+026-08-10T12:34:56.000001Z",
            "1969-12-31T23:59:59.999999Z",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }
}
