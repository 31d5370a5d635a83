//! A question taken apart: the words, word parts, numbers and character pairs to look for.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::script::Class;
use crate::stem::Forms;

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
            let known = terms.iter().any(|other| other.kind == term.kind);
            let says_nothing = telling && is_stop(&term);
            if !(known || says_nothing) && terms.len() < MOST_TERMS {
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

enum Run<'a> {
    Word(&'a str),
    Unspaced(&'a str),
}

/// Maximal runs of word characters with single joints between them, and of unspaced characters.
fn runs(text: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let unspaced = Class::of(first) == Class::Unspaced;
        let length = match Class::of(first) {
            Class::End | Class::Mark => {
                rest = rest.split_at(first.len_utf8()).1;
                continue;
            }
            Class::Unspaced => length_while(rest, |class| class == Class::Unspaced),
            _ => word_length(rest),
        };
        let (run, after) = rest.split_at(length.max(first.len_utf8()));
        runs.push(match unspaced {
            true => Run::Unspaced(run),
            false => Run::Word(run),
        });
        rest = after;
    }
    runs
}

fn length_while(text: &str, wanted: impl Fn(Class) -> bool) -> usize {
    let end = text.char_indices().find(|(_, c)| {
        let class = Class::of(*c);
        class != Class::Mark && !wanted(class)
    });
    end.map_or(text.len(), |(index, _)| index)
}

fn is_word(class: Class) -> bool {
    matches!(class, Class::Lower | Class::Upper | Class::Digit)
}

/// The length of a word with its joints: `foo_bar`, `a.b.c`, `10:30`, `x-y`.
fn word_length(text: &str) -> usize {
    let mut length = length_while(text, is_word);
    loop {
        let (_, after) = text.split_at(length);
        let joint = after.chars().take_while(|c| JOINTS.contains(*c)).count();
        let (_, next) = after.split_at(if joint <= 2 { joint } else { 0 });
        let more = length_while(next, is_word);
        if joint == 0 || joint > 2 || more == 0 {
            return length;
        }
        length += joint + more;
    }
}

/// The compound as a whole if it has joints or parts, and each of its parts.
fn push_word(terms: &mut Vec<Term>, word: &str) {
    let mut parts = parts(word);
    if parts.len() > 1 {
        terms.push(Term {
            kind: TermKind::Compound(word.to_lowercase()),
            weight: 1.5,
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
        });
    }
}

/// The parts of a compound, split at joints, at case and between letters and digits.
fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let classes: Vec<(usize, Class)> = word
        .char_indices()
        .map(|(index, c)| (index, Class::of(c)))
        .collect();
    for (at, window) in classes.windows(2).enumerate() {
        let [(_, one), (index, next)] = window else {
            continue;
        };
        let after = classes.get(at + 2).map_or(Class::End, |(_, class)| *class);
        if one.splits(*next, after) {
            parts.extend(word.get(start..*index));
            start = *index;
        }
    }
    parts.extend(word.get(start..));
    parts.retain(|part| part.chars().any(|c| is_word(Class::of(c))));
    parts
}

fn push_pairs(terms: &mut Vec<Term>, text: &str) {
    let clusters: Vec<(usize, &str)> = text.grapheme_indices(true).collect();
    let pair = |text: &str, weight| Term {
        kind: TermKind::Pair(text.into()),
        weight,
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

fn is_stop(term: &Term) -> bool {
    match &term.kind {
        TermKind::Word(forms) => is_stop_word(forms.word()),
        TermKind::Compound(text) => text.split(|c| JOINTS.contains(c)).all(is_stop_word),
        TermKind::Pair(pair) => {
            let kana = pair.chars().all(|c| ('\u{3041}'..='\u{309F}').contains(&c));
            kana || STOP_PAIRS.contains(&pair.as_str())
        }
    }
}

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// What may stand inside a compound.
const JOINTS: &str = "_-./:'’+@#";

/// More terms than this make a question no clearer.
const MOST_TERMS: usize = 64;

/// Words of questions, not of answers; sorted.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "after",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "auf",
    "aus",
    "be",
    "been",
    "before",
    "bei",
    "but",
    "by",
    "can",
    "com",
    "como",
    "could",
    "cual",
    "d",
    "das",
    "de",
    "dem",
    "den",
    "der",
    "des",
    "did",
    "die",
    "do",
    "does",
    "du",
    "durch",
    "e",
    "each",
    "el",
    "em",
    "en",
    "er",
    "es",
    "est",
    "et",
    "for",
    "from",
    "für",
    "get",
    "gets",
    "give",
    "given",
    "had",
    "has",
    "have",
    "how",
    "i",
    "if",
    "il",
    "im",
    "in",
    "into",
    "is",
    "ist",
    "it",
    "its",
    "la",
    "las",
    "le",
    "les",
    "los",
    "many",
    "me",
    "mit",
    "much",
    "my",
    "no",
    "o",
    "of",
    "on",
    "or",
    "os",
    "ou",
    "our",
    "par",
    "para",
    "por",
    "pour",
    "qu",
    "quand",
    "que",
    "quel",
    "quelle",
    "qui",
    "s",
    "shall",
    "should",
    "sich",
    "sie",
    "sind",
    "so",
    "some",
    "sur",
    "t",
    "tell",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "u",
    "um",
    "un",
    "una",
    "und",
    "une",
    "us",
    "use",
    "used",
    "uses",
    "using",
    "von",
    "war",
    "was",
    "we",
    "welche",
    "welchem",
    "welchen",
    "welcher",
    "welches",
    "wer",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whom",
    "whose",
    "why",
    "wie",
    "will",
    "wird",
    "with",
    "wo",
    "would",
    "y",
    "you",
    "your",
    "zu",
    "zum",
    "zur",
    "à",
    "в",
    "и",
    "из",
    "как",
    "какая",
    "какие",
    "какой",
    "на",
    "о",
    "по",
    "с",
    "что",
];

/// Pairs of characters of questions.
const STOP_PAIRS: &[&str] = &[
    "什么",
    "甚麼",
    "哪个",
    "哪些",
    "多少",
    "怎么",
    "如何",
    "是什",
    "的是",
    "是多",
    "为什",
    "在哪",
    "哪里",
    "何で",
    "何を",
    "何が",
    "どの",
    "อะไ",
    "ไร",
    "무엇",
    "얼마",
    "어떤",
    "니까",
];

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
            "<loadconfigfile> load config file",
        );
        check(
            "HTTPServer max_retries",
            "<httpserver> http server <max_retries> max retries",
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

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }
}
