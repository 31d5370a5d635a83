//! Events for listeners that must never hold up the settle path.

use std::sync::Arc;

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use crate::{Operation, SettledResult, ToolSettled};

/// What happened to an operation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Event {
    /// It was dispatched.
    Dispatched(Operation),
    /// It was settled: with the one string, the same allocation as everywhere else (I1).
    Settled {
        /// The operation.
        operation: Operation,
        /// The one string.
        result: SettledResult,
        /// The settle record.
        envelope: Arc<ToolSettled>,
    },
}

/// Receives the events of a session, from the moment it was made on.
///
/// The channel is bounded. A listener that falls behind loses the oldest events and is told how
/// many; the settle path never waits for it (SPEC 5.9).
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Shape;
/// use loop_integration::{Delivery, Event, Operation, Session, Settler, SystemClock, ToolResult};
///
/// # let tmp = tempfile::tempdir()?;
/// # let path = tmp.path().join("run.jsonl");
/// let session = Session::open(&path, Settler::new(Shape::excerpt()), Arc::new(SystemClock))?;
/// let mut events = session.subscribe();
/// session.settle(&Operation::new("op-1"), ToolResult::success("ok"))?;
/// while let Some(delivery) = events.try_next() {
///     match delivery {
///         Delivery::Event(Event::Settled { result, .. }) => assert_eq!(result.as_str(), "ok"),
///         Delivery::Lagged(lost) => eprintln!("{lost} events were lost to this listener"),
///         _ => {}
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Events(broadcast::Receiver<Event>);

/// What a listener gets next.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Delivery {
    /// The next event.
    Event(Event),
    /// The listener fell behind, and this many events are lost to it.
    Lagged(u64),
    /// The session ended.
    Closed,
}

impl Events {
    /// Waits for the next event.
    pub async fn next(&mut self) -> Delivery {
        match self.0.recv().await {
            Ok(event) => Delivery::Event(event),
            Err(RecvError::Lagged(count)) => Delivery::Lagged(count),
            Err(RecvError::Closed) => Delivery::Closed,
        }
    }

    /// The next event, if there is one already.
    pub fn try_next(&mut self) -> Option<Delivery> {
        match self.0.try_recv() {
            Ok(event) => Some(Delivery::Event(event)),
            Err(TryRecvError::Lagged(count)) => Some(Delivery::Lagged(count)),
            Err(TryRecvError::Closed) => Some(Delivery::Closed),
            Err(TryRecvError::Empty) => None,
        }
    }
}

/// The sending side, inside a session.
#[derive(Debug, Clone)]
pub(crate) struct EventSender(broadcast::Sender<Event>);

impl EventSender {
    pub(crate) fn new(capacity: usize) -> Self {
        Self(broadcast::Sender::new(capacity))
    }

    /// Never waits. That nobody listens is no fault.
    pub(crate) fn send(&self, event: Event) {
        let _ = self.0.send(event);
    }

    pub(crate) fn subscribe(&self) -> Events {
        Events(self.0.subscribe())
    }
}
