//! What to look for, each in three casings, and the terms that a match may be of.

use std::ops::Range;

use aho_corasick::{AhoCorasick, Input, MatchKind};

use crate::{Error, ErrorKind};

#[derive(Debug)]
pub(super) struct Patterns {
    automaton: AhoCorasick,
    /// So many bytes from its start each pattern is looked for without.
    skip: usize,
    texts: Vec<String>,
    /// The terms that a match of each pattern may be of.
    pub(super) terms: Vec<Vec<usize>>,
}

impl Patterns {
    pub(super) fn new(terms: &[(usize, &str)], kind: MatchKind) -> Result<Self, Error> {
        let mut patterns: Vec<String> = Vec::new();
        for (_, text) in terms {
            patterns.extend(casings(text));
        }
        patterns.sort();
        patterns.dedup();
        let skip = match kind {
            MatchKind::Standard => 0,
            _ => skipped(&patterns),
        };
        let automaton = AhoCorasick::builder()
            .match_kind(kind)
            // Skipping to a rare byte pays only where bytes are rare, which those that lead
            // characters of a script are not in a text of that script.
            .prefilter(skip > 0 || patterns.iter().all(|pattern| pattern.is_ascii()))
            .build(
                patterns
                    .iter()
                    .map(|pattern| pattern.as_bytes().split_at(skip).1),
            )
            .map_err(|_| {
                let message = "the question is too long: ask in fewer words";
                Error::new(ErrorKind::Question, message)
            })?;
        // Where a longer pattern is found, every pattern that it begins with is, too.
        let terms_of = |pattern: &String| {
            let lower = pattern.to_lowercase();
            let begins = |(_, text): &&(usize, &str)| match kind {
                MatchKind::Standard => **text == lower,
                _ => lower.starts_with(text),
            };
            terms.iter().filter(begins).map(|(term, _)| *term).collect()
        };
        Ok(Self {
            terms: patterns.iter().map(terms_of).collect(),
            automaton,
            skip,
            texts: patterns,
        })
    }

    /// The first pattern in `text` from `at` on, and where it is.
    pub(super) fn find(&self, text: &str, mut at: usize) -> Option<(usize, Range<usize>)> {
        loop {
            let from = at.saturating_add(self.skip);
            if from > text.len() {
                return None;
            }
            let found = self.automaton.find(Input::new(text).range(from..))?;
            let pattern = found.pattern().as_usize();
            let start = found.start() - self.skip;
            let place = text.get(start..found.end());
            if place.is_some_and(|place| self.texts.get(pattern).is_some_and(|text| text == place))
            {
                return Some((pattern, start..found.end()));
            }
            at = start + 1;
        }
    }

    /// Each pattern wherever it is in `text`, and where that is.
    pub(super) fn overlapping(&self, text: &str) -> impl Iterator<Item = (usize, Range<usize>)> {
        let found = self.automaton.find_overlapping_iter(text);
        found.map(|found| (found.pattern().as_usize(), found.start()..found.end()))
    }
}

/// What the characters of a script have in common: the bytes of the first one but its last. None, if
/// patterns could be taken for each other without them.
fn skipped(patterns: &[String]) -> usize {
    let common = patterns.iter().filter_map(|pattern| pattern.chars().next());
    let skip = common
        .map(|first| first.len_utf8() - 1)
        .min()
        .unwrap_or_default();
    let parts = || {
        patterns
            .iter()
            .map(|pattern| pattern.as_bytes().split_at(skip))
    };
    let alike = parts().any(|(lead, rest)| {
        parts().any(|(other_lead, other)| other.starts_with(rest) && lead != other_lead)
    });
    if alike { 0 } else { skip }
}

/// The text itself, in capitals, and with one capital.
fn casings(text: &str) -> [String; 3] {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    let title: String = first.chain(rest.as_str().chars()).collect();
    [text.to_owned(), text.to_uppercase(), title]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place where a pattern is, looked for at each place alone.
    #[track_caller]
    fn check(words: &[&str], text: &str, skip: usize) {
        let terms: Vec<(usize, &str)> = words.iter().copied().enumerate().collect();
        let patterns = Patterns::new(&terms, MatchKind::LeftmostLongest).unwrap();
        assert_eq!(patterns.skip, skip);
        let (mut found, mut expected, mut at) = (Vec::new(), Vec::new(), 0);
        while let Some((_, place)) = patterns.find(text, at) {
            at = place.end;
            found.push(place);
        }
        at = 0;
        while at < text.len() {
            let rest = text.get(at..).unwrap_or_default();
            let there = patterns
                .texts
                .iter()
                .filter(|word| rest.starts_with(word.as_str()));
            let longest = there.map(String::len).max();
            if let Some(length) = longest {
                expected.push(at..at + length);
            }
            at += longest.unwrap_or(1);
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn what_a_script_has_in_common_is_skipped_and_hides_nothing() {
        check(&["क्षेत्र", "क्ष", "परिणाम"], "क्षक्षेत्र परिणाम, का क्षेत्र ऀ", 2);
        check(&["москва", "река"], "Москва-река и МОСКВА", 1);
        check(&["map", "река"], "map река", 0);
        // U+0430 and U+0470 differ in their first byte alone.
        check(
            &["\u{430}\u{44f}", "\u{470}\u{44f}"],
            "\u{430}\u{44f}\u{470}\u{44f}",
            0,
        );
        check(&["\u{430}"], "\u{470}\u{430}\u{470}", 1);
    }
}
