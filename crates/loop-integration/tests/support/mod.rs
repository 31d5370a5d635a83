//! What the tests share: a clock that ticks, a session in a folder of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use artifacts_core::{Limit, Shape};
use artifacts_fs::ArtifactDir;
use loop_integration::{Clock, Operation, Session, Settler, Timestamp};

/// A clock that begins at a fixed time and moves by a microsecond with each look at it.
pub(crate) fn ticking() -> Arc<dyn Clock> {
    let ticks = AtomicU64::new(1_786_365_296_000_000);
    Arc::new(move || Timestamp::from_unix_micros(ticks.fetch_add(1, Ordering::Relaxed)))
}

pub(crate) fn shape(graphemes: u64) -> Shape {
    Shape::new(Limit::graphemes(graphemes).unwrap())
}

/// A folder with a transcript's path in it.
pub(crate) struct Run {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) transcript: PathBuf,
}

impl Run {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let transcript = folder.path().join("run.jsonl");
        Self { folder, transcript }
    }

    /// A run whose files are in memory where the machine has a place for that, for tests that
    /// write much or often and cut no power.
    pub(crate) fn in_memory() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let folder = folder.unwrap();
        let transcript = folder.path().join("run.jsonl");
        Self { folder, transcript }
    }

    /// A session with a limit of 100 graphemes and the store beside its transcript.
    pub(crate) fn session(&self) -> Session {
        self.session_with(shape(100))
    }

    pub(crate) fn session_with(&self, shape: Shape) -> Session {
        Self::open(&self.transcript, shape)
    }

    /// As [`session`](Self::session), for a transcript that another process made.
    pub(crate) fn session_at(transcript: &Path) -> Session {
        Self::open(transcript, shape(100))
    }

    pub(crate) fn session_at_with(transcript: &Path, shape: Shape) -> Session {
        Self::open(transcript, shape)
    }

    fn open(transcript: &Path, shape: Shape) -> Session {
        let store = Arc::new(ArtifactDir::beside(transcript));
        let settler = Settler::new(shape).with_store(store);
        Session::open(transcript, settler, ticking()).unwrap()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let text = read(&self.transcript);
        text.split_terminator('\n').map(str::to_owned).collect()
    }
}

pub(crate) fn read(path: &Path) -> String {
    String::from_utf8(std::fs::read(path).unwrap()).unwrap()
}

pub(crate) fn operation(number: usize) -> Operation {
    Operation::new(format!("op-{number}"))
        .of_tool("bash")
        .answering(format!("call_{number}"))
}

/// A result far over 100 graphemes, with a token in its middle.
pub(crate) fn huge() -> String {
    format!(
        "{}MIDDLE-TOKEN\n{}",
        "0123456789\n".repeat(500),
        "abcdefghij\n".repeat(500)
    )
}
