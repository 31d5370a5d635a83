//! What to search for: a regular expression that is matched in linear time.

use regex::bytes::{Regex, RegexBuilder};

use crate::{Error, ErrorKind};

/// A regular expression for [`OpenArtifact::search`](crate::OpenArtifact::search).
///
/// The syntax is that of the `regex` crate, without look-around and back-references, so that the
/// time of a search is linear in the artifact whatever the expression. `^` and `$` match at the
/// edges of every line, with `\n` and `\r\n` as its end, and `.` matches neither of the two.
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
    regex: Regex,
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
        let regex = RegexBuilder::new(expression)
            .multi_line(true)
            .crlf(true)
            .case_insensitive(case == LetterCase::Ignored)
            .size_limit(COMPILED_BYTES)
            .build();
        match regex {
            Ok(regex) => Ok(Self { regex }),
            Err(error) => Err(Error::new(ErrorKind::Pattern, refusal(&error))),
        }
    }

    /// The expression as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.regex.as_str()
    }

    /// The first match in `haystack` that starts at `from` or later.
    pub(crate) fn find_at(&self, haystack: &[u8], from: usize) -> Option<(usize, usize)> {
        let found = self.regex.find_at(haystack, from)?;
        Some((found.start(), found.end()))
    }
}

fn refusal(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => {
            "the pattern is too large when compiled: use fewer or smaller repetitions".to_owned()
        }
        error => {
            // The report ends with the reason; the lines before it draw the place.
            let report = error.to_string();
            let reason = report.lines().last().unwrap_or_default();
            let reason = reason.strip_prefix("error: ").unwrap_or(reason);
            format!("not a regular expression: {reason}; escape what is meant literally with \\")
        }
    }
}

/// The size a compiled pattern may have, as the `regex` crate counts it.
const COMPILED_BYTES: usize = 1 << 20;
