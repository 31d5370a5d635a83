//! The text a summarizer is sent: every message, with tool text capped.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use crate::capped::LeftOut;
use crate::{Capped, Message, Outcome, Part, ToolResultCap};

/// Puts the summarizer's text of `messages` together, which stay as they are (SPEC 8.1).
///
/// One pass, and the same bytes for the same input. What is shown is borrowed, not copied.
///
/// ```
/// use compactor_cap::{ToolResultCap, cap};
/// use serde_json::json;
///
/// let conversation = [
///     json!({"role": "user", "content": "List the files."}),
///     json!({"role": "tool", "tool_call_id": "call-1", "content": "a.txt b.txt"}),
/// ];
/// let text = cap(&conversation, &ToolResultCap::new(5)?);
/// assert_eq!(
///     text.to_string(),
///     "[user]\nList the files.\n\n[tool result call-1]\n\
///      a.txt\n... [6 more characters of tool output, truncated for summarization]\n",
/// );
/// # Ok::<(), compactor_cap::Error>(())
/// ```
#[must_use]
pub fn cap<'a, M: Message>(messages: &'a [M], cap: &ToolResultCap) -> SummaryText<'a> {
    let mut summary = SummaryText {
        // Most messages are one part: its header, its name, what is shown, what is not.
        pieces: Vec::with_capacity(messages.len().saturating_mul(5)),
        totals: Totals::default(),
    };
    for message in messages {
        summary.push(message, cap);
    }
    summary
}

/// What a summarizer is sent. It is read as text, with `Display` or piece by piece, and is no
/// [`Message`].
///
/// ```
/// use compactor_cap::{ToolResultCap, cap};
/// use serde_json::json;
///
/// let conversation = [json!({"role": "user", "content": "Hello"})];
/// let text = cap(&conversation, &ToolResultCap::default());
/// assert_eq!(text.to_string(), "[user]\nHello\n");
/// assert_eq!(text.totals().messages, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryText<'a> {
    pieces: Vec<Piece<'a>>,
    totals: Totals,
}

/// How much was read and how much is sent, for a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// Messages read.
    pub messages: u64,
    /// Tool results read.
    pub results: u64,
    /// Tool results cut.
    pub capped_results: u64,
    /// Tool calls read.
    pub calls: u64,
    /// Tool calls with arguments cut.
    pub capped_calls: u64,
    /// Grapheme clusters of results and arguments read.
    pub graphemes: u64,
    /// Of these, left out.
    pub elided_graphemes: u64,
}

impl<'a> SummaryText<'a> {
    /// The text, piece by piece.
    pub fn pieces(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_ref().into(),
            Piece::LineEnd(left_out) => format!("{left_out}\n").into(),
        })
    }

    /// How much was read and how much is sent.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    fn push(&mut self, message: &'a impl Message, cap: &ToolResultCap) {
        self.totals.messages += 1;
        let mut open = false;
        for part in message.parts() {
            match part {
                Part::Text(text) => {
                    self.speaker(message, &mut open);
                    self.pieces.push(Piece::Text(text));
                    self.pieces.push("\n".into());
                }
                Part::Media(kind) => {
                    self.speaker(message, &mut open);
                    self.media(kind);
                }
                Part::Call(call) => {
                    open = false;
                    let capped = cap.arguments(&call);
                    self.totals.calls += 1;
                    self.totals.capped_calls += u64::from(capped.more() > 0);
                    let shown = self.count(&capped);
                    let (name, arguments) = call.into_parts();
                    self.header("\n[call of ", "\n[call of]\n", Some(name));
                    self.shown(arguments, shown);
                }
                Part::Result(result) => {
                    open = false;
                    let capped = cap.result(&result);
                    self.totals.results += 1;
                    self.totals.capped_results += u64::from(capped.more() > 0);
                    let (title, alone) = match result.outcome() {
                        Outcome::Completed => ("\n[tool result ", "\n[tool result]\n"),
                        Outcome::Failed => ("\n[tool error ", "\n[tool error]\n"),
                    };
                    let shown = self.count(&capped);
                    let (call_id, text, media) = result.into_parts();
                    self.header(title, alone, call_id);
                    self.shown(text, shown);
                    for kind in media {
                        self.media(kind);
                    }
                }
            }
        }
    }

    /// One header for the parts in a row that a message's own speaker says.
    fn speaker(&mut self, message: &'a impl Message, open: &mut bool) {
        if !*open {
            self.header("\n[", "\n[]\n", Some(message.role().into()));
            *open = true;
        }
    }

    /// Writes `title` with `name`, or `alone` without one; the first header of the text without
    /// the line feed before it.
    fn header(&mut self, title: &'static str, alone: &'static str, name: Option<Cow<'a, str>>) {
        let line = if name.is_some() { title } else { alone };
        let line = match self.pieces.is_empty() {
            true => line.trim_start(),
            false => line,
        };
        self.pieces.push(line.into());
        if let Some(name) = name {
            self.pieces.push(Piece::Text(clean(name)));
            self.pieces.push("]\n".into());
        }
    }

    fn media(&mut self, kind: &'a str) {
        self.pieces.push("(".into());
        self.pieces.push(Piece::Text(clean(kind.into())));
        self.pieces.push(")\n".into());
    }

    /// Counts a capped text; what of it is shown.
    fn count(&mut self, capped: &Capped<'_>) -> Shown {
        self.totals.graphemes += capped.shown().saturating_add(capped.more());
        self.totals.elided_graphemes += capped.more();
        Shown {
            bytes: capped.head().len(),
            left_out: capped.left_out(),
            marker: capped.marker().map(|line| line.to_string()),
        }
    }

    fn shown(&mut self, text: Cow<'a, str>, shown: Shown) {
        self.pieces.push(Piece::Text(match text {
            Cow::Borrowed(text) => text.split_at(shown.bytes).0.into(),
            Cow::Owned(mut text) => {
                text.truncate(shown.bytes);
                text.shrink_to_fit();
                text.into()
            }
        }));
        self.pieces.push(Piece::LineEnd(shown.left_out));
        if let Some(marker) = shown.marker {
            self.pieces.push(Piece::Text(marker.into()));
            self.pieces.push("\n".into());
        }
    }
}

/// A piece of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece<'a> {
    Text(Cow<'a, str>),
    /// The line that says what is left out, if anything is, and a line feed. Written when it is
    /// read.
    LineEnd(LeftOut),
}

impl<'a> From<&'a str> for Piece<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.into())
    }
}

/// What is shown of a text: its first bytes, and the lines behind them.
struct Shown {
    bytes: usize,
    left_out: LeftOut,
    marker: Option<String>,
}

/// Names come from outside: what would break the line is left out (SPEC 3.3).
fn clean(name: Cow<'_, str>) -> Cow<'_, str> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    match name.contains(breaks) {
        true => name.chars().filter(|c| !breaks(*c)).collect(),
        false => name,
    }
}

impl fmt::Display for SummaryText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| match piece {
            Piece::Text(text) => f.write_str(text),
            Piece::LineEnd(left_out) => writeln!(f, "{left_out}"),
        })
    }
}
