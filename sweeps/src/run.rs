//! One run on disk, and what must hold of it after anything.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use artifacts_core::{ArtifactName, ContentDigest};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _};
use loop_integration::{Format, Transcript};

/// A run in a directory of its own.
#[derive(Debug)]
pub(crate) struct Run {
    dir: PathBuf,
}

impl Run {
    /// A run in `dir`, which is made.
    pub(crate) fn new(dir: impl AsRef<Path>) -> Result<Self, String> {
        let dir = dir.as_ref().to_path_buf();
        std::fs::create_dir_all(&dir).map_err(|error| format!("mkdir: {error}"))?;
        Ok(Self { dir })
    }

    pub(crate) fn transcript(&self) -> PathBuf {
        self.dir.join("run.jsonl")
    }

    pub(crate) fn artifacts(&self) -> PathBuf {
        self.dir.join("run.artifacts")
    }

    pub(crate) fn store(&self) -> ArtifactDir {
        ArtifactDir::beside(self.transcript())
    }

    /// The child that does this with one operation.
    pub(crate) fn child(&self, verb: &str, op: &str, number: &str) -> Vec<String> {
        let transcript = self.transcript().to_string_lossy().into_owned();
        ["child", verb, &transcript, op, number]
            .map(str::to_string)
            .into()
    }

    /// Runs a child to its end; it must succeed.
    pub(crate) fn succeed(&self, verb: &str, op: &str, number: &str) -> Result<String, String> {
        let output = output(&mut this(&self.child(verb, op, number)))?;
        match output.status.success() {
            true => Ok(text(&output)),
            false => Err(format!(
                "{verb} {op}: {}, {}",
                output.status,
                text(&output).trim()
            )),
        }
    }

    /// What must hold of a run however its processes ended (P1, P2, P3, P7, P14; T13): each
    /// envelope's artifact is there with exactly its bytes, no final name has partial bytes, and
    /// the transcript replays the same with and without its artifacts.
    pub(crate) fn check(&self, removed: bool) -> Result<(), String> {
        self.check_finals()?;
        if !self.transcript().is_file() {
            return Ok(());
        }
        let named = self.named()?;
        if !removed {
            let scan = self
                .store()
                .verify(&named)
                .map_err(|error| error.to_string())?;
            if !scan.is_sound() {
                return Err(format!("not sound: {scan:?}"));
            }
        }
        let before = self.replay()?;
        let aside = self.dir.join("aside");
        let moved = std::fs::rename(self.artifacts(), &aside).is_ok();
        let after = self.replay();
        if moved {
            std::fs::rename(&aside, self.artifacts()).map_err(|error| error.to_string())?;
        }
        match before == after? {
            true => Ok(()),
            false => Err("it replays otherwise without its artifacts".into()),
        }
    }

    /// What the settle records name.
    pub(crate) fn named(&self) -> Result<Vec<ArtifactRef>, String> {
        let transcript = Transcript::load(self.transcript()).map_err(|error| error.to_string())?;
        let artifacts = transcript
            .operations()
            .filter_map(|state| state.settled()?.artifact())
            .map(|artifact| {
                ArtifactRef::new(
                    artifact.file().clone(),
                    *artifact.digest(),
                    artifact.bytes(),
                )
            });
        Ok(artifacts.collect())
    }

    /// Whether a settled operation's artifact is recorded and right.
    pub(crate) fn check_settled(&self, op: &str) -> Result<(), String> {
        let transcript = Transcript::load(self.transcript()).map_err(|error| error.to_string())?;
        let op_id = artifacts_core::OpId::new(op);
        let state = transcript
            .operation(&op_id)
            .ok_or("the operation is lost")?;
        let settled = state.settled().ok_or("the settle record is lost")?;
        let Some(artifact) = settled.artifact() else {
            return Ok(());
        };
        let artifact = ArtifactRef::new(
            artifact.file().clone(),
            *artifact.digest(),
            artifact.bytes(),
        );
        let read = self.store().read(&artifact);
        read.map(drop).map_err(|error| error.to_string())
    }

    /// Every final name has a whole body.
    pub(crate) fn check_finals(&self) -> Result<(), String> {
        let Ok(entries) = std::fs::read_dir(self.artifacts()) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if ArtifactName::parse(&name).is_err() {
                continue;
            }
            match std::fs::read(entry.path()) {
                Ok(bytes) if !is_body(&bytes) => {
                    return Err(format!("{name} is torn: {} bytes", bytes.len()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The staging files there are.
    pub(crate) fn leftovers(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.artifacts()) else {
            return Vec::new();
        };
        let names = entries.flatten().map(|entry| entry.file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(".tmp-")).collect()
    }

    fn replay(&self) -> Result<String, String> {
        let transcript = Transcript::load(self.transcript()).map_err(|error| error.to_string())?;
        Ok(transcript.replay(Format::Messages).to_string())
    }
}

/// The body with this number: 12 KB of lines, or one byte more than asked after `@`.
pub(crate) fn body(number: &str) -> String {
    let (number, bytes) = number.split_once('@').unwrap_or((number, "12000"));
    let bytes: usize = bytes.parse().unwrap_or(0);
    let line = format!("line of body {number} with the usual words in it\n");
    let mut body = line.repeat(bytes / line.len() + 1);
    body.push_str(&ContentDigest::of(body.as_bytes()).to_string());
    body
}

/// Whether these are the bytes of some whole body: they end with the digest of what is before.
fn is_body(bytes: &[u8]) -> bool {
    let Some((text, digest)) = bytes.split_last_chunk::<64>() else {
        return false;
    };
    ContentDigest::of(text).to_string().as_bytes() == digest
}

/// This program.
pub(crate) fn this(args: &[String]) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| "sweeps".into());
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    command
}

pub(crate) fn output(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|error| error.to_string())
}

/// Both streams.
pub(crate) fn text(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    text
}
