//! Results that arrive piece by piece in a session.

use std::slice;

use artifacts_core::{ContentType, OpId};

use crate::session::Claim;
use crate::{Ending, Error, Kept, Operation, ResultStream, Session, Settled};

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
    /// The claims under which it is stored, or why it may not be settled.
    claimed: Result<Vec<artifacts_fs::Claim>, Error>,
}

impl Session {
    /// Settles a result that arrives piece by piece: see [`Settler::stream`](crate::Settler::stream).
    ///
    /// # Errors
    ///
    /// As [`settle`](Self::settle), before anything is written.
    pub fn stream(&self, operation: &Operation) -> Result<SessionStream<'_>, Error> {
        let claim = self.claim(operation)?;
        Ok(SessionStream {
            stream: self.settler.stream(claim.operation().clone()),
            claim,
            claimed: Ok(Vec::new()),
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

    /// Names what went wrong: see [`ResultStream::with_error`].
    pub fn with_error(self, name: &str) -> Self {
        Self {
            stream: self.stream.with_error(name),
            ..self
        }
    }

    /// Takes the next bytes, split anywhere.
    pub fn write(&mut self, bytes: &[u8]) {
        let Self {
            claim,
            stream,
            claimed,
        } = self;
        stream.write_claimed(bytes, || {
            *claimed = claim.to_store();
            claimed.is_ok()
        });
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
        let claimed = self.claimed?;
        let session = self.claim.session();
        let claim = |op_ids: &[&OpId]| session.claim_to_store(op_ids);
        let (settled, _claimed_now) = self.stream.finish_claimed(ending, claim)?;
        if *settled.kept() == Kept::Whole {
            // Of an outcome that is unknown nothing is stored, whatever came before.
            drop(claimed);
        }
        session.record(slice::from_ref(&settled))?;
        Ok(settled)
    }
}
