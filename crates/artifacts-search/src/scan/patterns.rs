//! What to look for, each in three casings, and the terms that a match may be of.

use aho_corasick::{AhoCorasick, MatchKind};

use crate::{Error, ErrorKind};

#[derive(Debug)]
pub(super) struct Patterns {
    pub(super) automaton: AhoCorasick,
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
        })
    }
}

/// The text itself, in capitals, and with one capital.
fn casings(text: &str) -> [String; 3] {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    let title: String = first.chain(rest.as_str().chars()).collect();
    [text.to_owned(), text.to_uppercase(), title]
}
