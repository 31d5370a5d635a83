//! The text a summarizer is sent: every message, with tool text capped.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

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
        pieces: Vec::new(),
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
    pieces: Vec<Cow<'a, str>>,
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
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().map(Cow::as_ref)
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
                    self.pieces.push(text);
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
                    let note = self.note(&capped);
                    let length = capped.head().len();
                    let (name, arguments) = call.into_parts();
                    self.header("call of", Some(name));
                    self.shown(arguments, length, note);
                }
                Part::Result(result) => {
                    open = false;
                    let capped = cap.result(&result);
                    self.totals.results += 1;
                    self.totals.capped_results += u64::from(capped.more() > 0);
                    let title = match result.outcome() {
                        Outcome::Completed => "tool result",
                        Outcome::Failed => "tool error",
                    };
                    let note = self.note(&capped);
                    let length = capped.head().len();
                    let (call_id, text, media) = result.into_parts();
                    self.header(title, call_id);
                    self.shown(text, length, note);
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
            self.header("", Some(message.role().into()));
            *open = true;
        }
    }

    fn header(&mut self, title: &'static str, name: Option<Cow<'a, str>>) {
        if !self.pieces.is_empty() {
            self.pieces.push("\n".into());
        }
        self.pieces.push("[".into());
        self.pieces.push(title.into());
        if let Some(name) = name {
            if !title.is_empty() {
                self.pieces.push(" ".into());
            }
            self.pieces.push(clean(name));
        }
        self.pieces.push("]\n".into());
    }

    fn media(&mut self, kind: &'a str) {
        self.pieces.push("(".into());
        self.pieces.push(clean(kind.into()));
        self.pieces.push(")\n".into());
    }

    /// What comes behind the shown text; counts it.
    fn note(&mut self, capped: &Capped<'_>) -> Cow<'a, str> {
        self.totals.graphemes += capped.shown().saturating_add(capped.more());
        self.totals.elided_graphemes += capped.more();
        match capped.more() {
            0 => "\n".into(),
            _ => {
                let mut note = capped.note();
                note.push('\n');
                note.into()
            }
        }
    }

    /// The first `length` bytes of `text`, and `note`.
    fn shown(&mut self, text: Cow<'a, str>, length: usize, note: Cow<'a, str>) {
        self.pieces.push(match text {
            Cow::Borrowed(text) => text.split_at(length).0.into(),
            Cow::Owned(mut text) => {
                text.truncate(length);
                text.shrink_to_fit();
                text.into()
            }
        });
        self.pieces.push(note);
    }
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
        self.pieces().try_for_each(|piece| f.write_str(piece))
    }
}
