//! The settle path from an async loop: one blocking call, which a cancellation can't split.

use std::sync::Arc;

use tokio::task::{JoinError, spawn_blocking};

use crate::{Error, ErrorKind, Operation, Session, Settled, ToolResult};

impl Session {
    /// [`settle`](Self::settle) on a thread of tokio's blocking pool.
    ///
    /// Dropping the future does not stop a settle that began: it finishes, and its records are in
    /// the transcript. One that did not begin leaves nothing.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use artifacts_core::Shape;
    /// use loop_integration::{Operation, Session, Settler, SystemClock, ToolResult};
    ///
    /// # let tmp = tempfile::tempdir()?;
    /// # let path = tmp.path().join("run.jsonl");
    /// let session = Session::open(&path, Settler::new(Shape::excerpt()), Arc::new(SystemClock))?;
    /// let session = Arc::new(session);
    /// let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    /// let settled = runtime.block_on(async {
    ///     session.settle_async(Operation::new("op-1"), ToolResult::success("ok")).await
    /// })?;
    /// assert_eq!(settled.observation(), "ok");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`settle`](Self::settle); [`ErrorKind::Cancelled`] if the runtime shut down before it
    /// began.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime, and if a transform or a redactor panics.
    pub async fn settle_async(
        self: &Arc<Self>,
        operation: Operation,
        result: ToolResult,
    ) -> Result<Settled, Error> {
        let session = Arc::clone(self);
        let settling = spawn_blocking(move || session.settle(&operation, result));
        settling.await.unwrap_or_else(|error| Err(stopped(error)))
    }

    /// [`settle_batch`](Self::settle_batch) on a thread of tokio's blocking pool.
    ///
    /// # Errors
    ///
    /// As [`settle_async`](Self::settle_async).
    ///
    /// # Panics
    ///
    /// As [`settle_async`](Self::settle_async).
    pub async fn settle_batch_async(
        self: &Arc<Self>,
        results: Vec<(Operation, ToolResult)>,
    ) -> Result<Vec<Settled>, Error> {
        let session = Arc::clone(self);
        let settling = spawn_blocking(move || session.settle_batch(results));
        settling.await.unwrap_or_else(|error| Err(stopped(error)))
    }
}

fn stopped(error: JoinError) -> Error {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Error::new(
            ErrorKind::Cancelled,
            "the runtime shut down before the result was settled: settle it on resume",
        ),
    }
}
