//! Finding the terms of a question in a text, in one pass and without an index.

mod capitals;
mod compound;
mod parts;
mod patterns;

use std::ops::Range;

use aho_corasick::MatchKind;

use crate::Error;
use crate::question::{Question, TermKind};
use crate::stem::Nearness;
use compound::{Compound, Progress};
use parts::{Lower, part_end, starts_part};
use patterns::Patterns;

/// A term found in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    /// The index of the term in the question.
    pub(crate) term: usize,
    /// Where it starts, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How much it counts: 1 for the same letters.
    pub(crate) weight: f32,
}

/// Looks for the terms of one question.
#[derive(Debug)]
pub(crate) struct Scanner {
    question: Question,
    /// The beginnings of the words, the longest that fits at a place.
    words: Patterns,
    /// The pairs, which overlap.
    pairs: Patterns,
    /// What the words begin with, by its first letter, where that is ASCII.
    beginnings: Vec<Vec<(usize, String)>>,
    /// For each term what follows it, if it is a compound.
    compounds: Vec<Option<Compound>>,
}

impl Scanner {
    pub(crate) fn new(question: Question) -> Result<Self, Error> {
        let terms = || question.terms().iter().enumerate();
        let words: Vec<(usize, &str)> = terms()
            .filter_map(|(index, term)| match &term.kind {
                TermKind::Word(forms) => Some((index, shortened(forms.beginning()))),
                TermKind::Compound(text) => Some((index, shortened(anchor(text)))),
                TermKind::Pair(_) => None,
            })
            .collect();
        let pairs: Vec<(usize, &str)> = terms()
            .filter_map(|(index, term)| match &term.kind {
                TermKind::Pair(text) => Some((index, text.as_str())),
                _ => None,
            })
            .collect();
        let compounds = terms().map(|(_, term)| match &term.kind {
            TermKind::Compound(text) => Some(Compound::new(text)),
            _ => None,
        });
        let compounds = compounds.collect();
        let mut beginnings = vec![Vec::new(); usize::from(b'z' - b'a') + 1];
        for (index, beginning) in words.iter().filter(|(_, text)| text.is_ascii()) {
            if let Some(same) = beginnings.get_mut(letter(beginning.as_bytes())) {
                same.push((*index, (*beginning).to_owned()));
            }
        }
        let words = Patterns::new(&words, MatchKind::LeftmostLongest)?;
        let pairs = Patterns::new(&pairs, MatchKind::Standard)?;
        Ok(Self {
            question,
            words,
            pairs,
            beginnings,
            compounds,
        })
    }

    /// What is looked for.
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    /// Calls `take` with each hit in `text`: those of words by where they start, then those of
    /// words with capitals in their midst, then those of pairs by where they end.
    pub(crate) fn scan(&self, text: &str, mut take: impl FnMut(Hit)) {
        if !self.words.terms.is_empty() {
            let mut at = 0;
            let mut progress = self.progress();
            while let Some((pattern, place)) = self.words.find(text, at) {
                let found = place.end;
                let end = self.take_words(text, place, pattern, &mut progress, &mut take);
                // Behind the first part of a word its other parts are found.
                at = end.min(found);
            }
            self.take_joined(text, &mut take);
        }
        if !self.pairs.terms.is_empty() {
            for found in self.pairs.automaton.find_overlapping_iter(text) {
                let terms = self.pairs.terms.get(found.pattern().as_usize());
                for term in terms.into_iter().flatten() {
                    take(Hit {
                        term: *term,
                        start: found.start(),
                        end: found.end(),
                        weight: 1.0,
                    });
                }
            }
        }
    }

    /// The hits in `text`, in no order that matters.
    pub(crate) fn hits(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.scan(text, |hit| hits.push(hit));
        hits
    }

    /// Takes the words and compounds that start where `pattern` was found; where the part of a word
    /// ends that `place` starts in, if that is in sight.
    fn take_words(
        &self,
        text: &str,
        place: Range<usize>,
        pattern: usize,
        progress: &mut [Progress],
        take: &mut impl FnMut(Hit),
    ) -> usize {
        let start = place.start;
        if !starts_part(text, start) {
            // Only as far as was looked already: a text is looked through once.
            let seen = place.end.saturating_add(SIGHT_BYTES).min(text.len());
            let seen = (seen..=text.len()).find(|end| text.is_char_boundary(*end));
            let (seen, _) = text.split_at(seen.unwrap_or(text.len()));
            return part_end(seen, start);
        }
        let end = part_end(text, start);
        for term in self.words.terms.get(pattern).into_iter().flatten() {
            self.take_term(text, *term, start..end, progress, take);
        }
        end
    }

    /// Takes the words that go on behind their first part: `GitHub`, `iPhone`, `PostgreSQL`.
    fn take_joined(&self, text: &str, take: &mut impl FnMut(Hit)) {
        let mut progress = self.progress();
        let mut last = 0;
        capitals::inner(text.as_bytes(), |at| {
            let (before, _) = text.split_at(at);
            let before = before.as_bytes().get(last..).unwrap_or_default();
            let letters = before.iter().rev();
            let start = at
                - letters
                    .take_while(|byte| byte.is_ascii_alphabetic())
                    .count();
            last = at;
            let (_, word) = text.as_bytes().split_at(start);
            for (term, beginning) in self.beginnings.get(letter(word)).into_iter().flatten() {
                let found = word.get(..beginning.len());
                let is_joined = beginning.len() > at - start
                    && found.is_some_and(|found| found.eq_ignore_ascii_case(beginning.as_bytes()));
                if is_joined && starts_part(text, start) {
                    let mut end = at;
                    while end < start + beginning.len() {
                        end = part_end(text, end);
                    }
                    self.take_term(text, *term, start..end, &mut progress, take);
                }
            }
        });
    }

    /// Takes the term if the word at `place` is a form of it, or if it is a compound that starts
    /// there.
    fn take_term(
        &self,
        text: &str,
        term: usize,
        place: Range<usize>,
        progress: &mut [Progress],
        take: &mut impl FnMut(Hit),
    ) {
        let hit = |end, weight| Hit {
            term,
            start: place.start,
            end,
            weight,
        };
        match self.question.terms().get(term).map(|term| &term.kind) {
            Some(TermKind::Word(forms)) => {
                let word = text.get(place.clone()).unwrap_or_default();
                if let Some(near) = forms.nearness(Lower::default().of(word)) {
                    take(hit(place.end, weight(near)));
                }
            }
            Some(TermKind::Compound(_)) => {
                if let Some(Some(compound)) = self.compounds.get(term)
                    && let Some(progress) = progress.get_mut(term)
                    && let Some(end) = compound.end(text, place.start, progress)
                {
                    take(hit(end, 1.0));
                }
            }
            _ => {}
        }
    }

    fn progress(&self) -> Vec<Progress> {
        self.compounds.iter().map(|_| Progress::default()).collect()
    }
}

/// Which letter a word begins with, from 0; beyond the last for what is no letter.
fn letter(word: &[u8]) -> usize {
    let first = word.first().copied().unwrap_or_default();
    usize::from(first.to_ascii_lowercase().wrapping_sub(b'a'))
}

fn weight(near: Nearness) -> f32 {
    match near {
        Nearness::Exact => 1.0,
        Nearness::Form => 0.9,
        Nearness::Related => 0.5,
    }
}

/// What a compound is looked for by: its first part, or all of it if that is short.
fn anchor(compound: &str) -> &str {
    match compound.split_at(part_end(compound, 0)).0 {
        part if part.len() >= 3 => part,
        _ => compound,
    }
}

/// As much of a beginning as is looked for: the longer one is, the further behind a match has to be
/// looked whether it is there, again for every match.
fn shortened(beginning: &str) -> &str {
    let mut ends = beginning.char_indices().map(|(at, c)| at + c.len_utf8());
    let end = ends.by_ref().take_while(|end| *end <= MOST_BYTES).last();
    beginning.split_at(end.unwrap_or_default()).0
}

/// So far behind a place it is looked where a part of a word ends: more than two characters have.
const SIGHT_BYTES: usize = 8;

/// A beginning of so many bytes tells enough.
const MOST_BYTES: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, text: &str, expected: &[&str]) {
        let question = Question::parse(question);
        let scanner = Scanner::new(question).expect("because the question is short");
        let mut hits = scanner.hits(text);
        hits.sort_by_key(|hit| (hit.end, std::cmp::Reverse(hit.start)));
        let found: Vec<&str> = hits
            .iter()
            .filter_map(|hit| text.get(hit.start..hit.end))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_word_is_found_in_every_form_and_compound() {
        check(
            "timeout",
            "Timeouts: timeOut read_timeout TIMEOUT_MS readTimeout timeouted untimeouts",
            &[
                "Timeouts",
                "timeOut",
                "timeout",
                "TIMEOUT",
                "Timeout",
                "timeouted",
            ],
        );
    }

    #[test]
    fn a_word_is_found_with_capitals_in_its_midst_and_so_are_its_parts() {
        let names = "github GitHub gitHub GITHUB GitHubs myGitHubClient GitHubber Git.Hub";
        check(
            "github",
            names,
            &[
                "github",
                "GitHub",
                "gitHub",
                "GITHUB",
                "GitHubs",
                "GitHub",
                "GitHubber",
            ],
        );
        check("git hub GitHub", "GitHub", &["Git", "Hub", "GitHub"]);
        let whole_and_its_first_part = ["postgresql", "postgresql"];
        check("PostgreSQL", "postgresql", &whole_and_its_first_part);
        check(
            "iphone",
            "iPhone IPhone iPHONE",
            &["iPhone", "IPhone", "iPHONE"],
        );
        // What starts inside a part hides no part behind it.
        check("thub hub", "GitHub", &["Hub"]);
    }

    #[test]
    fn a_compound_is_found_as_it_is() {
        let expected = [
            "max",
            "retries",
            "max_retries",
            "MAX",
            "RETRIES",
            "MAX_RETRIES",
        ];
        check("max_retries", "max_retries MAX_RETRIES", &expected);
        check("10.0.0.7", "10.0.0.71 10.0.0.7", &["10.0.0.7"]);
    }

    #[test]
    fn pairs_are_found_anywhere() {
        check("东京", "在东京都。京东", &["东京"]);
    }

    #[test]
    fn other_cases_than_ascii_are_found() {
        check("größe", "GRÖSSE Größe größen", &["Größe", "größen"]);
        check("москва", "МОСКВА и Москва", &["МОСКВА", "Москва"]);
    }
}
