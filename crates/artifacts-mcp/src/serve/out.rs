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
    /// Whether the last line has no end: the server's last one may have none.
    is_torn: bool,
}

impl Out {
    pub(super) fn to(writer: impl Write + Send + 'static, happened: Sender<Happened>) -> Self {
        Self(Mutex::new(Open {
            writer: Box::new(writer),
            happened: Some(happened),
            is_torn: false,
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
        // A result that is stored meanwhile comes after the server's last line, and stands alone.
        if self.is_torn {
            self.writer.write_all(b"\n")?;
        }
        self.writer.write_all(line)?;
        self.is_torn = !line.ends_with(b"\n");
        self.writer.flush()
    }
}

impl fmt::Debug for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Out").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    use super::*;

    struct Taken(Arc<Mutex<Vec<u8>>>);

    impl Write for Taken {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_follows_a_line_without_an_end_stands_alone() {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let out = Out::to(Taken(Arc::clone(&taken)), channel().0);
        for line in ["{}\n", "{\"id", "{\"id\":1}\r\n", "{\"id\":2}"] {
            out.send(line.as_bytes());
        }
        let taken = String::from_utf8(taken.lock().unwrap().clone()).unwrap();
        assert_eq!(taken, "{}\n{\"id\n{\"id\":1}\r\n{\"id\":2}");
    }
}
