//! Appending: every line under the lock, after what other processes appended was read.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::transcript::Transcript;
use crate::transcript::file::{self, Locked, LogFile};
use crate::{
    Error, ErrorKind, Message, MessageDigest, Operation, Policy, Timestamp, ToolSettled, wire,
};

/// An open transcript with what it says so far.
#[derive(Debug)]
pub(crate) struct TranscriptWriter {
    log: LogFile,
    transcript: Transcript,
    /// A sync failed: what the file holds is not known any more.
    is_doubtful: bool,
}

/// The transcript while it is locked and up to date.
#[derive(Debug)]
pub(crate) struct Appending<'a> {
    file: Locked<'a>,
    transcript: &'a mut Transcript,
    is_doubtful: &'a mut bool,
}

impl TranscriptWriter {
    /// Opens the transcript, makes it if there is none, and sets a torn last line aside. Its
    /// first messages must have the digests `seed`, all of them; nothing is written otherwise.
    pub(crate) fn open(path: &Path, seed: &[MessageDigest]) -> Result<Self, Error> {
        let log = match seed {
            [] => LogFile::open_to_append(path)?,
            _ => LogFile::open_existing(path).map_err(|error| missing(error, path, seed.len()))?,
        };
        let mut transcript = Transcript::default();
        let lock = log.lock()?;
        transcript.take_lines(lock.read_from(0)?, log.label(), seed)?;
        if transcript.messages.len() < seed.len() {
            return Err(Error::new(
                ErrorKind::Seed,
                format!(
                    "{} holds {} messages, the conversation {}: resume with the conversation \
                     that this transcript holds",
                    log.label(),
                    transcript.messages.len(),
                    seed.len()
                ),
            ));
        }
        if transcript.torn_bytes > 0 {
            lock.set_aside(transcript.bytes)?;
        }
        drop(lock);
        Ok(Self {
            log,
            transcript,
            is_doubtful: false,
        })
    }

    pub(crate) fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What tells the file from every other.
    pub(crate) fn identity(&self) -> Result<String, Error> {
        self.log.identity()
    }

    /// Locks the file and takes what other processes appended meanwhile.
    pub(crate) fn lock(&mut self) -> Result<Appending<'_>, Error> {
        let label = self.log.label();
        if self.is_doubtful {
            return Err(Error::new(
                ErrorKind::Transcript,
                format!("{label} could not be synced before: open it again"),
            ));
        }
        let file = self.log.lock()?;
        let size = file.size()?;
        if size < self.transcript.bytes {
            return Err(Error::new(
                ErrorKind::Damaged,
                format!("{label} became shorter while it was open: open it again"),
            ));
        }
        if size > self.transcript.bytes {
            let new = file.read_from(self.transcript.bytes)?;
            self.transcript.take_lines(new, label, &[])?;
            if self.transcript.torn_bytes > 0 {
                file.set_aside(self.transcript.bytes)?;
            }
        }
        Ok(Appending {
            file,
            transcript: &mut self.transcript,
            is_doubtful: &mut self.is_doubtful,
        })
    }
}

impl Appending<'_> {
    pub(crate) fn transcript(&self) -> &Transcript {
        self.transcript
    }

    pub(crate) fn dispatch(
        &mut self,
        operation: &Operation,
        policy: Option<&Policy>,
        ts: Timestamp,
    ) -> Result<(), Error> {
        self.append(&wire::dispatched(operation, policy, ts))?;
        let taken = self.transcript.take_dispatch(operation.clone(), ts);
        self.taken(taken)
    }

    /// Appends a message; `settling` is the record to be of the operation it answers.
    pub(crate) fn message(
        &mut self,
        message: Message,
        settling: Option<&Arc<ToolSettled>>,
        ts: Timestamp,
    ) -> Result<(), Error> {
        let id = match settling {
            Some(settling) => settling.op_id.as_str().to_owned(),
            None => format!("m-{}", self.transcript.messages.len()),
        };
        self.append(&wire::message(&id, &message, settling.map(Arc::as_ref), ts))?;
        let taken = self
            .transcript
            .take_message(&id, message, settling.map(Arc::clone));
        self.taken(taken)
    }

    pub(crate) fn settled(
        &mut self,
        envelope: Arc<ToolSettled>,
        ts: Timestamp,
    ) -> Result<(), Error> {
        self.append(&wire::settled(&envelope, ts))?;
        let taken = self.transcript.take_settled(envelope);
        self.taken(taken)
    }

    /// Makes the appended lines durable.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.file.sync().inspect_err(|_| *self.is_doubtful = true)
    }

    fn append(&mut self, line: &[u8]) -> Result<(), Error> {
        self.file.append(self.transcript.bytes, line)?;
        self.transcript.bytes += line.len() as u64;
        Ok(())
    }

    /// Callers check before they append, so that a line is never one that contradicts.
    fn taken(&mut self, taken: Result<(), (ErrorKind, String)>) -> Result<(), Error> {
        taken.map_err(|(kind, what)| Error::new(kind, what))?;
        self.transcript.lines += 1;
        Ok(())
    }
}

/// Says that a transcript which isn't there is not the one of a conversation.
fn missing(error: Error, path: &Path, messages: usize) -> Error {
    match std::fs::symlink_metadata(path) {
        Err(gone) if gone.kind() == io::ErrorKind::NotFound => Error::new(
            ErrorKind::Seed,
            format!(
                "{} is not there, and the conversation has {messages} messages: resume with the \
                 transcript that holds them",
                file::label(path)
            ),
        )
        .with_source(gone),
        _ => error,
    }
}
