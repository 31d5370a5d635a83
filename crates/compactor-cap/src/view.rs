//! What a request is sent: the conversation, with every tool result within its limit.

use alloc::string::String;
use alloc::vec::Vec;

use artifacts_core::{Marker, NotStored, Shape, Unmeasured};

use crate::{Ageing, Message, Part, ToolResult};

/// A view of `messages` for a request: every tool result within the limit of `shape`, whoever
/// produced it (SPEC 8.5).
///
/// Within the limit means as the settle path means it (SPEC 2.2, 2.4): what is shown of a text is
/// within it, and a marker of at most 640 bytes stands beside that. A text that is over the limit
/// by less than its marker would take passes whole, up to 640 bytes over; with a line snap or a
/// trailer, up to 640 units. Under a pointer texts of up to 2,560 bytes pass whole for the same
/// reason, under a header of up to 4,160. Media count for nothing.
///
/// A result that never met the settle path, an error or a denial for instance, may have any size.
/// A result that was settled under the same shape passes as it is. The messages stay as they are,
/// the same input gives the same bytes, and the time is linear in the size of the conversation.
///
/// ```
/// use artifacts_core::{Limit, Shape};
/// use compactor_cap::request_view;
/// use serde_json::json;
///
/// let conversation = [json!({"role": "tool", "content": "0123456789".repeat(1_000)})];
/// let view = request_view(&conversation, &Shape::new(Limit::graphemes(4)?));
/// let text = view.messages()[0].results().next().flatten().expect("a shorter text");
/// assert!(text.starts_with("012\n[... elided 9,996 chars (10,000 bytes total); full result not"));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[must_use]
pub fn request_view<'a, M: Message>(messages: &'a [M], shape: &Shape) -> RequestView<'a, M> {
    RequestView::of(messages, |_, result| within(shape, result))
}

/// [`request_view`], with old results as one line that names their artifact (SPEC 8.6).
///
/// Only a result that a record says is in an artifact, and that is longer than its stub, is
/// replaced: what is left out can be read back. A stub is a fixed line of 50 bytes and a marker
/// line of at most 640, whatever the limit.
///
/// ```
/// use artifacts_core::Shape;
/// use compactor_cap::{Ageing, request_view_ageing};
/// use serde_json::json;
///
/// let conversation = [json!({"role": "tool", "content": "not in an artifact"})];
/// let view = request_view_ageing(&conversation, &Shape::excerpt(), Ageing::keeping(0));
/// assert!(view.messages()[0].is_unchanged());
/// ```
#[must_use]
pub fn request_view_ageing<'a, M: Message>(
    messages: &'a [M],
    shape: &Shape,
    ageing: Ageing,
) -> RequestView<'a, M> {
    let old = ageing.old_of(count_results(messages));
    RequestView::of(messages, |index, result| {
        let stub = if index < old {
            ageing.stub(result)
        } else {
            None
        };
        stub.or_else(|| within(shape, result))
    })
}

/// A conversation as a request is sent it. Made by [`request_view`]; it borrows the messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestView<'a, M> {
    messages: Vec<ViewedMessage<'a, M>>,
}

impl<'a, M: Message> RequestView<'a, M> {
    /// Asks `shorter` about each result; the number counts the results before it.
    fn of(
        messages: &'a [M],
        mut shorter: impl FnMut(u64, &ToolResult<'_>) -> Option<String>,
    ) -> Self {
        let mut index = 0;
        let messages = messages
            .iter()
            .map(|message| {
                let mut results = Vec::new();
                for part in message.parts() {
                    if let Part::Result(result) = part {
                        results.push(shorter(index, &result));
                        index += 1;
                    }
                }
                ViewedMessage { message, results }
            })
            .collect();
        Self { messages }
    }

    /// The messages, in order.
    #[must_use]
    pub fn messages(&self) -> &[ViewedMessage<'a, M>] {
        &self.messages
    }
}

/// One message of a [`RequestView`]: the message itself, and the texts to send in place of its
/// results' texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewedMessage<'a, M> {
    message: &'a M,
    results: Vec<Option<String>>,
}

impl<'a, M> ViewedMessage<'a, M> {
    /// The message in the conversation.
    #[must_use]
    pub fn message(&self) -> &'a M {
        self.message
    }

    /// For each tool result of the message, in order: the text to send instead of its text, or
    /// `None` where the result is sent as it is. Media beside the text are sent as they are.
    pub fn results(&self) -> impl Iterator<Item = Option<&str>> {
        self.results.iter().map(Option::as_deref)
    }

    /// Whether the message is sent as it is.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.results.iter().all(Option::is_none)
    }
}

fn count_results<M: Message>(messages: &[M]) -> u64 {
    let results = |message: &M| {
        let parts = message.parts();
        parts
            .iter()
            .filter(|part| matches!(part, Part::Result(_)))
            .count() as u64
    };
    messages.iter().map(results).sum()
}

/// The excerpt to send, unless the text passes whole.
fn within(shape: &Shape, result: &ToolResult<'_>) -> Option<String> {
    let text = &*result.text();
    if let Some(record) = result.artifact() {
        return shape.shorten_recorded(text, &record.marker_line(), record.whole_graphemes());
    }
    let cut = shape.shorten(text)?;
    let whole = Unmeasured::of_cut(text, cut).measure();
    let marker = Marker::not_stored(NotStored::Other, &whole, cut.elided(&whole));
    Some(shape.render(&cut, &marker))
}
