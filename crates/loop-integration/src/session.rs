//! A run: a transcript, the settle path and the events, kept in step.

mod arriving;
mod claiming;
mod resuming;

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use artifacts_core::OpId;

pub use arriving::SessionStream;

use claiming::{Claim, check_open};

use crate::event::EventSender;
use crate::transcript::{Appending, TranscriptWriter};
use crate::{
    Clock, Error, ErrorKind, Event, Events, Message, MessageDigest, Operation, OperationState,
    Settled, Settler, ToolResult, Transcript, json,
};

/// A run with a transcript. Every operation gets its `tool-dispatched`, `message` and
/// `tool-settled` line, in this order, and is settled once (SPEC 5.1, 5.3).
///
/// Methods take `&self` and may be called from many threads: results are measured and stored in
/// parallel, lines are appended one at a time.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Shape;
/// use loop_integration::{Message, Operation, Session, Settler, SystemClock, ToolResult};
///
/// # let tmp = tempfile::tempdir()?;
/// # let path = tmp.path().join("run.jsonl");
/// let session = Session::open(&path, Settler::new(Shape::excerpt()), Arc::new(SystemClock))?;
/// session.push(Message::user("What is in there?"))?;
/// let settled = session.settle(&Operation::new("op-1"), ToolResult::success("Cargo.toml"))?;
/// assert_eq!(settled.observation(), "Cargo.toml");
/// assert!(session.settle(&Operation::new("op-1"), ToolResult::success("again")).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    settler: Settler,
    clock: Arc<dyn Clock>,
    events: EventSender,
    /// Tells this transcript from others.
    identity: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    writer: TranscriptWriter,
    /// Operations that are being settled by this session.
    settling: BTreeSet<OpId>,
}

impl Session {
    /// Goes on with the transcript at `path`, which is made if there is none. A torn last line is
    /// set aside, in the file of the same name with `.torn` after it, or `.torn.2` and so on where
    /// something else has that name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`] naming the line, [`ErrorKind::Version`], or
    /// [`ErrorKind::Transcript`] where there is no regular file or it can't be opened.
    pub fn open(
        path: impl AsRef<Path>,
        settler: Settler,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        Self::resume(path, settler, clock, &[])
    }

    /// As [`open`](Self::open), for a caller that knows the beginning of the conversation: its
    /// digests must be those of the transcript's first messages (SPEC 5.8).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Seed`] if the transcript is shorter or different, before anything is written.
    pub fn resume(
        path: impl AsRef<Path>,
        settler: Settler,
        clock: Arc<dyn Clock>,
        known: &[MessageDigest],
    ) -> Result<Self, Error> {
        let writer = TranscriptWriter::open(path.as_ref(), known)?;
        Ok(Self {
            settler,
            clock,
            events: EventSender::new(EVENTS),
            identity: writer.identity()?,
            state: Mutex::new(State {
                writer,
                settling: BTreeSet::new(),
            }),
        })
    }

    /// Keeps at most `capacity` events (at least 1) for a listener that falls behind. The default
    /// is 1,024. Listeners that subscribed before hear nothing more.
    #[must_use]
    pub fn with_event_capacity(self, capacity: usize) -> Self {
        Self {
            events: EventSender::new(capacity.max(1)),
            ..self
        }
    }

    /// Listens to what happens from here on.
    #[must_use]
    pub fn subscribe(&self) -> Events {
        self.events.subscribe()
    }

    /// The settle path of this run.
    #[must_use]
    pub fn settler(&self) -> &Settler {
        &self.settler
    }

    /// What the transcript says, as far as this session has read and written it. Texts are
    /// shared, not copied.
    #[must_use]
    pub fn transcript(&self) -> Transcript {
        self.state().writer.transcript().clone()
    }

    /// Looks at what [`transcript`](Self::transcript) would copy. Nothing settles meanwhile, and
    /// calling the session from inside `look` never returns.
    pub fn with_transcript<T>(&self, look: impl FnOnce(&Transcript) -> T) -> T {
        look(self.state().writer.transcript())
    }

    /// Appends a message that is no tool's.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`] for one that holds an observation, or JSON of more than 250 levels,
    /// which nothing could read back; [`ErrorKind::Transcript`] if the line could not be appended.
    pub fn push(&self, message: Message) -> Result<(), Error> {
        if message.observation().is_some() {
            return Err(Error::new(
                ErrorKind::Message,
                "an observation gets into the conversation by settling: call settle",
            ));
        }
        if message.is_too_deep() {
            return Err(Error::new(
                ErrorKind::Message,
                format!(
                    "a message may hold JSON of at most {} levels: give what is deeper as text",
                    json::VALUE_LEVELS
                ),
            ));
        }
        let mut state = self.state();
        let mut appending = state.writer.lock()?;
        appending.message(message, None, self.clock.now())?;
        appending.sync()
    }

    /// Records that the operation begins. Call it before the tool runs; [`settle`](Self::settle)
    /// makes up for it where nobody did.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyDispatched`], [`ErrorKind::AlreadyAnswered`] or
    /// [`ErrorKind::AlreadySettled`] if the op id was used before, [`ErrorKind::Transcript`] if the line could not be appended.
    pub fn dispatch(&self, operation: &Operation) -> Result<(), Error> {
        let op_id = operation.op_id();
        let mut state = self.state();
        let appending = state.writer.lock()?;
        if check_open(appending.transcript(), op_id)?.is_some() {
            return Err(Error::new(
                ErrorKind::AlreadyDispatched,
                format!(
                    "operation {:?} was dispatched before: give each operation its own id",
                    op_id.as_str()
                ),
            ));
        }
        self.begin(appending, &[operation])
    }

    /// Settles the result of an operation: stores and cuts it, then records the observation. An
    /// operation that was dispatched before is settled as it was dispatched, whatever tool and call
    /// `operation` names.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadySettled`] for a second settle and [`ErrorKind::AlreadyAnswered`] for
    /// an operation that only lacks its settle record, both before anything is written;
    /// [`ErrorKind::Transcript`] if a line could not be appended. A store that fails is no error.
    pub fn settle(&self, operation: &Operation, result: ToolResult) -> Result<Settled, Error> {
        let of_call = self.claim(operation)?;
        let claim = |op_ids: &[&OpId]| self.claim_to_store(op_ids);
        let operation = of_call.operation();
        let (settled, _claimed) = self.settler.settle_claimed(operation, result, claim)?;
        self.record(slice::from_ref(&settled))?;
        Ok(settled)
    }

    /// Settles the results of parallel calls: stored as one batch, under the turn's budget if
    /// there is one, recorded in the order given, which is the order of the calls in the model's
    /// message (SPEC 5.5).
    ///
    /// # Errors
    ///
    /// As [`settle`](Self::settle); if one operation of the batch is refused, none is settled.
    pub fn settle_batch(
        &self,
        results: Vec<(Operation, ToolResult)>,
    ) -> Result<Vec<Settled>, Error> {
        let operations = results.iter().map(|(operation, _)| operation);
        let of_calls = self.claim_all(&operations.collect::<Vec<_>>())?;
        let results = of_calls.iter().zip(results);
        let results = results.map(|(of_call, (_, result))| (of_call.operation().clone(), result));
        let results = results.collect();
        let claim = |op_ids: &[&OpId]| self.claim_to_store(op_ids);
        let (settled, _claimed) = self.settler.settle_batch_claimed(results, claim)?;
        self.record(&settled)?;
        Ok(settled)
    }

    /// Appends messages and settle records, makes them durable, then tells the listeners.
    fn record(&self, settled: &[Settled]) -> Result<(), Error> {
        let mut state = self.state();
        let mut appending = state.writer.lock()?;
        let mut dispatched = Vec::new();
        // All before the first line, so that a batch is recorded whole or not at all.
        for settled in settled {
            let op_id = settled.operation().op_id();
            let known = check_open(appending.transcript(), op_id)?;
            dispatched.push(known.map(OperationState::dispatched));
            self.check_unclaimed(settled)?;
        }
        let mut events = Vec::new();
        for (settled, dispatched) in settled.iter().zip(dispatched) {
            let operation = settled.operation();
            let now = self.clock.now();
            let took = dispatched.map_or(0, |dispatched| now.micros_since(dispatched));
            let envelope = Arc::new(settled.envelope(took));
            appending.message(settled.message(), Some(&envelope), now)?;
            appending.settled(Arc::clone(&envelope), now)?;
            events.push(Event::Settled {
                operation: operation.clone(),
                result: settled.result().clone(),
                envelope,
            });
        }
        appending.sync()?;
        drop(appending);
        // Under the state's lock, so that events come in the order of the records.
        events.into_iter().for_each(|event| self.events.send(event));
        Ok(())
    }

    /// Dispatches the operations; one sync is for all of them.
    fn begin(&self, mut appending: Appending<'_>, operations: &[&Operation]) -> Result<(), Error> {
        let mut begun = Vec::new();
        let appended = operations.iter().try_for_each(|operation| {
            let policy = self.settler.policy(operation);
            appending.dispatch(operation, Some(&policy), self.clock.now())?;
            begun.push(Event::Dispatched((*operation).clone()));
            Ok(())
        });
        if !begun.is_empty() {
            appending.sync()?;
        }
        drop(appending);
        begun.into_iter().for_each(|event| self.events.send(event));
        appended
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whatever panicked left the file as it says, and the next append looks.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("settler", &self.settler)
            .finish_non_exhaustive()
    }
}

/// How many events a listener can be behind.
const EVENTS: usize = 1_024;
