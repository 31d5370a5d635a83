//! Parts of an artifact as models write them: `"lines": "10-20"`.

use std::fmt;
use std::ops::Range;

use artifacts_fs::Selection;
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

/// From where to where, both ends included: `10-20`, `10-` or `10`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    first: u64,
    last: Option<u64>,
}

impl Span {
    /// `None` if it is not written as one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| match text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit())
        {
            true => None,
            // Too large a number lies beyond any end.
            false => Some(text.parse().unwrap_or(u64::MAX)),
        };
        let (first, last) = match text.split_once('-') {
            Some((first, last)) => (first.trim(), Some(last.trim())),
            None => (text.trim(), None),
        };
        let first = number(first)?;
        Some(Self {
            first,
            last: match last {
                None => Some(first),
                Some("") => None,
                Some(last) => Some(number(last)?),
            },
        })
    }

    /// As offsets from 0, without its end.
    pub(crate) fn offsets(self) -> Range<u64> {
        let last = self.last.map_or(u64::MAX, |last| last.saturating_add(1));
        self.first..last.max(self.first)
    }

    /// Whether it ends before it begins.
    pub(crate) fn is_reversed(self) -> bool {
        self.last.is_some_and(|last| last < self.first)
    }

    /// As the numbers of lines, which are counted from 1.
    fn lines(self) -> Range<u64> {
        let first = self.first.saturating_sub(1);
        first..self.last.unwrap_or(u64::MAX).max(first)
    }
}

/// As it is written.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            None => write!(f, "{}-", self.first),
            Some(last) => write!(f, "{}-{last}", self.first),
        }
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SpanVisitor)
    }
}

struct SpanVisitor;

impl Visitor<'_> for SpanVisitor {
    type Value = Span;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a range as \"10-20\", \"10-\" or \"10\", counted from the end with \"from_end\":true",
        )
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Span, E> {
        Ok(Span {
            first: number,
            last: Some(number),
        })
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Span, E> {
        Span::parse(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

/// The part of an artifact that arguments name: at most one of the three.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Part {
    pub(crate) lines: Option<Span>,
    pub(crate) bytes: Option<Span>,
    pub(crate) chars: Option<Span>,
    pub(crate) from_end: bool,
}

impl Part {
    /// The range that ends before it begins, if there is one.
    pub(crate) fn reversed(&self) -> Option<Span> {
        let mut spans = [self.lines, self.bytes, self.chars].into_iter().flatten();
        spans.find(|span| span.is_reversed())
    }

    /// Whether lines are counted from 0, as if that were the first.
    pub(crate) fn begins_at_line_0(&self) -> bool {
        self.lines.is_some_and(|lines| lines.first == 0)
    }

    /// `None` if several are named.
    pub(crate) fn selection(&self) -> Option<Selection> {
        let selection = match (self.lines, self.bytes, self.chars) {
            (None, None, None) => return Some(Selection::all()),
            (Some(lines), None, None) => Selection::lines(lines.lines()),
            (None, Some(bytes), None) => Selection::bytes(bytes.offsets()),
            (None, None, Some(chars)) => Selection::graphemes(chars.offsets()),
            _ => return None,
        };
        Some(match self.from_end {
            true => selection.from_end(),
            false => selection,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_include_both_ends() {
        let offsets = |text| Span::parse(text).map(Span::offsets);
        assert_eq!(offsets("10-20"), Some(10..21));
        assert_eq!(offsets(" 10 - 20 "), Some(10..21));
        assert_eq!(offsets("10"), Some(10..11));
        assert_eq!(offsets("10-"), Some(10..u64::MAX));
        assert_eq!(offsets("20-10"), Some(20..20));
        assert_eq!(offsets("99999999999999999999-"), Some(u64::MAX..u64::MAX));
        for text in ["", "-", "-5", "a-b", "1-2-3", "+1", "1.5"] {
            assert_eq!(offsets(text), None, "{text:?}");
        }
        assert_eq!(Span::parse("1-10").map(Span::lines), Some(0..10));
        assert_eq!(Span::parse("0-10").map(Span::lines), Some(0..10));
    }
}
