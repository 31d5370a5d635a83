//! What to search for: a regular expression that is matched in linear time.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::Input;
use regex_automata::meta::Regex;
use regex_automata::nfa::thompson::WhichCaptures;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{
    Capture, Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind,
    Repetition,
};

use crate::{Error, ErrorKind};

/// A regular expression for [`OpenArtifact::search`](crate::OpenArtifact::search).
///
/// The syntax is that of the `regex` crate, without look-around and back-references, so that the
/// time of a search is linear in the number of lines whatever the expression. Within one line, an
/// expression that looks far ahead and matches short (`a.*x|a`) looks through up to 16 MiB of it
/// again for each match. `^` and `$` match at the edges of every line, with `\n` and `\r\n` as its
/// end, and `.` matches neither of the two.
///
/// Nothing in an expression matches a line feed, so a match lies within one line: `[^,]` and `\s`
/// stand for what else they match, and what needs a line feed matches nothing.
///
/// ```
/// use artifacts_fs::{ErrorKind, LetterCase, Pattern};
///
/// let pattern = Pattern::new(r"^error\b", LetterCase::Ignored)?;
/// assert_eq!(pattern.as_str(), r"^error\b");
/// let error = Pattern::new("(", LetterCase::Exact).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Pattern);
/// # Ok::<(), artifacts_fs::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pattern {
    expression: Arc<str>,
    regex: Regex,
    /// The most bytes that can match; none if there is no such number.
    most_bytes: Option<usize>,
}

/// Whether letters of the other case match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LetterCase {
    /// Only the same letter matches.
    #[default]
    Exact,
    /// A letter matches in either case, in every script.
    Ignored,
}

impl Pattern {
    /// Compiles `expression`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Pattern`] if it is no regular expression, or a larger one than may be compiled.
    pub fn new(expression: &str, case: LetterCase) -> Result<Self, Error> {
        let hir = parse(expression, case)?;
        let config = Regex::config()
            .utf8_empty(false)
            .nfa_size_limit(Some(COMPILED_BYTES))
            .which_captures(WhichCaptures::Implicit);
        let regex = Regex::builder().configure(config).build_from_hir(&hir);
        match regex {
            Ok(regex) => Ok(Self {
                expression: expression.into(),
                regex,
                most_bytes: hir.properties().maximum_len(),
            }),
            Err(error) => Err(Error::new(
                ErrorKind::Pattern,
                match error.size_limit() {
                    Some(_) => TOO_LARGE.to_owned(),
                    None => refusal(&error.to_string()),
                },
            )),
        }
    }

    /// The expression as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.expression
    }

    /// Whether more than so many bytes can match.
    pub(crate) fn exceeds(&self, bytes: usize) -> bool {
        self.most_bytes.is_none_or(|most| most > bytes)
    }

    /// The first match that starts in `range` of `haystack` and ends in it. What is around the
    /// range is seen by `^`, `$` and `\b`.
    pub(crate) fn find(&self, haystack: &[u8], range: Range<usize>) -> Option<(usize, usize)> {
        let found = self.regex.find(Input::new(haystack).range(range))?;
        Some((found.start(), found.end()))
    }
}

/// The expression without what would match a line feed.
fn parse(expression: &str, case: LetterCase) -> Result<Hir, Error> {
    let parsed = ParserBuilder::new()
        .utf8(false)
        .multi_line(true)
        .crlf(true)
        .case_insensitive(case == LetterCase::Ignored)
        .build()
        .parse(expression);
    match parsed {
        Ok(hir) => Ok(within_line(hir)),
        Err(error) => Err(Error::new(ErrorKind::Pattern, refusal(&error.to_string()))),
    }
}

fn within_line(hir: Hir) -> Hir {
    match hir.into_kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Look(look) => Hir::look(look),
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => Hir::fail(),
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(mut class) => {
            match &mut class {
                Class::Unicode(class) => {
                    let line_feed = ClassUnicodeRange::new('\n', '\n');
                    class.difference(&ClassUnicode::new([line_feed]));
                }
                Class::Bytes(class) => {
                    let line_feed = ClassBytesRange::new(b'\n', b'\n');
                    class.difference(&ClassBytes::new([line_feed]));
                }
            }
            Hir::class(class)
        }
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            sub: Box::new(within_line(*repetition.sub)),
            ..repetition
        }),
        HirKind::Capture(capture) => Hir::capture(Capture {
            sub: Box::new(within_line(*capture.sub)),
            ..capture
        }),
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(within_line).collect()),
        HirKind::Alternation(parts) => {
            Hir::alternation(parts.into_iter().map(within_line).collect())
        }
    }
}

/// The report ends with the reason; the lines before it draw the place.
fn refusal(report: &str) -> String {
    let reason = report.lines().last().unwrap_or_default();
    let reason = reason.strip_prefix("error: ").unwrap_or(reason);
    format!("not a regular expression: {reason}; escape what is meant literally with \\")
}

const TOO_LARGE: &str = "the pattern is too large when compiled: use fewer or smaller repetitions";

/// The size a compiled pattern may have: what the `regex` crate allows.
const COMPILED_BYTES: usize = 10 << 20;

#[cfg(test)]
mod tests {
    use regex_automata::hybrid::dfa::DFA;
    use regex_automata::nfa::thompson::NFA;

    use super::*;

    /// The bytes that are looked at to find every match of `expression`, one after the other.
    fn work(expression: &str, text: &[u8]) -> usize {
        let hir = parse(expression, LetterCase::Exact).unwrap();
        let nfa = NFA::compiler().build_from_hir(&hir).unwrap();
        let dfa = DFA::builder().build_from_nfa(nfa).unwrap();
        let mut cache = dfa.create_cache();
        let (mut from, mut looked_at) = (0, 0);
        while from < text.len() {
            let input = Input::new(text).range(from..);
            let mut state = dfa.start_state_forward(&mut cache, &input).unwrap();
            let (mut at, mut end) = (from, None);
            while at < text.len() && !state.is_dead() {
                state = dfa.next_state(&mut cache, state, text[at]).unwrap();
                looked_at += 1;
                // A match is told one byte late.
                if state.is_match() {
                    end = Some(at);
                }
                at += 1;
            }
            let line_end = end.and_then(|end| text[end..].iter().position(|byte| *byte == b'\n'));
            if let (Some(end), Some(line_end)) = (end, line_end) {
                assert!(
                    at <= end + line_end + 2,
                    "looks past its line from {from} to {at}"
                );
            }
            from = end.unwrap_or(text.len()).max(from + 1);
        }
        looked_at
    }

    #[test]
    fn no_byte_of_another_line_is_looked_at_again() {
        let text = "line of text\n".repeat(1_000);
        for expression in [
            "[^,]+",
            "(?s)line.*",
            r"\S\s+",
            r"(?s:.)+\z",
            "e",
            r"text\n?",
        ] {
            let work = work(expression, text.as_bytes());
            assert!(work <= 3 * text.len(), "{expression}: {work}");
        }
    }
}
