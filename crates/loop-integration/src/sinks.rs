//! The four places of the one string, for an agent that keeps a session format of its own.

use std::sync::Arc;

use crate::{Event, Message, Settled, SettledResult, ToolSettled};

/// The places that a settled result goes to. Each gets the same string, in this order, once
/// (SPEC 5.1, 5.10).
///
/// ```
/// use artifacts_core::Shape;
/// use loop_integration::{Event, Message, Operation, Settler, Sinks, ToolResult, ToolSettled};
///
/// #[derive(Default)]
/// struct Mine {
///     conversation: Vec<Message>,
///     journal: Vec<String>,
/// }
///
/// impl Sinks for Mine {
///     type Error = std::convert::Infallible;
///
///     fn conversation(&mut self, message: &Message) -> Result<(), Self::Error> {
///         self.conversation.push(message.clone());
///         Ok(())
///     }
///
///     fn transcript(&mut self, message: &Message) -> Result<(), Self::Error> {
///         self.journal.push(message.text().unwrap_or_default().to_owned());
///         Ok(())
///     }
///
///     fn envelope(&mut self, envelope: &ToolSettled) -> Result<(), Self::Error> {
///         self.journal.push(format!("{:?}", envelope.result_digest()));
///         Ok(())
///     }
///
///     fn event(&mut self, _event: Event) {}
/// }
///
/// let mut sinks = Mine::default();
/// let settler = Settler::new(Shape::excerpt());
/// let settled = settler.settle(&Operation::new("op-1"), ToolResult::success("ok"));
/// settled.fan_out(1_500, &mut sinks)?;
/// assert_eq!(sinks.journal[0], "ok");
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub trait Sinks {
    /// Why a sink could not take its part.
    type Error;

    /// Takes the message into the conversation that the next request is made from.
    ///
    /// # Errors
    ///
    /// Whatever keeps the sink from it; the later sinks get nothing then.
    fn conversation(&mut self, message: &Message) -> Result<(), Self::Error>;

    /// Writes the message to the session's file.
    ///
    /// # Errors
    ///
    /// As [`conversation`](Self::conversation).
    fn transcript(&mut self, message: &Message) -> Result<(), Self::Error>;

    /// Writes the settle record to the session's file.
    ///
    /// # Errors
    ///
    /// As [`conversation`](Self::conversation).
    fn envelope(&mut self, envelope: &ToolSettled) -> Result<(), Self::Error>;

    /// Tells listeners. It can't fail the call.
    fn event(&mut self, event: Event);
}

impl Settled {
    /// The message for the conversation and the transcript.
    #[must_use]
    pub fn message(&self) -> Message {
        Message::of_settled(self)
    }

    /// Hands the one string to each sink, and takes the value so that none gets it twice.
    ///
    /// # Errors
    ///
    /// That of the first sink that fails.
    pub fn fan_out<S: Sinks>(
        self,
        duration_micros: u64,
        sinks: &mut S,
    ) -> Result<SettledResult, S::Error> {
        let message = self.message();
        let envelope = self.envelope(duration_micros);
        sinks.conversation(&message)?;
        sinks.transcript(&message)?;
        sinks.envelope(&envelope)?;
        sinks.event(Event::Settled {
            operation: self.operation,
            result: self.result.clone(),
            envelope: Arc::new(envelope),
        });
        Ok(self.result)
    }
}
