//! The conversation of a transcript for `compactor-cap`: what a summarizer and a request are sent.

use std::borrow::Cow;

use artifacts_core::Shape;
use compactor_cap::{
    ArtifactRecord, Outcome, Part, RequestView, ToolCall, ToolResult, output_with_text,
    with_result_texts,
};
use serde_json::Value;

use crate::message::{Content, TOOL};
use crate::replay::{Format, Replay};
use crate::{Message, ToolSettled, Transcript};

/// A message of a transcript with the settle record of its observation.
///
/// ```
/// use compactor_cap::{ToolResultCap, cap};
/// use loop_integration::{Message, Transcript};
///
/// let transcript = Transcript::default();
/// let messages = transcript.recorded_messages();
/// let text = cap(&messages, &ToolResultCap::default());
/// assert_eq!(text.to_string(), "");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordedMessage<'a> {
    message: &'a Message,
    settled: Option<&'a ToolSettled>,
}

impl<'a> RecordedMessage<'a> {
    /// The message.
    #[must_use]
    pub fn message(&self) -> &'a Message {
        self.message
    }

    /// The settle record of the operation that the message answers.
    #[must_use]
    pub fn settled(&self) -> Option<&'a ToolSettled> {
        self.settled
    }
}

impl Transcript {
    /// The conversation with its settle records, for `compactor_cap::{cap, covered,
    /// request_view}`.
    #[must_use]
    pub fn recorded_messages(&self) -> Vec<RecordedMessage<'_>> {
        let mut recorded: Vec<RecordedMessage<'_>> = self
            .messages()
            .iter()
            .map(|message| RecordedMessage {
                message,
                settled: None,
            })
            .collect();
        for state in self.operations() {
            if let Some(answer) = state.message.and_then(|index| recorded.get_mut(index)) {
                answer.settled = state.settled();
            }
        }
        recorded
    }

    /// The next request's messages with every tool result within the limit of `shape`, also one
    /// that was recorded before there was a limit (SPEC 8.5).
    ///
    /// A view: the transcript stays, and the same transcript gives the same bytes. Observations
    /// that were settled under the same shape are in it as they are.
    ///
    /// ```
    /// use artifacts_core::Shape;
    /// use loop_integration::{Format, Transcript};
    ///
    /// let request = Transcript::default().request_view(Format::OpenAiChat, &Shape::excerpt());
    /// assert_eq!(request.to_string(), r#"{"messages":[]}"#);
    /// ```
    #[must_use]
    pub fn request_view(&self, format: Format, shape: &Shape) -> Replay {
        let recorded = self.recorded_messages();
        Replay::of_view(&compactor_cap::request_view(&recorded, shape), format)
    }
}

impl Replay {
    /// The messages of `view` in the form `format`.
    #[must_use]
    pub fn of_view(view: &RequestView<'_, RecordedMessage<'_>>, format: Format) -> Self {
        let messages: Vec<Message> = view
            .messages()
            .iter()
            .map(|viewed| {
                let mut message = viewed.message().message.clone();
                if !viewed.is_unchanged() {
                    message.content = shortened(&message, viewed.results());
                }
                message
            })
            .collect();
        Self::of(&messages, format)
    }
}

/// The content with shorter texts for its results; everything else in it stays.
fn shortened<'t>(message: &Message, mut texts: impl Iterator<Item = Option<&'t str>>) -> Content {
    match &message.content {
        Content::Json(blocks) if !is_tool(message) => {
            Content::Json(with_result_texts(blocks, texts))
        }
        whole => match (whole, texts.next().flatten()) {
            (Content::Json(output), Some(text)) => Content::Json(output_with_text(output, text)),
            (_, Some(text)) => Content::Text(text.into()),
            (_, None) => whole.clone(),
        },
    }
}

/// Whether the message says nothing but what a tool returned.
fn is_tool(message: &Message) -> bool {
    message.observation().is_some() || matches!(message.role(), TOOL | "function")
}

impl compactor_cap::Message for RecordedMessage<'_> {
    fn role(&self) -> &str {
        self.message.role()
    }

    fn parts(&self) -> Vec<Part<'_>> {
        if let Some(result) = self.result() {
            return vec![Part::Result(result)];
        }
        let mut parts = Vec::new();
        match &self.message.content {
            Content::Json(Value::Array(blocks)) => {
                parts.extend(blocks.iter().map(Part::of_json));
            }
            _ => parts.extend(self.message.text().map(|text| Part::Text(text.into()))),
        }
        parts.extend(self.message.tool_calls().iter().map(|call| {
            let arguments = match call.arguments() {
                Value::String(text) => Cow::Borrowed(text.as_str()),
                arguments => Cow::Owned(arguments.to_string()),
            };
            Part::Call(ToolCall::new(call.name(), arguments))
        }));
        parts
    }
}

impl RecordedMessage<'_> {
    /// The observation, or whatever else a tool's message says.
    fn result(&self) -> Option<ToolResult<'_>> {
        let message = self.message;
        if !is_tool(message) {
            return None;
        }
        let mut result = match &message.content {
            Content::Json(output) => ToolResult::of_json(output),
            _ => ToolResult::new(message.text().unwrap_or_default()),
        };
        if let Some(id) = message
            .tool_call_id()
            .or_else(|| Some(message.op_id.as_ref()?.as_str()))
        {
            result = result.with_call_id(id);
        }
        if message.is_error() {
            result = result.with_outcome(Outcome::Failed);
        }
        for part in message.parts() {
            let kind = part.get("type").and_then(Value::as_str);
            result = result.with_media(kind.unwrap_or("unknown"));
        }
        match self.settled.and_then(record) {
            Some(record) => Some(result.with_artifact(record)),
            None => Some(result),
        }
    }
}

fn record(settled: &ToolSettled) -> Option<ArtifactRecord> {
    let artifact = settled.artifact()?;
    let record = ArtifactRecord::new(
        artifact.file().clone(),
        *artifact.digest(),
        artifact.bytes(),
        artifact.chars(),
        artifact.elided_chars(),
    );
    let record = record
        .with_capture(settled.capture())
        .with_replaced(settled.replaced());
    Some(match artifact.total_bytes() {
        Some(bytes) => {
            let chars = artifact.total_chars();
            let at_least = artifact.chars().max(artifact.elided_chars());
            record.with_total(bytes, chars.unwrap_or(at_least))
        }
        None => record,
    })
}
