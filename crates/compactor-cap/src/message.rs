//! What a conversation's messages show of themselves: roles, texts, calls, results.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::ArtifactRecord;
use crate::text::Text;

/// A message of a conversation, read through borrows.
///
/// Implement it for the message type of an agent. With the feature `serde_json` it is implemented
/// for `serde_json::Value`, in the shapes of OpenAI (chat, responses), Anthropic and Gemini.
///
/// ```
/// use compactor_cap::{Message, Part};
///
/// struct Said(&'static str);
///
/// impl Message for Said {
///     fn role(&self) -> &str {
///         "user"
///     }
///
///     fn parts(&self) -> Vec<Part<'_>> {
///         vec![Part::Text(self.0.into())]
///     }
/// }
///
/// assert_eq!(Said("Hello").parts().len(), 1);
/// ```
pub trait Message {
    /// Who speaks: `user`, `assistant`, `tool`.
    fn role(&self) -> &str;

    /// The parts, in order; none for a message that has nothing a summarizer can read.
    fn parts(&self) -> Vec<Part<'_>>;
}

impl<M: Message + ?Sized> Message for &M {
    fn role(&self) -> &str {
        (**self).role()
    }

    fn parts(&self) -> Vec<Part<'_>> {
        (**self).parts()
    }
}

/// One part of a [`Message`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// Words of whoever speaks; never cut.
    Text(Cow<'a, str>),
    /// A call that the model made.
    Call(ToolCall<'a>),
    /// What a call returned.
    Result(ToolResult<'a>),
    /// A picture, a sound, a document: its kind, such as `image`. Never cut.
    Media(&'a str),
}

/// A call of a tool, with its arguments as the text the model wrote.
///
/// ```
/// use compactor_cap::ToolCall;
///
/// let call = ToolCall::new("read_file", r#"{"path":"a.txt"}"#);
/// assert_eq!(call.name(), "read_file");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall<'a> {
    name: Cow<'a, str>,
    arguments: Cow<'a, str>,
}

impl<'a> ToolCall<'a> {
    /// A call of the tool `name`.
    #[must_use]
    pub fn new(name: impl Into<Cow<'a, str>>, arguments: impl Into<Cow<'a, str>>) -> Self {
        Self {
            name: name.into(),
            arguments: arguments.into(),
        }
    }

    /// The tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tool and the arguments.
    pub(crate) fn into_parts(self) -> (Cow<'a, str>, Cow<'a, str>) {
        (self.name, self.arguments)
    }

    /// The arguments, usually JSON.
    #[must_use]
    pub fn arguments(&self) -> &str {
        &self.arguments
    }
}

/// How a call ended, as its result says. An error is capped and viewed like any other result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The tool did what it was asked.
    #[default]
    Completed,
    /// An error, a denial, a timeout.
    Failed,
}

/// The result of one call: its text as a whole, the media beside it, its artifact.
///
/// ```
/// use compactor_cap::{Outcome, ToolResult};
///
/// let result = ToolResult::new("no such file").with_call_id("call-1");
/// assert_eq!(result.text(), "no such file");
/// assert_eq!(result.call_id(), Some("call-1"));
/// assert_eq!(result.with_outcome(Outcome::Failed).outcome(), Outcome::Failed);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult<'a> {
    text: Text<'a>,
    outcome: Outcome,
    call_id: Option<Cow<'a, str>>,
    media: Vec<&'a str>,
    artifact: Option<Box<ArtifactRecord>>,
}

impl<'a> ToolResult<'a> {
    /// A result whose text parts, put together, are `text`.
    #[must_use]
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        Self::of_text(text.into().into())
    }

    /// A result of which the text may be in pieces.
    pub(crate) fn of_text(text: Text<'a>) -> Self {
        Self {
            text,
            outcome: Outcome::Completed,
            call_id: None,
            media: Vec::new(),
            artifact: None,
        }
    }

    /// The same result, of the call `id`.
    #[must_use]
    pub fn with_call_id(mut self, id: impl Into<Cow<'a, str>>) -> Self {
        self.call_id = Some(id.into());
        self
    }

    /// The same result, with how the call ended.
    #[must_use]
    pub fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.outcome = outcome;
        self
    }

    /// The same result, followed by a part that is not text, of the kind `media`.
    #[must_use]
    pub fn with_media(mut self, media: &'a str) -> Self {
        self.media.push(media);
        self
    }

    /// The same result, with what its settle record says of its artifact.
    #[must_use]
    pub fn with_artifact(mut self, record: ArtifactRecord) -> Self {
        self.record(record);
        self
    }

    /// The call's id, the text, and the kinds of the other parts.
    pub(crate) fn into_parts(self) -> (Option<Cow<'a, str>>, Text<'a>, Vec<&'a str>) {
        (self.call_id, self.text, self.media)
    }

    pub(crate) fn record(&mut self, record: ArtifactRecord) {
        self.artifact = Some(Box::new(record));
    }

    /// The text, as a whole: put together where it is in several pieces, as that of several blocks
    /// of a JSON message is.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.text.whole()
    }

    /// The text as it is.
    pub(crate) fn as_text(&self) -> &Text<'a> {
        &self.text
    }

    /// The call that it answers.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.call_id.as_deref()
    }

    /// How the call ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The kinds of the parts that are not text, in order.
    #[must_use]
    pub fn media(&self) -> &[&'a str] {
        &self.media
    }

    /// The artifact, if a settle record names one.
    #[must_use]
    pub fn artifact(&self) -> Option<&ArtifactRecord> {
        self.artifact.as_deref()
    }
}
