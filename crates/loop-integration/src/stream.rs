//! Results that arrive piece by piece, settled as they go in bounded memory.

use artifacts_core::{Capture, ContentType, Excerpter, OpId, Shape};
use artifacts_fs::ArtifactWriter;

use crate::policy::Treatment;
use crate::prepared::Prepared;
use crate::settle::{StoreOutcome, keep, marker, unclaimed};
use crate::settled::Facts;
use crate::{Ending, Operation, Settled, Settler, ToolResult, spans};

impl Settler {
    /// Settles a result that arrives piece by piece (SPEC 1.8). What settles is what
    /// [`settle`](Self::settle) gives for the whole.
    ///
    /// Nothing is written until the result is certainly over its limit. From there on memory is
    /// bounded by the limit, except under a policy that passes results whole, a transform or a
    /// redactor: those need the whole result.
    ///
    /// ```
    /// use artifacts_core::{Limit, Shape};
    /// use loop_integration::{Ending, Operation, Settler};
    ///
    /// let settler = Settler::new(Shape::new(Limit::graphemes(100)?));
    /// let mut stream = settler.stream(Operation::new("op-1"));
    /// for _ in 0..1_000 {
    ///     stream.write(b"0123456789\n");
    /// }
    /// let settled = stream.finish(Ending::Success);
    /// assert_eq!(settled.elided(), 10_900);
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    pub fn stream(&self, operation: Operation) -> ResultStream {
        ResultStream {
            settler: self.clone(),
            operation,
            content: ContentType::Text,
            capture: Capture::Complete,
            cap_bytes: u64::MAX,
            error: None,
            taken: Taken::Buffer(Vec::new()),
        }
    }
}

/// A result that is arriving. Dropping it settles nothing and stores nothing; if the store was
/// asked to make it visible already, an orphan may stay.
#[derive(Debug)]
#[must_use = "a stream settles when it is finished"]
pub struct ResultStream {
    settler: Settler,
    operation: Operation,
    content: ContentType,
    capture: Capture,
    cap_bytes: u64,
    error: Option<String>,
    taken: Taken,
}

#[derive(Debug)]
enum Taken {
    /// Not certainly over the limit so far, or needed whole.
    Buffer(Vec<u8>),
    /// Over the limit: hashed, counted, cut and stored as it comes.
    Spilled(Box<Spill>),
}

#[derive(Debug)]
struct Spill {
    shape: Shape,
    excerpter: Excerpter,
    store: Option<Result<Box<dyn ArtifactWriter>, artifacts_fs::Error>>,
    written: u64,
}

impl ResultStream {
    /// Says what the bytes are. Call it before the first write.
    pub fn with_content_type(self, content: ContentType) -> Self {
        Self { content, ..self }
    }

    /// Stores at most the first `bytes` bytes. The excerpt is still that of the whole, and marker
    /// and record say which part is in the file (SPEC 3.5).
    pub fn with_cap(self, bytes: u64) -> Self {
        Self {
            cap_bytes: bytes,
            ..self
        }
    }

    /// Names what went wrong, for the settle record: see [`ToolResult::with_error`]. It may be called
    /// when everything has arrived: how a tool ended is known then.
    pub fn with_error(self, name: &str) -> Self {
        Self {
            error: Some(name.to_owned()),
            ..self
        }
    }

    /// The operation.
    #[must_use]
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// Takes the next bytes, split anywhere. A store that fails does not fail the call.
    pub fn write(&mut self, bytes: &[u8]) {
        self.write_claimed(bytes, || true);
    }

    /// As [`write`](Self::write), asking `claim` before the store is; nothing is stored if it says
    /// no.
    pub(crate) fn write_claimed(&mut self, bytes: &[u8], claim: impl FnOnce() -> bool) {
        match &mut self.taken {
            Taken::Buffer(buffer) => {
                buffer.extend_from_slice(bytes);
                if let Some(shape) = self.spills() {
                    self.spill(shape, claim);
                }
            }
            Taken::Spilled(spill) => spill.write(bytes, self.cap_bytes),
        }
    }

    /// Says that the output is lost from here on, so that what was captured is labelled as a
    /// part of it.
    pub fn interrupted(&mut self) {
        self.capture = Capture::Interrupted;
    }

    /// Settles what arrived.
    #[must_use = "the observation is what the model must be shown"]
    pub fn finish(self, ending: Ending) -> Settled {
        let (settled, _) = unclaimed(self.finish_claimed(ending, |_| Ok(())));
        settled
    }

    /// As [`finish`](Self::finish), asking `claim` if what arrived is only now stored.
    pub(crate) fn finish_claimed<C, E>(
        self,
        ending: Ending,
        claim: impl FnOnce(&[&OpId]) -> Result<C, E>,
    ) -> Result<(Settled, Option<C>), E> {
        let capture = match ending {
            Ending::TimedOut => Capture::Interrupted,
            _ => self.capture,
        };
        let ended = |body: Vec<u8>| {
            let result = ToolResult::ended(ending, body);
            match &self.error {
                Some(name) => result.with_error(name),
                None => result,
            }
        };
        match self.taken {
            // What arrived goes, and what was stored of it: the message is a fixed one.
            _ if ending == Ending::Unknown => {
                let result = ended(Vec::new());
                self.settler.settle_claimed(&self.operation, result, claim)
            }
            Taken::Buffer(bytes) => {
                let result = ended(bytes)
                    .with_content_type(self.content)
                    .with_capture(capture)
                    .with_cap(self.cap_bytes);
                self.settler.settle_claimed(&self.operation, result, claim)
            }
            Taken::Spilled(spill) => {
                let result = ended(Vec::new())
                    .with_content_type(self.content)
                    .with_capture(capture);
                Ok((spill.finish(&self.settler, &self.operation, result), None))
            }
        }
    }

    /// The shape that cuts what is buffered, if that is certainly over its limit and certainly
    /// shown shorter: no observation is longer than the byte ceiling and its fixed parts.
    fn spills(&self) -> Option<Shape> {
        let Treatment::Limited(shape) = self.settler.policy(&self.operation).treatment() else {
            return None;
        };
        let Taken::Buffer(buffer) = &self.taken else {
            return None;
        };
        let longest = shape.limit().byte_ceiling().saturating_add(FIXED_BYTES);
        let is_over = buffer.len() as u64 > longest;
        (is_over && !self.settler.reads_whole(&self.operation)).then_some(shape)
    }

    fn spill(&mut self, shape: Shape, claim: impl FnOnce() -> bool) {
        let store = self.settler.store().filter(|_| claim());
        let store = store.map(|store| store.writer(self.operation.op_id(), self.content));
        let mut spill = Box::new(Spill {
            shape,
            excerpter: Excerpter::new(shape),
            store,
            written: 0,
        });
        let spilled = Taken::Buffer(Vec::new());
        if let Taken::Buffer(buffer) = std::mem::replace(&mut self.taken, spilled) {
            spill.write(&buffer, self.cap_bytes);
        }
        self.taken = Taken::Spilled(spill);
    }
}

impl Spill {
    fn write(&mut self, bytes: &[u8], cap_bytes: u64) {
        self.excerpter.update(bytes);
        let room = cap_bytes.saturating_sub(self.written);
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let (kept, _) = bytes.split_at(room.min(bytes.len()));
        self.written += kept.len() as u64;
        let Some(Ok(writer)) = &mut self.store else {
            return;
        };
        if let Err(error) = writer.write(kept) {
            // Dropping the writer removes what it wrote.
            self.store = Some(Err(error));
        }
    }

    fn finish(self, settler: &Settler, operation: &Operation, result: ToolResult) -> Settled {
        let excerpted = self.excerpter.finish();
        let measured = *excerpted.measured();
        let bytes = measured.measure().bytes();
        let span = spans::settle(operation, usize::try_from(bytes).unwrap_or(usize::MAX));
        let _entered = span.enter();
        let stored: StoreOutcome = self.store.map(|writer| {
            let _span = spans::store(self.written.try_into().unwrap_or(usize::MAX)).entered();
            writer.and_then(|writer| writer.commit())
        });
        let (kept, store_error) = keep(stored);
        let prepared = Prepared {
            operation,
            result,
            treatment: Treatment::Limited(self.shape),
            redacted: 0,
            turn_limit: None,
            cap_bytes: self.written,
        };
        let facts = Facts {
            measured: Some(measured),
            replaced: measured.replaced(),
            store_error,
            ..Facts::default()
        };
        let settled = match excerpted.cut() {
            None => prepared.finish(excerpted.whole().unwrap_or_default(), kept, facts),
            Some(cut) => {
                let _span = spans::excerpt(bytes).entered();
                let elided = cut.elided(&measured);
                let marker = marker(&kept, &measured, elided).with_capture(prepared.result.capture);
                let hint = settler.hint.as_ref();
                let body = self.shape.render_with_hint(&cut, &marker, hint);
                prepared.finish(&body, kept, Facts { elided, ..facts })
            }
        };
        spans::settled(&span, &settled);
        settled
    }
}

/// More bytes than marker, hint and framing of any rendering have together.
const FIXED_BYTES: u64 = 8_192;
