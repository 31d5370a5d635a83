//! How far a long command has come, for whoever watches a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Counts bytes; says so on standard error if that is a terminal and the work is long.
pub(crate) struct Progress {
    what: &'static str,
    bytes: u64,
    due: Option<Instant>,
    is_shown: bool,
}

impl Progress {
    /// Nothing is shown before the work has taken a moment.
    pub(crate) fn new(what: &'static str) -> Self {
        let due = io::stderr()
            .is_terminal()
            .then(|| Instant::now() + PATIENCE);
        Self {
            what,
            bytes: 0,
            due,
            is_shown: false,
        }
    }

    /// Counts the next bytes.
    pub(crate) fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        let now = match self.due {
            Some(due) => match Instant::now() {
                now if now >= due => now,
                _ => return,
            },
            None => return,
        };
        self.due = Some(now + INTERVAL);
        self.is_shown = true;
        let _ = write!(
            io::stderr(),
            "\r{} {} MB",
            self.what,
            self.bytes / 1_000_000
        );
    }
}

/// Takes the line away, so that what follows stands on its own.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

const PATIENCE: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(200);
