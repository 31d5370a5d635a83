//! What a transcript says: the conversation, and where each operation stands.

mod apply;
mod calls;
mod file;
mod new;
mod platform;
mod read;
mod writer;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use artifacts_core::OpId;

use calls::OpenCalls;
pub(crate) use file::LogFile;
pub(crate) use new::NewLog;
pub(crate) use writer::{Appending, TranscriptWriter};

use crate::{Error, Message, Operation, Timestamp, ToolCall, ToolSettled};

/// What the complete lines of a transcript say (SPEC 5.7).
///
/// Its memory is that of the conversation: the lines themselves are not kept.
///
/// ```
/// use loop_integration::Transcript;
///
/// # let tmp = tempfile::tempdir()?;
/// # let path = tmp.path().join("run.jsonl");
/// # let line = br#"{"id":"m-0","payload":{"content":"hi","role":"user"},"ts":"2026-08-10T12:34:56.000001Z","type":"message","v":1}"#;
/// # std::io::Write::write_all(&mut std::fs::File::create(&path)?, &[line.as_slice(), b"\n"].concat())?;
/// let transcript = Transcript::load(&path)?;
/// assert_eq!(transcript.messages()[0].text(), Some("hi"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    messages: Vec<Message>,
    operations: BTreeMap<OpId, OperationState>,
    /// Op ids in the order of their first record.
    order: Vec<OpId>,
    calls: OpenCalls,
    /// Complete lines, and the bytes of them.
    lines: u64,
    bytes: u64,
    unknown: u64,
    torn_bytes: u64,
}

/// Where one operation stands.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Shape;
/// use loop_integration::{Operation, Session, Settler, SystemClock};
///
/// # let tmp = tempfile::tempdir()?;
/// # let path = tmp.path().join("run.jsonl");
/// let session = Session::open(&path, Settler::new(Shape::excerpt()), Arc::new(SystemClock))?;
/// let operation = Operation::new("op-1");
/// session.dispatch(&operation)?;
/// let transcript = session.transcript();
/// let state = transcript.operation(operation.op_id()).ok_or("no such operation")?;
/// assert!(!state.is_answered() && state.settled().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct OperationState {
    pub(crate) operation: Operation,
    pub(crate) dispatched: Timestamp,
    pub(crate) message: Option<usize>,
    /// What the settle record is to say, while there is none.
    pub(crate) settling: Option<Arc<ToolSettled>>,
    pub(crate) settled: Option<Arc<ToolSettled>>,
}

/// What is left to do when a run goes on (SPEC 5.1).
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Shape;
/// use loop_integration::{Operation, Pending, Session, Settler, SystemClock};
///
/// # let tmp = tempfile::tempdir()?;
/// # let path = tmp.path().join("run.jsonl");
/// let open = || Session::open(&path, Settler::new(Shape::excerpt()), Arc::new(SystemClock));
/// open()?.dispatch(&Operation::new("op-1"))?;
/// // The run stops here, and another one goes on.
/// let session = open()?;
/// for pending in session.pending() {
///     if let Pending::Unanswered(operation) = pending {
///         session.outcome_unknown(&operation)?;
///     }
/// }
/// assert!(session.pending().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Pending {
    /// The model asked for it and it was never dispatched: dispatch it.
    NeverRan(ToolCall),
    /// It was dispatched and has no message: settle it again if running it twice is harmless,
    /// else record that its outcome is unknown.
    Unanswered(Operation),
    /// It has its message and no settle record: complete it.
    Unsettled(Operation),
}

impl Transcript {
    /// Reads the transcript at `path`, changing nothing. A last line without a newline is left
    /// out: whoever wrote it was stopped before the line was complete.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`](crate::ErrorKind::Damaged) naming the line for damage anywhere
    /// else, [`ErrorKind::Version`](crate::ErrorKind::Version) for a line of another version,
    /// [`ErrorKind::Transcript`](crate::ErrorKind::Transcript) if there is no regular file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        LogFile::open_to_read(path.as_ref())?.load()
    }

    /// The conversation, oldest first.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Every operation, in the order of its first record.
    pub fn operations(&self) -> impl Iterator<Item = &OperationState> {
        self.order
            .iter()
            .filter_map(|op_id| self.operations.get(op_id))
    }

    /// Where the operation `op_id` stands, if a record names it.
    #[must_use]
    pub fn operation(&self, op_id: &OpId) -> Option<&OperationState> {
        self.operations.get(op_id)
    }

    /// The message that answers the operation `op_id`.
    #[must_use]
    pub fn answer(&self, op_id: &OpId) -> Option<&Message> {
        let index = self.operations.get(op_id)?.message?;
        self.messages.get(index)
    }

    /// What is left to do, in the order of the records.
    #[must_use]
    pub fn pending(&self) -> Vec<Pending> {
        let open = self.operations().filter_map(|state| {
            let operation = state.operation.clone();
            match (state.message, &state.settled) {
                (_, Some(_)) => None,
                (Some(_), None) => Some(Pending::Unsettled(operation)),
                (None, None) => Some(Pending::Unanswered(operation)),
            }
        });
        let never_ran = self.calls.iter().cloned().map(Pending::NeverRan);
        open.chain(never_ran).collect()
    }

    /// Complete lines, those of unknown types included.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Bytes of the complete lines.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Lines of types that this release does not know; they stay in the file as they are.
    #[must_use]
    pub fn unknown_lines(&self) -> u64 {
        self.unknown
    }

    /// Bytes after the last newline: the line of a writer that was stopped.
    #[must_use]
    pub fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }
}

impl OperationState {
    /// The operation.
    #[must_use]
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// When it was dispatched.
    #[must_use]
    pub fn dispatched(&self) -> Timestamp {
        self.dispatched
    }

    /// Its settle record, if it has one.
    #[must_use]
    pub fn settled(&self) -> Option<&ToolSettled> {
        self.settled.as_deref()
    }

    /// Whether the conversation has its message.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.message.is_some()
    }
}
