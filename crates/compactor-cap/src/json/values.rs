//! Writing a view's messages as JSON values.

use alloc::borrow::Cow;

use serde_json::Value;

use super::edit::{field_with_text, replaced, with_result_texts};
use super::{blocks_field, output_fields};
use crate::{Message, Recorded, RequestView, ViewedMessage};

/// A message that is a JSON value, perhaps with records beside it.
pub trait JsonMessage: Message + sealed::Sealed {
    /// The value.
    fn value(&self) -> &Value;
}

impl JsonMessage for Value {
    fn value(&self) -> &Value {
        self
    }
}

impl<M: JsonMessage> JsonMessage for &M {
    fn value(&self) -> &Value {
        (**self).value()
    }
}

impl<M: JsonMessage> JsonMessage for Recorded<'_, M> {
    fn value(&self) -> &Value {
        self.message().value()
    }
}

impl<'a, M: JsonMessage> RequestView<'a, M> {
    /// The messages to send, in order: borrowed where they are sent as they are.
    ///
    /// A shorter text takes the place of a result's text parts, before the other parts, which are
    /// kept (SPEC 5.4), as is every field beside it.
    ///
    /// ```
    /// use artifacts_core::{Limit, Shape};
    /// use compactor_cap::request_view;
    /// use serde_json::json;
    ///
    /// let conversation = [json!({"role": "user", "content": [{
    ///     "type": "tool_result",
    ///     "tool_use_id": "tu-1",
    ///     "content": [
    ///         {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
    ///         {"type": "text", "text": "0123456789".repeat(1_000)},
    ///     ],
    /// }]})];
    /// let view = request_view(&conversation, &Shape::new(Limit::graphemes(4)?));
    /// let sent = serde_json::to_value(view.values().collect::<Vec<_>>())?;
    /// let content = &sent[0]["content"][0]["content"];
    /// assert!(content[0]["text"].as_str().is_some_and(|text| text.starts_with("012\n[... elided")));
    /// assert_eq!(content[1], conversation[0]["content"][0]["content"][0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(&self) -> impl Iterator<Item = Cow<'a, Value>> {
        self.messages().iter().map(ViewedMessage::value)
    }
}

impl<'a, M: JsonMessage> ViewedMessage<'a, M> {
    /// The message to send: borrowed where it is sent as it is.
    #[must_use]
    pub fn value(&self) -> Cow<'a, Value> {
        let message = self.message().value();
        if self.is_unchanged() {
            return Cow::Borrowed(message);
        }
        let mut texts = self.results();
        let fields = output_fields(message);
        if fields.is_empty() {
            let field = blocks_field(message);
            return Cow::Owned(match (message, message.get(field)) {
                (Value::Object(fields), Some(content)) => {
                    replaced(fields, field, with_result_texts(content, texts))
                }
                (other, _) => other.clone(),
            });
        }
        let edited = fields.iter().fold(None, |edited: Option<Value>, field| {
            let message = edited.as_ref().unwrap_or(message);
            Some(field_with_text(message, field, texts.next().flatten()))
        });
        edited.map_or(Cow::Borrowed(message), Cow::Owned)
    }
}

mod sealed {
    use serde_json::Value;

    use crate::Recorded;

    pub trait Sealed {}

    impl Sealed for Value {}

    impl<M: Sealed> Sealed for &M {}

    impl<M: Sealed> Sealed for Recorded<'_, M> {}
}
