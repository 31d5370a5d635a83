//! Long-running tools: a handle now, the result when it is there.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use artifacts_core::OpId;

use crate::clean::Clean;
use crate::tool_result::Answer;
use crate::{Error, ErrorKind, Operation, Settled, Settler, ToolResult};

/// Calls whose results come later. A late result passes the seam once, when it is there: what is
/// over the limit goes to an artifact first, and every poll shows the same observation.
///
/// The handle is the operation's id, so nothing here depends on the time or on chance. Handles
/// are known for as long as this value lives; after a restart a poll says that there is no such
/// call, and the transcript shows that it was begun.
///
/// ```
/// use artifacts_core::Shape;
/// use loop_integration::{Background, Operation, Settler, ToolResult};
///
/// let calls = Background::new(Settler::new(Shape::excerpt()));
/// let build = Operation::new("op-1").of_tool("build");
/// let told = calls.begin(&build)?;
/// assert_eq!(told.bytes(), b"[running as 'op-1': poll it with that handle to have its result]");
/// assert_eq!(calls.poll("op-1").bytes(), b"['op-1' is still running: poll it again later]");
///
/// let _ = calls.finish(build.op_id(), ToolResult::success("built"))?;
/// assert_eq!(calls.poll("op-1").bytes(), b"built");
/// # Ok::<(), loop_integration::Error>(())
/// ```
pub struct Background {
    settler: Settler,
    calls: Mutex<BTreeMap<OpId, Call>>,
}

enum Call {
    Running(Operation),
    /// Its result is there and passes the seam.
    Settling,
    Finished(Arc<Settled>),
}

impl Background {
    /// Calls whose late results `settler` settles.
    #[must_use]
    pub fn new(settler: Settler) -> Self {
        Self {
            settler,
            calls: Mutex::default(),
        }
    }

    /// Begins a call. The result is what the operation is settled with now: it tells the handle.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyDispatched`] for an operation that was begun before.
    pub fn begin(&self, operation: &Operation) -> Result<ToolResult, Error> {
        let op_id = operation.op_id();
        let mut calls = self.calls();
        if calls.contains_key(op_id) {
            return Err(Error::new(
                ErrorKind::AlreadyDispatched,
                format!(
                    "operation {:?} was begun before: give each operation its own id",
                    op_id.as_str()
                ),
            ));
        }
        calls.insert(op_id.clone(), Call::Running(operation.clone()));
        Ok(ToolResult::success(format!(
            "[running as '{op_id}': poll it with that handle to have its result]"
        )))
    }

    /// Settles the result of a call that was begun. Blocks while the store writes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownOperation`] if it was not begun, [`ErrorKind::AlreadySettled`] if it
    /// is finished.
    pub fn finish(&self, op_id: &OpId, result: ToolResult) -> Result<Arc<Settled>, Error> {
        let operation = self.begin_settling(op_id)?;
        let settled = Arc::new(self.settler.settle(&operation, result));
        let finished = Call::Finished(Arc::clone(&settled));
        self.calls().insert(op_id.clone(), finished);
        Ok(settled)
    }

    /// The result of the operation that polls: the late result's observation, or where it stands.
    /// An observation that is polled passes the seam whole, so no second artifact is made of it,
    /// and the settle record of the poll names the artifact that its marker names.
    pub fn poll(&self, handle: &str) -> ToolResult {
        let shown = Clean::new(handle);
        match self.calls().get(&OpId::new(handle)) {
            Some(Call::Finished(settled)) => {
                ToolResult::ended(settled.ending(), settled.observation())
                    .with_parts(settled.parts().iter().cloned())
                    .answering_with(Answer {
                        artifact: settled.artifact().cloned(),
                        measured: settled.measured().copied(),
                        elided: settled.elided(),
                        is_observation: true,
                    })
            }
            Some(Call::Running(_) | Call::Settling) => {
                ToolResult::success(format!("['{shown}' is still running: poll it again later]"))
            }
            None => ToolResult::error(format!("[no call was begun as '{shown}']")),
        }
    }

    /// Makes sure that one caller, and no other, settles the result.
    fn begin_settling(&self, op_id: &OpId) -> Result<Operation, Error> {
        let mut calls = self.calls();
        let Some(call) = calls.get_mut(op_id) else {
            return Err(Error::new(
                ErrorKind::UnknownOperation,
                format!(
                    "operation {:?} was not begun: begin it first",
                    op_id.as_str()
                ),
            ));
        };
        let Call::Running(operation) = call else {
            return Err(Error::new(
                ErrorKind::AlreadySettled,
                format!(
                    "operation {:?} is finished: finish each once",
                    op_id.as_str()
                ),
            ));
        };
        let operation = operation.clone();
        *call = Call::Settling;
        Ok(operation)
    }

    fn calls(&self) -> MutexGuard<'_, BTreeMap<OpId, Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Background")
            .field("calls", &self.calls().len())
            .finish_non_exhaustive()
    }
}
