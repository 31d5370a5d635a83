//! Reading a message's parts.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::Value;

use super::output::{Output, is_failed};
use super::{call, gemini, is_result, media, output_fields, string};
use crate::{Message, Outcome, Part, ToolResult};

/// Messages and items of OpenAI (chat completions, responses) and Anthropic, contents of Gemini,
/// and the payloads of a transcript's messages.
///
/// - A result is a message with the role `tool` or `function`, or with an `op-id`; an item of a
///   type that ends in `_output`; the outputs of an item of a type that ends in `_call`; a block of
///   a type that ends in `tool_result`; a `functionResponse`, a `codeExecutionResult`. All that it
///   returned but media is its text: texts, streams and logs as they are, what is not understood as
///   JSON.
/// - A call is an entry of `tool_calls`, a `function_call`, an item or a block of a type that ends
///   in `_call` or `tool_use`, a `functionCall`, an `executableCode`.
/// - Whatever else has a text is said by the role; what has none is shown as its type.
impl Message for Value {
    fn role(&self) -> &str {
        string(self, "role")
            .or_else(|| string(self, "type"))
            .unwrap_or("unknown")
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        let results = output_fields(self);
        let is_tool = matches!(string(self, "role"), Some("tool" | "function"));
        if !is_tool {
            parts.extend(call::of_type(self).map(Part::Call));
        }
        match results.is_empty() {
            true => spoken(self, &mut parts),
            false => parts.extend(
                results
                    .iter()
                    .map(|field| Part::Result(result(self, field))),
            ),
        }
        if parts.is_empty() && says_more(self) {
            parts.push(Part::Media(string(self, "type").unwrap_or("unknown")));
        }
        parts
    }
}

/// Content, then calls.
fn spoken<'a>(message: &'a Value, parts: &mut Vec<Part<'a>>) {
    for field in [
        "summary",
        CONTENT,
        "reasoning_content",
        "thinking",
        "refusal",
    ] {
        match message.get(field) {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => parts.push(Part::Text(text.into())),
            Some(Value::Array(blocks)) if field == CONTENT => {
                parts.extend(blocks.iter().map(Part::of_json));
            }
            Some(block @ Value::Object(_)) if field == CONTENT => parts.push(Part::of_json(block)),
            Some(Value::Array(blocks)) => parts.extend(blocks.iter().map(said)),
            Some(other) => parts.push(Part::Text(other.to_string().into())),
        }
    }
    parts.extend(
        gemini::parts(message)
            .into_iter()
            .flatten()
            .map(Part::of_json),
    );
    if let Some(audio) = message.get("audio").filter(|audio| audio.is_object()) {
        parts.push(Part::Media("audio"));
        parts.extend(string(audio, "transcript").map(|text| Part::Text(text.into())));
    }
    for field in ["tool_calls", "tool-calls"] {
        let calls = message.get(field).and_then(Value::as_array);
        let calls = calls.into_iter().flatten();
        parts.extend(calls.map(|entry| Part::Call(call::of_entry(entry))));
    }
    let call = message.get("function_call").filter(|call| call.is_object());
    parts.extend(call.map(|call| Part::Call(call::of(call))));
}

/// Whether a message without parts has anything to say but that it has none.
fn says_more(message: &Value) -> bool {
    let Value::Object(fields) = message else {
        return true;
    };
    let is_said = |(name, value): (&String, &Value)| match name.as_str() {
        "role" | "id" | "name" | "status" => false,
        "type" => value != "message",
        _ => !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty()),
    };
    fields.iter().any(is_said)
}

impl<'a> Part<'a> {
    /// The part that a block of a content array is; what has no text is media of its type.
    ///
    /// ```
    /// use compactor_cap::Part;
    /// use serde_json::json;
    ///
    /// let block = json!({"type": "image", "source": {}});
    /// assert_eq!(Part::of_json(&block), Part::Media("image"));
    /// ```
    #[must_use]
    pub fn of_json(block: &'a Value) -> Self {
        if string(block, "type").is_none() {
            return of_part(block);
        }
        if is_result(block) {
            return Part::Result(result(block, CONTENT));
        }
        match call::of_type(block) {
            Some(call) => Part::Call(call),
            None => said(block),
        }
    }
}

/// The part that a block without a type is.
fn of_part(block: &Value) -> Part<'_> {
    match (gemini::Answer::of(block), gemini::call(block)) {
        (Some(answer), _) => Part::Result(answer.result()),
        (None, Some(call)) => Part::Call(call),
        (None, None) => said(block),
    }
}

/// The words of a block, or else its type.
fn said(block: &Value) -> Part<'_> {
    let spoken = ["text", "thinking", "refusal"].iter();
    let text = block.as_str();
    if let Some(text) = text.or_else(|| spoken.clone().find_map(|field| string(block, field))) {
        return Part::Text(text.into());
    }
    let kind = string(block, "type").or_else(|| media::kind_of_data(block));
    Part::Media(kind.unwrap_or("unknown"))
}

impl<'a> ToolResult<'a> {
    /// The result with the output `output`: a text, or blocks of text and of other kinds.
    ///
    /// ```
    /// use compactor_cap::ToolResult;
    /// use serde_json::json;
    ///
    /// let output = json!([{"type": "text", "text": "done"}, {"type": "image"}, {"rows": 7}]);
    /// let result = ToolResult::of_json(&output);
    /// assert_eq!(result.text(), "done\n{\"rows\":7}");
    /// assert_eq!(result.media(), ["image"]);
    /// ```
    #[must_use]
    pub fn of_json(output: &'a Value) -> Self {
        Self::of_output(Output::of(output))
    }

    pub(super) fn of_output(read: Output<'a>) -> Self {
        let (text, media) = read.into_parts();
        media
            .into_iter()
            .fold(Self::of_text(text), Self::with_media)
    }
}

fn result<'a>(value: &'a Value, field: &str) -> ToolResult<'a> {
    let output = value.get(field).unwrap_or(&Value::Null);
    let mut result = ToolResult::of_json(output);
    if let Some(id) = CALL_IDS.iter().find_map(|field| string(value, field)) {
        result = result.with_call_id(id);
    }
    let says_so = FAILED
        .iter()
        .any(|field| value.get(field) == Some(&Value::Bool(true)));
    if says_so || field == "error" || is_failed(output) {
        result = result.with_outcome(Outcome::Failed);
    }
    // What the settle path let pass beside a text it lets pass here too (SPEC 5.4).
    let beside = value.get("parts").filter(|_| field != "parts");
    let beside = beside.and_then(Value::as_array);
    let kinds = beside.into_iter().flatten();
    kinds
        .map(|part| string(part, "type").unwrap_or("unknown"))
        .fold(result, ToolResult::with_media)
}

/// Where results and calls are blocks; elsewhere blocks are only said.
const CONTENT: &str = "content";

const CALL_IDS: &[&str] = &[
    "tool_call_id",
    "call_id",
    "tool_use_id",
    "tool-call-id",
    "op-id",
];

const FAILED: &[&str] = &["is_error", "is-error"];
