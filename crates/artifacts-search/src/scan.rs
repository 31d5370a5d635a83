//! Finding the terms of a question in a text, in one pass and without an index.

mod compound;

use aho_corasick::{AhoCorasick, Input, MatchKind};

use crate::question::{Question, TermKind};
use crate::script::Class;
use crate::stem::Nearness;
use crate::{Error, ErrorKind};
use compound::{Compound, Progress};

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
    /// For each term what follows it, if it is a compound.
    compounds: Vec<Option<Compound>>,
}

#[derive(Debug)]
struct Patterns {
    automaton: AhoCorasick,
    /// The terms that a match of each pattern may be of.
    terms: Vec<Vec<usize>>,
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
        let words = Patterns::new(&words, MatchKind::LeftmostLongest)?;
        let pairs = Patterns::new(&pairs, MatchKind::Standard)?;
        Ok(Self {
            question,
            words,
            pairs,
            compounds,
        })
    }

    /// What is looked for.
    pub(crate) fn question(&self) -> &Question {
        &self.question
    }

    /// Calls `take` with each hit in `text`: those of words by where they start, then those of
    /// pairs by where they end.
    pub(crate) fn scan(&self, text: &str, mut take: impl FnMut(Hit)) {
        if !self.words.terms.is_empty() {
            let mut at = 0;
            let mut progress = Vec::new();
            progress.resize_with(self.compounds.len(), Progress::default);
            while let Some(found) = self.words.automaton.find(Input::new(text).range(at..)) {
                let pattern = found.pattern().as_usize();
                // Behind the first part of a compound its other parts are found.
                at = found.end();
                if let Some(end) =
                    self.take_words(text, found.start(), pattern, &mut progress, &mut take)
                {
                    at = at.min(end);
                }
            }
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

    /// Takes the words and compounds that start at `start`, where `pattern` was found; where the
    /// part of a word ends that starts there, if one does.
    fn take_words(
        &self,
        text: &str,
        start: usize,
        pattern: usize,
        progress: &mut [Progress],
        take: &mut impl FnMut(Hit),
    ) -> Option<usize> {
        if !starts_part(text, start) {
            return None;
        }
        let end = part_end(text, start);
        let mut lower = Lower::default();
        let part = lower.of(text.get(start..end).unwrap_or_default());
        for term in self.words.terms.get(pattern).into_iter().flatten() {
            let hit = |end, weight| Hit {
                term: *term,
                start,
                end,
                weight,
            };
            match self.question.terms().get(*term).map(|term| &term.kind) {
                Some(TermKind::Word(forms)) => {
                    if let Some(near) = forms.nearness(part) {
                        take(hit(end, weight(near)));
                    }
                }
                Some(TermKind::Compound(_)) => {
                    if let Some(Some(compound)) = self.compounds.get(*term)
                        && let Some(progress) = progress.get_mut(*term)
                        && let Some(end) = compound.end(text, start, progress)
                    {
                        take(hit(end, 1.0));
                    }
                }
                _ => {}
            }
        }
        Some(end)
    }
}

impl Patterns {
    fn new(terms: &[(usize, &str)], kind: MatchKind) -> Result<Self, Error> {
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

/// A part of a word in lower case, without an allocation where it is ASCII.
#[derive(Default)]
struct Lower {
    ascii: [u8; 32],
    other: String,
}

impl Lower {
    fn of<'a>(&'a mut self, part: &'a str) -> &'a str {
        if part.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return part;
        }
        match self.ascii.get_mut(..part.len()) {
            Some(ascii) if part.is_ascii() => {
                ascii.copy_from_slice(part.as_bytes());
                ascii.make_ascii_lowercase();
                std::str::from_utf8(ascii).unwrap_or_default()
            }
            _ => {
                self.other = part.to_lowercase();
                &self.other
            }
        }
    }
}

/// The text itself, in capitals, and with one capital.
fn casings(text: &str) -> [String; 3] {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    let title: String = first.chain(rest.as_str().chars()).collect();
    [text.to_owned(), text.to_uppercase(), title]
}

/// Whether a part of a word starts at `at`.
fn starts_part(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    // A mark is what it belongs to, as in `part_end`: where the two say other things, each start of
    // a part looks through parts that others looked through.
    let mut before = before.chars().rev().map(Class::of);
    let Some(last) = before.find(|class| *class != Class::Mark) else {
        return true;
    };
    let mut after = after.chars().map(Class::of);
    let next = after.next().unwrap_or(Class::End);
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
