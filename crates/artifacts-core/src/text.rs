//! Small pieces of text every rendering shares: thousands separators, one-line cleaning.

use core::fmt;

/// A count written with thousands separators, as in `391,204` (SPEC 3.3).
pub(crate) struct Thousands(pub(crate) u64);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (high, low) = (self.0 / 1_000, self.0 % 1_000);
        if high == 0 {
            return write!(f, "{low}");
        }
        write!(f, "{},{low:03}", Self(high))
    }
}

/// Reads back what [`Thousands`] writes, and nothing else.
pub(crate) fn parse_thousands(text: &str) -> Option<u64> {
    let mut value: u64 = 0;
    for (index, group) in text.split(',').enumerate() {
        let digits = group.bytes().all(|byte| byte.is_ascii_digit());
        let width = match index {
            0 => (1..=3).contains(&group.len()) && (group == "0" || !group.starts_with('0')),
            _ => group.len() == 3 && value > 0,
        };
        if !(digits && width) {
            return None;
        }
        value = value.checked_mul(1_000)?.checked_add(group.parse().ok()?)?;
    }
    // A first group of one to three digits stands alone below a thousand.
    Some(value)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn thousands_round_trip() {
        for (value, text) in [
            (0, "0"),
            (7, "7"),
            (999, "999"),
            (1_000, "1,000"),
            (391_204, "391,204"),
            (1_000_001, "1,000,001"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(Thousands(value).to_string(), text);
            assert_eq!(parse_thousands(text), Some(value));
        }
    }

    #[test]
    fn other_spellings_of_a_count_are_refused() {
        for text in [
            "",
            ",",
            "1000",
            "01",
            "1,00",
            "0,001",
            "1,0000",
            "+1",
            "1,-01",
            "18,446,744,073,709,551,616",
        ] {
            assert_eq!(parse_thousands(text), None, "{text:?}");
        }
    }
}
