//! The call log: sizes of every tool call, and no content. The report is made from it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use artifacts_core::{TokenEstimator as _, TokenSample, TokenWeights};
use artifacts_fs::DurableArtifact;
use loop_integration::Clock;
use serde_json::{Value, json};

/// Appends one line for each call to a file beside the artifact directory, which is made with the
/// first call. A log that can't be written is left out: no call fails for it.
#[derive(Clone)]
pub struct CallLog {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    file: Arc<Mutex<Option<File>>>,
}

/// The size of a text as the report counts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextSize {
    /// UTF-8 bytes.
    pub bytes: u64,
    /// Tokens as `artifacts_core::TokenWeights` estimates them.
    pub tokens: u64,
}

impl TextSize {
    /// Counts `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self {
            bytes: text.len() as u64,
            tokens: TokenWeights::default().tokens(text),
        }
    }

    /// Counts `text` beside `work`, which takes it.
    pub(crate) fn beside<T>(text: String, work: impl FnOnce(String) -> T) -> (Self, T) {
        if text.len() < BESIDE_BYTES {
            return (Self::of(&text), work(text));
        }
        let bytes = text.len() as u64;
        let sample = TokenSample::of(&text);
        let count = || TokenWeights::default().tokens_of(&sample);
        thread::scope(|scope| {
            let counting = thread::Builder::new().spawn_scoped(scope, count);
            let done = work(text);
            let tokens = counting.ok().and_then(|thread| thread.join().ok());
            // Where no thread can be had, there is still this one.
            let tokens = tokens.unwrap_or_else(count);
            (Self { bytes, tokens }, done)
        })
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }
}

/// From this size on, a second thread costs less than it saves.
const BESIDE_BYTES: usize = 64 << 10;

impl CallLog {
    /// The log of the artifacts in `dir`: see [`log_path`].
    #[must_use]
    pub fn beside(dir: &Path, clock: Arc<dyn Clock>) -> Self {
        Self {
            path: log_path(dir),
            clock,
            file: Arc::default(),
        }
    }

    /// Notes a call: what the tool returned, what the model was shown, the artifact if there is
    /// one.
    pub fn call(
        &self,
        tool: &str,
        returned: TextSize,
        shown: TextSize,
        artifact: Option<&DurableArtifact>,
    ) {
        let mut line = json!({
            "v": 1,
            "type": "tool-call",
            "ts": self.clock.now().to_string(),
            "tool": tool,
            "bytes-in": returned.bytes,
            "tokens-in": returned.tokens,
            "bytes-out": shown.bytes,
            "tokens-out": shown.tokens,
            // What a policy passes whole was over its limit if it was stored.
            "over": returned != shown || artifact.is_some(),
        });
        if let (Some(artifact), Some(members)) = (artifact, line.as_object_mut()) {
            let measured = artifact.measured();
            members.insert("artifact".into(), artifact.name().as_str().into());
            members.insert("artifact-bytes".into(), measured.measure().bytes().into());
            members.insert("sha256".into(), measured.digest().to_string().into());
        }
        self.append(&line);
    }

    /// Notes that an artifact was read.
    pub fn read(&self, tool: &str, artifact: Option<&str>, shown: TextSize) {
        self.append(&json!({
            "v": 1,
            "type": "artifact-read",
            "ts": self.clock.now().to_string(),
            "tool": tool,
            "bytes-out": shown.bytes,
            "tokens-out": shown.tokens,
            "artifact": artifact,
        }));
    }

    fn append(&self, line: &Value) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.is_none() {
            *file = open(&self.path).ok();
        }
        if let Some(file) = file.as_mut() {
            // The line of a writer that was killed, or had no room, stands alone.
            let begin = if is_torn(file) { "\n" } else { "" };
            // One write each, so that lines of several processes don't mix.
            let _ = file.write_all(format!("{begin}{line}\n").as_bytes());
        }
    }
}

impl std::fmt::Debug for CallLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallLog").finish_non_exhaustive()
    }
}

/// Where the call log of an artifact directory is: `run.calls` beside `run.artifacts`, and
/// `NAME.calls` beside any other directory.
///
/// ```
/// use std::path::Path;
///
/// use artifacts_mcp::log_path;
///
/// assert_eq!(log_path(Path::new("a/run.artifacts")), Path::new("a/run.calls"));
/// assert_eq!(log_path(Path::new("a/kept")), Path::new("a/kept.calls"));
/// ```
#[must_use]
pub fn log_path(dir: &Path) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_os_string();
    if dir
        .extension()
        .is_some_and(|extension| extension == "artifacts")
    {
        name = dir.file_stem().unwrap_or_default().to_os_string();
    }
    name.push(".calls");
    dir.with_file_name(name)
}

/// Whether there is something after the last line end.
fn is_torn(file: &mut File) -> bool {
    let mut last = [b'\n'];
    // What can't be read, an empty file above all, ends in nothing.
    let read = file
        .seek(SeekFrom::End(-1))
        .and_then(|_| file.read_exact(&mut last));
    read.is_ok() && last != *b"\n"
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}
