//! The next request's messages, in the forms that model providers take.

mod anthropic;
mod messages;
mod openai;

use std::fmt;

use serde_json::Value;

use crate::json::Sorted;
use crate::{Message, Transcript};

/// The form of a replay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// The payloads of the transcript, under `messages`.
    #[default]
    Messages,
    /// OpenAI's chat completions: `messages`.
    OpenAiChat,
    /// OpenAI's responses: `input`.
    OpenAiResponses,
    /// Anthropic's messages: `system` and `messages`. A failed result without text has the text
    /// `(no text)`, since an error whose content is empty is refused.
    Anthropic,
}

/// The part of a request's body that holds the conversation.
///
/// It is made from the messages alone: no artifact is read, no excerpt is computed (I2, I4). The
/// same messages give the same bytes in any process.
///
/// ```
/// use loop_integration::{Format, Message, Replay};
///
/// let replay = Replay::of(&[Message::user("hi")], Format::OpenAiChat);
/// assert_eq!(replay.to_string(), r#"{"messages":[{"content":"hi","role":"user"}]}"#);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Replay(Value);

impl Replay {
    /// The messages in the form `format`.
    #[must_use]
    pub fn of(messages: &[Message], format: Format) -> Self {
        Self(match format {
            Format::Messages => messages::request(messages),
            Format::OpenAiChat => openai::chat(messages),
            Format::OpenAiResponses => openai::responses(messages),
            Format::Anthropic => anthropic::request(messages),
        })
    }

    /// The value, to be merged into a request's body.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

impl Transcript {
    /// The next request's messages.
    #[must_use]
    pub fn replay(&self, format: Format) -> Replay {
        Replay::of(self.messages(), format)
    }
}

/// One line of JSON with sorted keys.
impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sorted(&self.0))
    }
}

/// The value on one line, with sorted keys.
pub(crate) fn sorted(value: &Value) -> String {
    // Values always serialize.
    serde_json::to_string(&Sorted(value)).unwrap_or_default()
}

/// The content of a message as JSON: a string, an array of parts, or null.
fn content(message: &Message) -> Value {
    use crate::message::Content;
    match &message.content {
        Content::Nothing => Value::Null,
        Content::Observation(result) => result.as_str().into(),
        Content::Text(text) => text.as_ref().into(),
        Content::Json(parts) => parts.clone(),
    }
}

/// The arguments of a call as the JSON text that OpenAI's forms hold.
fn arguments(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        value => sorted(value),
    }
}

/// An MCP part `{type: "image", data, mimeType}` taken apart.
struct Image<'a> {
    media_type: &'a str,
    data: &'a str,
}

impl<'a> Image<'a> {
    fn of(part: &'a Value) -> Option<Self> {
        let field = |name: &str| part.get(name).and_then(Value::as_str);
        match field("type") {
            Some("image") => Some(Self {
                media_type: field("mimeType")?,
                data: field("data")?,
            }),
            _ => None,
        }
    }

    fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }
}
