//! The messages of a conversation, as the transcript holds them.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use artifacts_core::{ContentDigest, OpId};
use serde_json::Value;

use crate::wire::MessagePayload;
use crate::{Error, ErrorKind, Settled, SettledResult, json};

/// One message of the conversation.
///
/// A message that holds an observation is made by settling only, so that no other string can take
/// its place (I1).
///
/// ```
/// use loop_integration::{Message, ToolCall};
/// use serde_json::json;
///
/// let message = Message::assistant("Looking.")
///     .with_tool_calls([ToolCall::new("call_1", "ls", json!({"path": "."}))]);
/// assert_eq!(message.role(), "assistant");
/// assert_eq!(message.text(), Some("Looking."));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub(crate) role: Arc<str>,
    pub(crate) content: Content,
    pub(crate) tool_call_id: Option<Arc<str>>,
    pub(crate) is_error: bool,
    pub(crate) parts: Arc<[Value]>,
    pub(crate) tool_calls: Vec<ToolCall>,
    pub(crate) op_id: Option<OpId>,
    /// Fields of the payload that this release does not know.
    pub(crate) more: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Content {
    #[default]
    Nothing,
    Observation(SettledResult),
    Text(Arc<str>),
    Json(Value),
}

/// A call of a tool, inside an assistant message.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub(crate) id: Arc<str>,
    pub(crate) name: Arc<str>,
    pub(crate) arguments: Value,
}

/// SHA-256 of the RFC 8785 form of a message's payload (SPEC 5.2): what the seed check compares.
///
/// ```
/// use loop_integration::Message;
///
/// assert_eq!(Message::user("hi").digest(), Message::user("hi").digest());
/// assert_ne!(Message::user("hi").digest(), Message::system("hi").digest());
/// let digest = Message::user("hi").digest();
/// assert_eq!(digest.to_string().parse::<loop_integration::MessageDigest>()?, digest);
/// # Ok::<(), loop_integration::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageDigest(pub(crate) ContentDigest);

impl std::fmt::Display for MessageDigest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads what `Display` writes, so that a caller can keep the digests of its conversation.
impl FromStr for MessageDigest {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let digest = text.parse().map(Self);
        digest.map_err(|error: artifacts_core::Error| {
            Error::new(ErrorKind::Message, error.to_string())
        })
    }
}

impl Message {
    /// A system message.
    #[must_use]
    pub fn system(text: impl Into<Arc<str>>) -> Self {
        Self::of("system", Content::Text(text.into()))
    }

    /// A user's message.
    #[must_use]
    pub fn user(text: impl Into<Arc<str>>) -> Self {
        Self::of("user", Content::Text(text.into()))
    }

    /// A model's message.
    #[must_use]
    pub fn assistant(text: impl Into<Arc<str>>) -> Self {
        Self::of("assistant", Content::Text(text.into()))
    }

    /// A message of any role whose content is text or an array of parts.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`] for the role `tool`, whose messages only the settle path makes, and
    /// for content that is neither a string, an array nor null.
    pub fn new(role: &str, content: Value) -> Result<Self, Error> {
        if role == TOOL {
            return Err(Error::new(
                ErrorKind::Message,
                "a tool message is made by settling: call settle",
            ));
        }
        let content = match content {
            Value::Null => Content::Nothing,
            Value::String(text) => Content::Text(text.into()),
            Value::Array(_) => Content::Json(content),
            _ => {
                return Err(Error::new(
                    ErrorKind::Message,
                    "content must be a string, an array of parts or null",
                ));
            }
        };
        Ok(Self::of(role, content))
    }

    /// Adds calls of tools.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        self.tool_calls.extend(calls);
        self
    }

    /// The role: `system`, `user`, `assistant`, `tool`, or another one.
    #[must_use]
    pub fn role(&self) -> &str {
        &self.role
    }

    /// The content, if it is text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Observation(result) => Some(result.as_str()),
            Content::Text(text) => Some(text),
            Content::Nothing | Content::Json(_) => None,
        }
    }

    /// The observation, if the message holds one.
    #[must_use]
    pub fn observation(&self) -> Option<&SettledResult> {
        match &self.content {
            Content::Observation(result) => Some(result),
            _ => None,
        }
    }

    /// The calls of tools.
    #[must_use]
    pub fn tool_calls(&self) -> &[ToolCall] {
        &self.tool_calls
    }

    /// The call that a tool message answers.
    #[must_use]
    pub fn tool_call_id(&self) -> Option<&str> {
        self.tool_call_id.as_deref()
    }

    /// Whether a tool message says that the call failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The parts that follow the observation of a tool message.
    #[must_use]
    pub fn parts(&self) -> &[Value] {
        &self.parts
    }

    /// The digest that the seed check compares.
    #[must_use]
    pub fn digest(&self) -> MessageDigest {
        MessageDigest(json::canonical_digest(&MessagePayload(self)))
    }

    /// Whether it holds JSON that a transcript could not give back.
    pub(crate) fn is_too_deep(&self) -> bool {
        let content = match &self.content {
            Content::Json(value) => Some(value),
            Content::Nothing | Content::Observation(_) | Content::Text(_) => None,
        };
        let arguments = self.tool_calls.iter().map(ToolCall::arguments);
        let parts = self.parts.iter().chain(self.more.values());
        arguments.chain(content).chain(parts).any(json::is_too_deep)
    }

    pub(crate) fn of_settled(settled: &Settled) -> Self {
        let operation = settled.operation();
        let content = Content::Observation(settled.result().clone());
        let mut message = match settled.is_background {
            true => Self::of("user", content),
            false => Self::of(TOOL, content),
        };
        if settled.is_background {
            message.op_id = Some(operation.op_id().clone());
        } else {
            message.tool_call_id = Some(operation.tool_call_id().into());
            message.is_error = settled.ending().is_error();
        }
        message.parts = Arc::clone(&settled.parts);
        message
    }

    fn of(role: &str, content: Content) -> Self {
        Self {
            role: role.into(),
            content,
            ..Self::empty()
        }
    }

    pub(crate) fn empty() -> Self {
        Self {
            role: "".into(),
            content: Content::Nothing,
            tool_call_id: None,
            is_error: false,
            parts: [].into(),
            tool_calls: Vec::new(),
            op_id: None,
            more: BTreeMap::new(),
        }
    }
}

impl ToolCall {
    /// The provider's id of the call, the tool's name, its arguments.
    #[must_use]
    pub fn new(id: impl Into<Arc<str>>, name: impl Into<Arc<str>>, arguments: Value) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments,
        }
    }

    /// The provider's id, which may repeat.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments.
    #[must_use]
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }
}

/// The role of the messages that answer a tool call.
pub(crate) const TOOL: &str = "tool";
