//! Operations that are being settled: the right to settle one, and results that arrive.

use artifacts_core::{ContentType, OpId};

use crate::{Ending, Error, Operation, ResultStream, Session, Settled};

/// The right to settle one operation, given back when dropped.
#[derive(Debug)]
pub(crate) struct Claim<'a> {
    session: &'a Session,
    op_id: OpId,
}

impl<'a> Claim<'a> {
    pub(super) fn new(session: &'a Session, op_id: OpId) -> Self {
        Self { session, op_id }
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.session.give_back(&self.op_id);
    }
}

/// A result that is arriving in a session. Dropping it records nothing: the operation is still
/// unanswered then, and can be settled another way.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Shape;
/// use loop_integration::{Ending, Operation, Session, Settler, SystemClock};
///
/// # let tmp = tempfile::tempdir()?;
/// # let path = tmp.path().join("run.jsonl");
/// let session = Session::open(&path, Settler::new(Shape::excerpt()), Arc::new(SystemClock))?;
/// let mut stream = session.stream(&Operation::new("op-1"))?;
/// stream.write(b"first ");
/// stream.write(b"second");
/// assert_eq!(stream.finish(Ending::Success)?.observation(), "first second");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a stream settles when it is finished"]
pub struct SessionStream<'a> {
    claim: Claim<'a>,
    stream: ResultStream,
}

impl Session {
    /// Settles a result that arrives piece by piece: see [`Settler::stream`](crate::Settler::stream).
    ///
    /// # Errors
    ///
    /// As [`settle`](Self::settle), before anything is written.
    pub fn stream(&self, operation: &Operation) -> Result<SessionStream<'_>, Error> {
        Ok(SessionStream {
            claim: self.claim(operation)?,
            stream: self.settler.stream(operation.clone()),
        })
    }
}

impl SessionStream<'_> {
    /// Says what the bytes are. Call it before the first write.
    pub fn with_content_type(self, content: ContentType) -> Self {
        Self {
            stream: self.stream.with_content_type(content),
            ..self
        }
    }

    /// Stores at most the first `bytes` bytes: see [`ResultStream::with_cap`].
    pub fn with_cap(self, bytes: u64) -> Self {
        Self {
            stream: self.stream.with_cap(bytes),
            ..self
        }
    }

    /// Takes the next bytes, split anywhere.
    pub fn write(&mut self, bytes: &[u8]) {
        self.stream.write(bytes);
    }

    /// Says that the output is lost from here on.
    pub fn interrupted(&mut self) {
        self.stream.interrupted();
    }

    /// Settles what arrived and records it.
    ///
    /// # Errors
    ///
    /// As [`Session::settle`].
    pub fn finish(self, ending: Ending) -> Result<Settled, Error> {
        let settled = self.stream.finish(ending);
        self.claim.session.record([&settled])?;
        Ok(settled)
    }
}
