//! Finding the terms of a question in a text, in one pass and without an index.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::question::{Question, TermKind};
use crate::script::Class;
use crate::stem::Nearness;
use crate::{Error, ErrorKind};

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
pub(crate) struct Scanner<'q> {
    question: &'q Question,
    automaton: AhoCorasick,
    /// The term of each pattern.
    terms: Vec<usize>,
}

impl<'q> Scanner<'q> {
    pub(crate) fn new(question: &'q Question) -> Result<Self, Error> {
        let mut patterns: Vec<String> = Vec::new();
        let mut terms = Vec::new();
        for (index, term) in question.terms().iter().enumerate() {
            let text = match &term.kind {
                TermKind::Word(forms) => forms.beginning(),
                TermKind::Compound(text) | TermKind::Pair(text) => text,
            };
            for pattern in casings(text) {
                patterns.push(pattern);
                terms.push(index);
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .ascii_case_insensitive(true)
            .build(&patterns)
            .map_err(|_| {
                Error::new(
                    ErrorKind::Question,
                    "the question is too long: ask in fewer words",
                )
            })?;
        Ok(Self {
            question,
            automaton,
            terms,
        })
    }

    /// The hits in `text`, by where they end.
    pub(crate) fn hits(&self, text: &str) -> impl Iterator<Item = Hit> {
        self.automaton
            .find_overlapping_iter(text)
            .filter_map(move |found| {
                let term = *self.terms.get(found.pattern().as_usize())?;
                let (start, mut end) = (found.start(), found.end());
                let weight = match &self.question.terms().get(term)?.kind {
                    TermKind::Pair(_) => 1.0,
                    TermKind::Compound(_) => (!continues(text, start, end)).then_some(1.0)?,
                    TermKind::Word(forms) => {
                        if !starts_part(text, start) {
                            return None;
                        }
                        end = part_end(text, start);
                        let part = text.get(start..end)?;
                        let near = if part.bytes().all(|byte| byte.is_ascii_lowercase()) {
                            forms.nearness(part)
                        } else {
                            forms.nearness(&part.to_lowercase())
                        };
                        weight(near?)
                    }
                };
                Some(Hit {
                    term,
                    start,
                    end,
                    weight,
                })
            })
    }
}

fn weight(near: Nearness) -> f32 {
    match near {
        Nearness::Exact => 1.0,
        Nearness::Form => 0.9,
        Nearness::Related => 0.5,
    }
}

/// The text itself, and in capitals and with one capital where ASCII case does not cover that.
fn casings(text: &str) -> Vec<String> {
    let mut casings = vec![text.to_owned()];
    if !text.is_ascii() {
        let mut rest = text.chars();
        let first: String = rest
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        casings.extend([text.to_uppercase(), first + rest.as_str()]);
        casings.sort_by_key(|casing| casing.to_ascii_lowercase());
        casings.dedup_by_key(|casing| casing.to_ascii_lowercase());
    }
    casings
}

/// Whether a part of a word starts at `at`.
fn starts_part(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let Some(last) = before.chars().next_back() else {
        return true;
    };
    let mut after = after.chars().map(Class::of);
    let next = after.next().unwrap_or(Class::End);
    let last = match Class::of(last) {
        // A mark is what it belongs to.
        Class::Mark => Class::Lower,
        class => class,
    };
    last.splits(next, after.next().unwrap_or(Class::End))
}

/// Where the part of a word that starts at `start` ends.
fn part_end(text: &str, start: usize) -> usize {
    let (_, part) = text.split_at(start);
    let mut classes = part.char_indices().map(|(at, c)| (at, Class::of(c)));
    let Some((_, mut last)) = classes.next() else {
        return start;
    };
    let mut classes = classes.peekable();
    while let Some((at, class)) = classes.next() {
        let after = classes.peek().map_or(Class::End, |(_, class)| *class);
        if last.splits(class, after) {
            return start + at;
        }
        last = match class {
            Class::Mark => last,
            class => class,
        };
    }
    text.len()
}

/// Whether a word goes on before `start` or behind `end`.
fn continues(text: &str, start: usize, end: usize) -> bool {
    let in_word = |c: char| !matches!(Class::of(c), Class::End | Class::Unspaced);
    let (before, _) = text.split_at(start);
    let (_, after) = text.split_at(end);
    before.chars().next_back().is_some_and(in_word) || after.chars().next().is_some_and(in_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, text: &str, expected: &[&str]) {
        let question = Question::parse(question);
        let scanner = Scanner::new(&question).expect("because the question is short");
        let found: Vec<&str> = scanner
            .hits(text)
            .filter_map(|hit| text.get(hit.start..hit.end))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_word_is_found_in_every_form_and_compound() {
        check(
            "timeout",
            "Timeouts: timeOut read_timeout TIMEOUT_MS readTimeout timeouted untimeouts",
            &["Timeouts", "timeout", "TIMEOUT", "Timeout", "timeouted"],
        );
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
        check("10.0.0.7", "10.0.0.71", &["10", "0", "0"]);
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
