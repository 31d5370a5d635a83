//! Text from outside, made fit to stand inside one line of an answer.

use std::fmt;

use artifacts_core::{Limit, Unit};

/// A text in one line of a known length at most: what breaks lines, controls or reorders them is
/// shown as U+FFFD, and a longer text ends in `…`.
pub(crate) struct Clean<'a> {
    text: &'a str,
    max_chars: usize,
    max_bytes: usize,
}

impl<'a> Clean<'a> {
    /// At most 80 characters and 240 bytes.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            max_chars: 80,
            max_bytes: 237,
        }
    }

    /// All of it.
    pub(crate) fn whole(text: &'a str) -> Self {
        Self {
            text,
            max_chars: usize::MAX,
            max_bytes: usize::MAX,
        }
    }

    /// At most 300 characters and 400 bytes.
    pub(crate) fn long(text: &'a str) -> Self {
        Self {
            text,
            max_chars: 300,
            max_bytes: 397,
        }
    }
}

impl fmt::Display for Clean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // More is not shown, so it needs no cleaning.
        let near = self.text.chars().take(self.max_chars.saturating_add(1));
        let shown: String = near
            .map(|c| {
                if is_plain(c) {
                    c
                } else {
                    char::REPLACEMENT_CHARACTER
                }
            })
            .collect();
        let limit = Limit::new(Unit::Scalars, self.max_chars as u64)
            .and_then(|limit| limit.with_byte_ceiling(self.max_bytes as u64));
        match limit {
            Ok(limit) if !limit.fits(&shown) => write!(f, "{}…", limit.prefix(&shown).head()),
            _ => f.write_str(&shown),
        }
    }
}

/// No control, no line or paragraph separator, no embedding or isolate of the bidi algorithm.
pub(crate) fn is_plain(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_text_stays_short_and_in_its_line() {
        assert_eq!(
            Clean::new("a\n\u{1b}[2J\u{2028}\u{202e}b").to_string(),
            "a\u{fffd}\u{fffd}[2J\u{fffd}\u{fffd}b"
        );
        let long = Clean::new(&"x".repeat(1_000)).to_string();
        assert_eq!((long.chars().count(), long.ends_with("x…")), (81, true));
        assert!(Clean::new(&"🎉".repeat(1_000)).to_string().len() <= 240);
        let family = "👩\u{200d}👩\u{200d}👧";
        let whole = Clean::new(&family.repeat(100)).to_string();
        let whole = whole.strip_suffix('…').unwrap().replace(family, "");
        assert_eq!(whole, "", "no cut inside a cluster");
    }
}
