//! What one part of a message becomes: a header, a text, the end of its last line.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::header::Repeated;
use crate::capped::{Capping, LeftOut};

/// A section of the summarizer's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Section<'a> {
    /// The header of what a role says.
    Speaker(Cow<'a, str>),
    /// What it says, never cut.
    Words(Cow<'a, str>),
    /// A result or the arguments of a call: what is kept of it, and how many characters are not.
    Capped {
        title: Title,
        name: Option<Cow<'a, str>>,
        head: Cow<'a, str>,
        more: u64,
    },
    /// The marker line of what is capped.
    Marker(String),
    /// A part that is not text: its kind.
    Media(Cow<'a, str>),
}

/// What a header says before the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Title {
    Call,
    Result,
    Error,
}

impl Title {
    fn as_str(self) -> &'static str {
        match self {
            Self::Call => "call of",
            Self::Result => "tool result",
            Self::Error => "tool error",
        }
    }

    /// What is capped under it.
    fn capping(self) -> Capping {
        match self {
            Self::Call => Capping::Arguments,
            Self::Result | Self::Error => Capping::Result,
        }
    }
}

impl Section<'_> {
    /// The text in it that is not this layer's own: no line of it may pass for a header.
    pub(super) fn body(&self) -> &str {
        match self {
            Self::Words(text) | Self::Capped { head: text, .. } => text,
            Self::Speaker(_) | Self::Marker(_) | Self::Media(_) => "",
        }
    }

    /// What is written before the body: a header with so many brackets, if it has one, and before
    /// that an empty line unless it is the `first`.
    pub(super) fn opening(&self, first: bool, brackets: usize) -> Opening<'_> {
        Opening {
            section: self,
            first,
            brackets,
        }
    }

    /// What is written after the body.
    pub(super) fn end(&self) -> End<'_> {
        End(self)
    }
}

/// What a section begins with. Written when it is read.
pub(super) struct Opening<'s> {
    section: &'s Section<'s>,
    first: bool,
    brackets: usize,
}

impl fmt::Display for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, name) = match self.section {
            Section::Speaker(role) => ("", Some(role)),
            Section::Capped { title, name, .. } => (title.as_str(), name.as_ref()),
            Section::Words(_) | Section::Marker(_) | Section::Media(_) => return Ok(()),
        };
        let line = if self.first { "" } else { "\n" };
        let gap = match name {
            Some(_) if !title.is_empty() => " ",
            _ => "",
        };
        let name = name.map(AsRef::as_ref).unwrap_or_default();
        let bracket = |bracket| Repeated(bracket, self.brackets);
        writeln!(
            f,
            "{line}{}{title}{gap}{name}{}",
            bracket('['),
            bracket(']')
        )
    }
}

/// What a section ends with. Written when it is read.
pub(super) struct End<'s>(&'s Section<'s>);

impl fmt::Display for End<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Section::Speaker(_) => Ok(()),
            Section::Words(_) => f.write_str("\n"),
            Section::Capped { title, more, .. } => {
                let left_out = LeftOut {
                    more: *more,
                    what: title.capping(),
                };
                writeln!(f, "{left_out}")
            }
            Section::Marker(line) => writeln!(f, "{line}"),
            Section::Media(kind) => writeln!(f, "({kind})"),
        }
    }
}
