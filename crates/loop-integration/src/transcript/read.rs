//! Reading lines: split on `\n` only, numbered, with a torn last line told apart.

use std::io::{BufRead, BufReader, Read};

use crate::transcript::Transcript;
use crate::transcript::apply::Fault;
use crate::{Error, ErrorKind, MessageDigest};

/// Bytes of complete lines that were taken, and bytes after them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Taken {
    pub(crate) complete: u64,
    pub(crate) torn: u64,
}

impl Transcript {
    /// Takes every complete line of `reader`. The digests of the first messages must be `seed`.
    pub(crate) fn take_lines(
        &mut self,
        reader: impl Read,
        label: &str,
        seed: &[MessageDigest],
    ) -> Result<Taken, Error> {
        let mut reader = BufReader::with_capacity(READ_BYTES, reader);
        let mut line = Vec::new();
        let mut taken = Taken::default();
        loop {
            line.clear();
            let length = reader
                .read_until(b'\n', &mut line)
                .map_err(|error| Error::io("read", label, error))?;
            if length == 0 {
                return Ok(taken);
            }
            let Some((b'\n', complete)) = line.split_last() else {
                taken.torn = length as u64;
                self.torn_bytes = taken.torn;
                return Ok(taken);
            };
            self.take_line(complete)
                .map_err(|fault| self.at_line(fault, label))?;
            self.check_seed(seed, label)?;
            taken.complete += length as u64;
        }
    }

    /// Refuses a last message that is not the one the caller knows at its place (SPEC 5.8).
    fn check_seed(&self, seed: &[MessageDigest], label: &str) -> Result<(), Error> {
        let Some(index) = self.messages.len().checked_sub(1) else {
            return Ok(());
        };
        match (seed.get(index), self.messages.last()) {
            (Some(known), Some(message)) if *known != message.digest() => Err(Error::new(
                ErrorKind::Seed,
                format!(
                    "message {index} of {label} is not the one of the conversation: \
                     resume with the conversation that this transcript holds"
                ),
            )),
            _ => Ok(()),
        }
    }

    fn at_line(&self, (kind, what): Fault, label: &str) -> Error {
        let number = self.lines + 1;
        let advice = match kind {
            ErrorKind::Version => "read it with the release that wrote it",
            _ => "repair or remove that line",
        };
        Error::new(kind, format!("line {number} of {label}: {what}: {advice}"))
    }
}

/// How much is read at once.
const READ_BYTES: usize = 1 << 16;
