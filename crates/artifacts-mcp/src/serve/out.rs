//! The client's side of the output.

use std::fmt;
use std::io::{self, Write};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use super::Happened;

/// Takes whole lines from any thread, and tells once that nobody reads them.
pub(super) struct Out(Mutex<Open>);

struct Open {
    writer: Box<dyn Write + Send>,
    happened: Option<Sender<Happened>>,
}

impl Out {
    pub(super) fn to(writer: impl Write + Send + 'static, happened: Sender<Happened>) -> Self {
        Self(Mutex::new(Open {
            writer: Box::new(writer),
            happened: Some(happened),
        }))
    }

    /// Blocks while the client takes nothing.
    pub(super) fn send(&self, line: &[u8]) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if open.write(line).is_err()
            && let Some(happened) = open.happened.take()
        {
            let _ = happened.send(Happened::ClientGone);
        }
    }
}

impl Open {
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        if self.happened.is_none() {
            return Ok(());
        }
        self.writer.write_all(line)?;
        self.writer.flush()
    }
}

impl fmt::Debug for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Out").finish_non_exhaustive()
    }
}
