//! Reading lines: split on `\n` only, numbered, with a torn last line told apart.

use std::io::{BufRead, BufReader, Read};

use crate::transcript::Transcript;
use crate::transcript::apply::Fault;
use crate::{Error, ErrorKind, MessageDigest};

impl Transcript {
    /// Takes every complete line of `reader`, which begins after the lines taken before, also
    /// where that failed midway. The digests of the first messages must be `seed`. What is torn
    /// after the last line is counted.
    pub(crate) fn take_lines(
        &mut self,
        reader: impl Read,
        label: &str,
        seed: &[MessageDigest],
    ) -> Result<(), Error> {
        let mut reader = BufReader::with_capacity(READ_BYTES, reader);
        let mut line = Vec::new();
        self.torn_bytes = 0;
        loop {
            line.clear();
            let length = reader
                .read_until(b'\n', &mut line)
                .map_err(|error| Error::io("read", label, error))?;
            if length == 0 {
                return Ok(());
            }
            let Some((b'\n', complete)) = line.split_last() else {
                self.torn_bytes = length as u64;
                return Ok(());
            };
            self.take_line(complete)
                .map_err(|fault| self.at_line(fault, label))?;
            self.bytes += length as u64;
            self.check_seed(seed, label)?;
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
