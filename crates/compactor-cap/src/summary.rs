//! The text a summarizer is sent: every message, with tool text capped.

use alloc::string::String;
use core::fmt::{self, Write as _};

use crate::{Capped, Message, Outcome, Part, ToolResultCap};

/// Writes the summarizer's text of `messages`, which stay as they are (SPEC 8.1).
///
/// One pass, and the same bytes for the same input.
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
///     text.as_str(),
///     "[user]\nList the files.\n\n[tool result call-1]\n\
///      a.txt\n... [6 more characters of tool output, truncated for summarization]\n",
/// );
/// # Ok::<(), compactor_cap::Error>(())
/// ```
#[must_use]
pub fn cap<M: Message>(messages: &[M], cap: &ToolResultCap) -> SummaryText {
    let mut summary = SummaryText {
        text: String::new(),
        totals: Totals::default(),
    };
    for message in messages {
        summary.push(message, cap);
    }
    summary
}

/// What a summarizer is sent. It is read as text, and is no [`Message`].
///
/// ```
/// use compactor_cap::{ToolResultCap, cap};
/// use serde_json::json;
///
/// let text = cap(&[json!({"role": "user", "content": "Hello"})], &ToolResultCap::default());
/// assert_eq!(text.to_string(), "[user]\nHello\n");
/// assert_eq!(text.totals().messages, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryText {
    text: String,
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

impl SummaryText {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How much was read and how much is sent.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    fn push(&mut self, message: &impl Message, cap: &ToolResultCap) {
        self.totals.messages += 1;
        let mut open = false;
        for part in message.parts() {
            match part {
                Part::Text(text) => {
                    self.speaker(message, &mut open);
                    self.line(&text);
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
                    self.header("call of", Some(call.name()));
                    self.capped(&capped);
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
                    self.header(title, result.call_id());
                    self.capped(&capped);
                    for kind in result.media() {
                        self.media(kind);
                    }
                }
            }
        }
    }

    /// One header for the parts in a row that a message's own speaker says.
    fn speaker(&mut self, message: &impl Message, open: &mut bool) {
        if !*open {
            self.header(message.role(), None);
            *open = true;
        }
    }

    fn header(&mut self, title: &str, id: Option<&str>) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push('[');
        self.push_clean(title);
        if let Some(id) = id {
            self.text.push(' ');
            self.push_clean(id);
        }
        self.text.push_str("]\n");
    }

    fn media(&mut self, kind: &str) {
        self.text.push('(');
        self.push_clean(kind);
        self.text.push_str(")\n");
    }

    fn capped(&mut self, capped: &Capped<'_>) {
        self.totals.graphemes += capped.shown().saturating_add(capped.more());
        self.totals.elided_graphemes += capped.more();
        // Writing into a String cannot fail.
        let _ = writeln!(self.text, "{capped}");
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Names come from outside: what would break the line is left out (SPEC 3.3).
    fn push_clean(&mut self, name: &str) {
        self.text.extend(
            name.chars()
                .filter(|c| !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}')),
        );
    }
}

impl fmt::Display for SummaryText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
