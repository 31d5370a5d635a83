//! The output of a result: a text, or blocks of text and of other kinds.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::media::{self, is_small};
use super::{is_result, string};
use crate::text::Text;

/// What an output consists of, in order.
#[derive(Default)]
pub(super) struct Output<'a> {
    texts: Vec<Said<'a>>,
    media: Vec<(&'a str, &'a Value)>,
}

enum Said<'a> {
    /// Follows another such text without anything between (SPEC 5.4).
    Text(&'a str),
    /// On lines of its own: one of several streams, or JSON.
    Lines(Cow<'a, str>),
}

impl<'a> Output<'a> {
    pub(super) fn of(output: &'a Value) -> Self {
        Self::of_all([output], [])
    }

    /// Several outputs in a row, and fields beside them as JSON.
    pub(super) fn of_all(
        outputs: impl IntoIterator<Item = &'a Value>,
        rest: impl IntoIterator<Item = (&'a String, &'a Value)>,
    ) -> Self {
        let mut read = Self::default();
        for output in outputs {
            read.within(output, DEPTH);
        }
        read.rest(rest);
        read
    }

    /// All text, and the kinds of what is none.
    pub(super) fn into_parts(self) -> (Text<'a>, Vec<&'a str>) {
        let mut whole = Text::default();
        let mut joins = true;
        for said in self.texts.into_iter().filter(|said| !said.is_empty()) {
            let (piece, is_text) = match said {
                Said::Text(text) => (Cow::Borrowed(text), true),
                Said::Lines(text) => (text, false),
            };
            let last = whole.pieces().next_back().unwrap_or_default();
            if !(last.is_empty() || last.ends_with('\n') || joins && is_text) {
                whole.push("\n".into());
            }
            whole.push(piece);
            joins = is_text;
        }
        let kinds = self.media.iter().map(|(kind, _)| *kind);
        (whole, kinds.collect())
    }

    /// The blocks that are no text, with their kinds.
    pub(super) fn media(&self) -> &[(&'a str, &'a Value)] {
        &self.media
    }

    fn block(&mut self, block: &'a Value, depth: u32) {
        match block {
            Value::Null => {}
            Value::String(text) => self.texts.push(Said::Text(text)),
            Value::Object(fields) => match media::kind(block) {
                Some(kind) => self.media.push((kind, block)),
                None => self.object(block, fields, depth),
            },
            Value::Array(_) | Value::Bool(_) | Value::Number(_) => self.json(block.to_string()),
        }
    }

    /// Known texts as texts, then everything else as JSON.
    fn object(&mut self, block: &'a Value, fields: &'a Map<String, Value>, depth: u32) {
        let before = (self.texts.len(), self.media.len());
        for (index, name) in TEXTS.iter().enumerate() {
            if let Some(text) = string(block, name) {
                self.texts.push(match index {
                    0 => Said::Text(text),
                    _ => Said::Lines(text.into()),
                });
            }
        }
        let within = within(block).filter(|_| depth > 0);
        if let Some(within) = within {
            self.within(within, depth.saturating_sub(1));
        }
        if before == (self.texts.len(), self.media.len()) {
            return self.json(block.to_string());
        }
        let is_read = |name: &str, value: &Value| {
            (TEXTS.contains(&name) && value.is_string())
                || within.is_some_and(|within| core::ptr::eq(within, value))
                || (BESIDE.contains(&name) && is_small(value))
        };
        self.rest(fields.iter().filter(|(name, value)| !is_read(name, value)));
    }

    fn rest(&mut self, fields: impl IntoIterator<Item = (&'a String, &'a Value)>) {
        let copy = |(name, value): (&String, &Value)| (name.clone(), value.clone());
        let rest: Map<_, _> = fields.into_iter().map(copy).collect();
        if !rest.is_empty() {
            self.json(Value::Object(rest).to_string());
        }
    }

    fn within(&mut self, value: &'a Value, depth: u32) {
        match value {
            Value::Array(blocks) => blocks.iter().for_each(|block| self.block(block, depth)),
            other => self.block(other, depth),
        }
    }

    fn json(&mut self, json: String) {
        self.texts.push(Said::Lines(json.into()));
    }
}

impl Said<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Lines(text) => text.is_empty(),
        }
    }
}

/// Whether what the output says of itself is that the call failed.
pub(super) fn is_failed(output: &Value) -> bool {
    let fails = |block: &Value| {
        let codes = ["/outcome/exit_code", "/return_code", "/exit_code"];
        let code = |path: &str| block.pointer(path).and_then(Value::as_i64);
        codes
            .iter()
            .any(|path| code(path).is_some_and(|code| code != 0))
            || block.pointer("/outcome/type").and_then(Value::as_str) == Some("timeout")
            || string(block, "type").is_some_and(|kind| kind.ends_with("_error"))
    };
    match output {
        Value::Array(blocks) => blocks.iter().any(fails),
        other => fails(other),
    }
}

/// The blocks, or the text, that a block wraps.
pub(super) fn within(block: &Value) -> Option<&Value> {
    match string(block, "type") {
        Some("search_result" | "code_execution_result" | "bash_code_execution_result") => {
            block.get("content")
        }
        Some("document") => {
            let source = block.get("source")?;
            source
                .get("data")
                .or_else(|| source.get("content"))
                .and(Some(source))
        }
        Some("text") if block.get("data").is_some() => block.get("data"),
        Some("text" | "json" | "error-text" | "error-json") => block.get("value"),
        Some("content") => block.get("content"),
        Some("resource") => block.get("resource"),
        _ if is_result(block) => block.get("content"),
        _ => None,
    }
}

/// Fields that hold text: of a text block, a shell, a code interpreter.
pub(super) const TEXTS: &[&str] = &["text", "stdout", "stderr", "logs"];

/// Fields beside a text that are none, if they are small. A view keeps them.
pub(super) const BESIDE: &[&str] = &[
    "type",
    "annotations",
    "cache_control",
    "citations",
    "exit_code",
    "is_error",
    "media_type",
    "mimeType",
    "outcome",
    "return_code",
    "tool_use_id",
];

/// How deep wrapped blocks are read as blocks; deeper ones are JSON.
const DEPTH: u32 = 4;
