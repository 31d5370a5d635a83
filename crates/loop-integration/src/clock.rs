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
    /// The latest time that can be written: the end of the year 9999.
    pub const MAX: Self = Self(253_402_300_799_999_999);

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
        let (seconds, micros) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let (days, second) = (seconds / DAY, seconds % DAY);
        let (year, month, day) = civil(days);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{micros:06}Z",
            second / 3_600,
            second / 60 % 60,
            second % 60,
        )
    }
}

/// Reads exactly what `Display` writes.
impl FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text)
            .filter(|time| time.to_string() == text)
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::Damaged,
                    "not a time: expected UTC as in 2026-08-10T12:34:56.000001Z",
                )
            })
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<u64>().ok();
    let days = days_from_civil(number(0..4)?, number(5..7)?, number(8..10)?)?;
    let second = number(11..13)? * 3_600 + number(14..16)? * 60 + number(17..19)?;
    Some(Timestamp(
        (days * DAY + second) * 1_000_000 + number(20..26)?,
    ))
}

/// The date that is `days` days after 1970-01-01. Counts in years that begin in March, so that the
/// leap day is the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + DAYS_TO_1970;
    let (era, of_era) = (days / DAYS_IN_ERA, days % DAYS_IN_ERA);
    let of_era_year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * of_era_year + of_era_year / 4 - of_era_year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let (month, carry) = match from_march {
        0..=9 => (from_march + 3, 0),
        _ => (from_march - 9, 1),
    };
    (era * 400 + of_era_year + carry, month, day)
}

fn days_from_civil(year: u64, month: u64, day: u64) -> Option<u64> {
    let (year, from_march) = match month {
        1 | 2 => (year.checked_sub(1)?, month + 9),
        3..=12 => (year, month - 3),
        _ => return None,
    };
    let (era, of_era) = (year / 400, year % 400);
    let of_year = (153 * from_march + 2) / 5 + day.checked_sub(1)?;
    let days = era * DAYS_IN_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    days.checked_sub(DAYS_TO_1970)
}

/// Seconds in a day.
const DAY: u64 = 86_400;

/// Days in 400 years.
const DAYS_IN_ERA: u64 = 146_097;

/// Days from 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: u64 = 719_468;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_until_2400_reads_back() {
        for day in 0..157_000 {
            let time = Timestamp::from_unix_micros(day * DAY * 1_000_000 + 1);
            assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
        }
    }

    #[test]
    fn known_times_are_written_as_known() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (u64::MAX, "9999-12-31T23:59:59.999999Z"),
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
