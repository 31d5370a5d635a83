//! A question taken apart: the words, word parts, numbers and character pairs to look for.

mod runs;
mod stop;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::script::Class;
use crate::stem::Forms;
use runs::{Run, parts, runs};
use stop::is_stop;

/// What a question asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    terms: Vec<Term>,
}

/// One thing to look for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    /// How much more than a plain word it tells.
    pub(crate) weight: f32,
    /// The compound that it is a part of: where that is found, so is this.
    pub(crate) whole: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TermKind {
    /// A word, or a part of a compound, in any of its forms.
    Word(Forms),
    /// An identifier, a path, a number with separators: as it is, in lower case.
    Compound(String),
    /// Two characters in a row of a script without spaces, or one that stands alone.
    Pair(String),
}

impl Term {
    /// Whether it is a number, or an identifier with one.
    pub(crate) fn has_digit(&self) -> bool {
        self.text().chars().any(|c| Class::of(c) == Class::Digit)
    }

    /// What is looked for, in lower case.
    pub(crate) fn text(&self) -> &str {
        match &self.kind {
            TermKind::Word(forms) => forms.word(),
            TermKind::Compound(text) | TermKind::Pair(text) => text,
        }
    }
}

impl Question {
    /// Takes `question` apart. Words that say nothing are left out if others remain; so many terms
    /// are kept that scanning stays cheap.
    pub(crate) fn parse(question: &str) -> Self {
        let mut all = Vec::new();
        for run in runs(question) {
            match run {
                Run::Word(word) => push_word(&mut all, word),
                Run::Unspaced(text) => push_pairs(&mut all, text),
            }
        }
        let mut terms: Vec<Term> = Vec::new();
        let telling = all.iter().any(|term| !is_stop(term));
        for term in all {
            if terms.len() == MOST_TERMS {
                break;
            }
            let known = terms.iter().any(|other| other.kind == term.kind);
            if !(known || telling && is_stop(&term)) {
                terms.push(term);
            }
        }
        Self { terms }
    }

    /// The same question without the terms that `left_out` says, by their index; as it is if that
    /// leaves nothing.
    pub(crate) fn without(&self, left_out: impl Fn(usize) -> bool) -> Self {
        let terms = self.terms.iter().enumerate();
        let terms: Vec<Term> = terms
            .filter(|(index, _)| !left_out(*index))
            .map(|(_, term)| term.clone())
            .collect();
        match terms.is_empty() {
            true => self.clone(),
            false => Self { terms },
        }
    }

    pub(crate) fn terms(&self) -> &[Term] {
        &self.terms
    }
}

/// The compound as a whole if it has joints or parts, and each of its parts.
fn push_word(terms: &mut Vec<Term>, word: &str) {
    let mut parts = parts(word);
    let whole = (parts.len() > 1).then(|| word.to_lowercase());
    if let Some(whole) = &whole {
        let is_letter = |c| !matches!(Class::of(c), Class::End | Class::Digit);
        terms.push(Term {
            kind: match whole.chars().all(is_letter) {
                // Capitals are how a word is written, not what it is.
                true => TermKind::Word(Forms::of(whole)),
                false => TermKind::Compound(whole.clone()),
            },
            weight: 1.5,
            whole: None,
        });
        // A digit or two of an address or an id are everywhere.
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        parts.retain(|part| part.len() > 2 || part.len() == 2 && !digits(part));
    }
    for part in parts {
        let number = part.chars().all(|c| Class::of(c) == Class::Digit);
        let capital = part
            .chars()
            .next()
            .is_some_and(|c| Class::of(c) == Class::Upper);
        terms.push(Term {
            kind: TermKind::Word(Forms::of(&part.to_lowercase())),
            weight: if number || capital { 1.2 } else { 1.0 },
            whole: whole.clone(),
        });
    }
}

fn push_pairs(terms: &mut Vec<Term>, text: &str) {
    let clusters: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
    let pair = |text: &str, weight| Term {
        kind: TermKind::Pair(text.into()),
        weight,
        whole: None,
    };
    if clusters.len() == 1 {
        terms.push(pair(text, 1.0));
    }
    for window in clusters.windows(2) {
        if let [(start, _), (second, last)] = window
            && let Some(text) = text.get(*start..second + last.len())
        {
            terms.push(pair(text, 0.7));
        }
    }
}

/// More terms than this make a question no clearer.
const MOST_TERMS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, expected: &str) {
        let terms: Vec<String> = Question::parse(question)
            .terms
            .iter()
            .map(|term| match &term.kind {
                TermKind::Word(forms) => forms.word().to_owned(),
                TermKind::Compound(text) => format!("<{text}>"),
                TermKind::Pair(text) => format!("({text})"),
            })
            .collect();
        assert_eq!(terms.join(" "), expected);
    }

    #[test]
    fn identifiers_fall_into_parts() {
        check(
            "What does loadConfigFile do?",
            "loadconfigfile load config file",
        );
        check(
            "HTTPServer max_retries",
            "httpserver http server <max_retries> max retries",
        );
        check("sha256 of v1.2", "<sha256> sha 256 <v1.2>");
        check("op-1: it's", "<op-1> op");
    }

    #[test]
    fn words_that_say_nothing_go_if_others_stay() {
        check("Which countries are in the EU?", "countries eu");
        check("who is it", "who is it");
        check("", "");
        check("?!", "");
    }

    #[test]
    fn scripts_without_spaces_fall_into_pairs() {
        check("北京大学在哪里", "(北京) (京大) (大学) (学在)");
        check("東京の人口", "(東京) (京の) (の人) (人口)");
        check("x界z", "x (界) z");
    }

    #[test]
    fn marks_stay_with_their_words() {
        check("हिन्दी क्षेत्र", "हिन्दी क्षेत्र");
        check("Größe übung", "größe übung");
    }
}
