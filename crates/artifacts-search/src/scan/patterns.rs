//! What to look for, each in three casings, and the terms that a match may be of.

use std::ops::Range;

use aho_corasick::{AhoCorasick, Input, MatchKind, packed};

use crate::{Error, ErrorKind};

#[derive(Debug)]
pub(super) struct Patterns {
    pub(super) automaton: AhoCorasick,
    /// Finds the same several times as fast, where that pays.
    packed: Option<packed::Searcher>,
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
        let automaton = AhoCorasick::builder()
            .match_kind(kind)
            // Skipping to a rare byte pays only where bytes are rare, which those that lead
            // characters of a script are not in a text of that script.
            .prefilter(patterns.iter().all(|pattern| pattern.is_ascii()))
            .build(&patterns)
            .map_err(|_| {
                let message = "the question is too long: ask in fewer words";
                Error::new(ErrorKind::Question, message)
            })?;
        // What begins with the bytes that all characters of a script have, but goes on with others,
        // is passed over many bytes at a time.
        let is_of_a_script = |pattern: &String| !pattern.starts_with(|c: char| c.is_ascii());
        let packs = kind == MatchKind::LeftmostLongest
            && patterns.len() <= MOST_PACKED
            && patterns.iter().all(is_of_a_script);
        let packed = packs.then(|| {
            let mut config = packed::Config::new();
            config.match_kind(packed::MatchKind::LeftmostLongest);
            config.builder().extend(&patterns).build()
        });
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
            packed: packed.flatten(),
        })
    }

    /// The first pattern in `text` from `at` on, and where it is.
    pub(super) fn find(&self, text: &str, at: usize) -> Option<(usize, Range<usize>)> {
        let found = match &self.packed {
            Some(packed) => packed.find_in(text, (at..text.len()).into()),
            None => self.automaton.find(Input::new(text).range(at..)),
        }?;
        Some((found.pattern().as_usize(), found.range()))
    }
}

/// The text itself, in capitals, and with one capital.
fn casings(text: &str) -> [String; 3] {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    let title: String = first.chain(rest.as_str().chars()).collect();
    [text.to_owned(), text.to_uppercase(), title]
}

/// More patterns than so many are found faster one byte after the other.
const MOST_PACKED: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place where a pattern is, beside where it is when each place is looked at alone.
    #[track_caller]
    fn check(words: &[&str], text: &str, is_packed: bool) {
        let terms: Vec<(usize, &str)> = words.iter().copied().enumerate().collect();
        let patterns = Patterns::new(&terms, MatchKind::LeftmostLongest).unwrap();
        assert!(is_packed || patterns.packed.is_none());
        let (mut found, mut expected, mut at) = (Vec::new(), Vec::new(), 0);
        while let Some((_, place)) = patterns.find(text, at) {
            at = place.end;
            found.push(place);
        }
        let all: Vec<String> = words.iter().flat_map(|word| casings(word)).collect();
        at = 0;
        while at < text.len() {
            let rest = text.get(at..).unwrap_or_default();
            let there = all.iter().filter(|word| rest.starts_with(word.as_str()));
            let longest = there.map(String::len).max();
            expected.extend(longest.map(|length| at..at + length));
            at += longest.unwrap_or(1);
        }
        assert_eq!(found, expected);
        assert!(!found.is_empty());
    }

    #[test]
    fn the_longest_pattern_at_the_first_place_is_found_either_way() {
        let text = "क्षक्षेत्र परिणाम, का क्षेत्र ऀ".repeat(50);
        check(&["क्षेत्र", "क्ष", "परिणाम"], &text, true);
        check(
            &["москва", "река"],
            &"Москва-река и МОСКВА ".repeat(50),
            true,
        );
        check(&["map", "река"], "map река", false);
        check(&["क्ष"], "क्ष", true);
    }
}
