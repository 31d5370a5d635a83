//! Settling on the simulated file system: what a run does, step by step.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use artifacts_core::{ArtifactName, ContentDigest, ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _, Durability, Fs as _, StoreItem};

use crate::mutants::{Protocol, Wrong};
use crate::sim::{Ack, SimFs, State};

/// What a run does, and the bytes it may leave under an artifact's name.
#[derive(Debug, Clone)]
pub struct Workload {
    name: String,
    before: State,
    steps: Vec<Step>,
}

/// One thing a run does.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Step {
    /// Stores whole, and appends the line that names it.
    Settle(&'static str, Vec<u8>),
    /// Stores piece by piece, and appends the line.
    Stream(&'static str, Vec<u8>),
    /// Stores several at once, and appends their lines.
    Batch(Vec<(&'static str, Vec<u8>)>),
    /// Removes an artifact.
    Remove(&'static str),
}

impl Workload {
    /// A run on what `before` holds.
    pub fn new(name: impl Into<String>, before: State, steps: Vec<Step>) -> Self {
        Self {
            name: name.into(),
            before,
            steps,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it does.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A file system in the state before the run.
    #[must_use]
    pub fn sim(&self) -> SimFs {
        SimFs::from_state(self.before.clone())
    }

    /// What may stand under an artifact's name: the bodies, and what was there before.
    #[must_use]
    pub fn bodies(&self) -> BTreeSet<Vec<u8>> {
        let mut bodies: BTreeSet<Vec<u8>> = self.before.files().into_values().collect();
        for step in &self.steps {
            match step {
                Step::Settle(_, body) | Step::Stream(_, body) => drop(bodies.insert(body.clone())),
                Step::Batch(items) => bodies.extend(items.iter().map(|(_, body)| body.clone())),
                Step::Remove(_) => {}
            }
        }
        bodies
    }
}

/// A run by one protocol on one file system.
#[derive(Debug)]
pub struct Run {
    sim: SimFs,
    wrong: Wrong,
    pub(crate) store: ArtifactDir<Protocol>,
    transcript: &'static str,
}

impl Run {
    /// A run that goes wrong in this way, or in none.
    #[must_use]
    pub fn new(sim: &SimFs, wrong: Wrong) -> Self {
        Self {
            sim: sim.clone(),
            wrong,
            store: ArtifactDir::on(Protocol::new(sim.clone(), wrong), ARTIFACTS),
            transcript: TRANSCRIPTS[0],
        }
    }

    /// The same with the other transcript, for a second writer.
    #[must_use]
    pub fn with_other_transcript(self) -> Self {
        Self {
            transcript: TRANSCRIPTS[1],
            ..self
        }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &ArtifactDir<Protocol> {
        &self.store
    }

    /// Performs a step; what it acknowledges is noted in the file system.
    pub fn step(&self, step: &Step) -> Result<Vec<ArtifactRef>, String> {
        let told = |error: artifacts_fs::Error| error.to_string();
        match step {
            Step::Settle(op, body) if self.wrong == Wrong::LineFirst => {
                let name = ArtifactName::for_op(&OpId::new(*op), ContentType::Text);
                let digest = ContentDigest::of(body);
                let artifact = ArtifactRef::new(name, digest, body.len() as u64);
                self.append(&artifact, Durability::PowerLoss)?;
                let stored = self.store.store(&OpId::new(*op), ContentType::Text, body);
                Ok(vec![(&stored.map_err(told)?).into()])
            }
            Step::Settle(op, body) if self.wrong == Wrong::InPlace => self
                .write_in_place(op, body)
                .map_err(|error| error.to_string()),
            Step::Settle(op, body) => {
                let stored = self.store.store(&OpId::new(*op), ContentType::Text, body);
                self.record(vec![stored])
            }
            Step::Stream(op, body) => {
                let stored = self.stream(op, body);
                self.record(vec![stored])
            }
            Step::Batch(items) => {
                let ids: Vec<OpId> = items.iter().map(|(op, _)| OpId::new(*op)).collect();
                let items: Vec<StoreItem<'_>> = ids
                    .iter()
                    .zip(items)
                    .map(|(op_id, (_, bytes))| StoreItem {
                        op_id,
                        content: ContentType::Text,
                        bytes: bytes.as_slice().into(),
                    })
                    .collect();
                self.record(self.store.store_batch(&items))
            }
            Step::Remove(name) => {
                self.sim.acknowledge(Ack::Removed((*name).to_string()));
                let dir = self.sim.open_parent(Path::new(ARTIFACTS));
                let removed = dir.and_then(|dir| {
                    self.sim.remove(&dir, OsStr::new(name))?;
                    self.sim.sync_dir(&dir)
                });
                removed
                    .map(|_| Vec::new())
                    .map_err(|error| error.to_string())
            }
        }
    }

    fn stream(
        &self,
        op: &str,
        body: &[u8],
    ) -> Result<artifacts_fs::DurableArtifact, artifacts_fs::Error> {
        let mut writer = self.store.writer(&OpId::new(op), ContentType::Text)?;
        for piece in body.chunks(5) {
            writer.write(piece)?;
        }
        writer.commit()
    }

    /// Notes the receipts, then appends a line for each.
    fn record(
        &self,
        stored: Vec<Result<artifacts_fs::DurableArtifact, artifacts_fs::Error>>,
    ) -> Result<Vec<ArtifactRef>, String> {
        let mut named = Vec::new();
        for stored in stored {
            let stored = stored.map_err(|error| error.to_string())?;
            let artifact = ArtifactRef::from(&stored);
            if stored.durability() == Durability::PowerLoss {
                self.sim.acknowledge(Ack::Artifact(artifact.clone()));
            }
            self.append(&artifact, stored.durability())?;
            named.push(artifact);
        }
        Ok(named)
    }

    fn append(&self, artifact: &ArtifactRef, durability: Durability) -> Result<(), String> {
        let line = line_of(artifact, durability);
        // How a transcript meets faults is not the store's.
        let appended = self.sim.without_faults(|| self.append_line(&line));
        appended.map_err(|error| error.to_string())?;
        self.sim.acknowledge(Ack::Line(line));
        Ok(())
    }

    fn append_line(&self, line: &str) -> io::Result<()> {
        let root = self.sim.open_parent(Path::new("/"))?;
        let (file, is_new) = self
            .sim
            .open_transcript(root, OsStr::new(self.transcript))?;
        let line = format!("{line}\n");
        let mut rest = line.as_bytes();
        while !rest.is_empty() {
            let written = self.sim.write(&file, rest)?;
            rest = rest.get(written..).unwrap_or_default();
        }
        if self.wrong != Wrong::NoLineSync {
            self.sim.sync(&file)?;
        }
        if is_new && self.wrong != Wrong::NoTranscriptParentSync {
            self.sim.sync_dir(&root)?;
        }
        Ok(())
    }

    /// What a store does that knows no staging: the final name first, then the bytes.
    fn write_in_place(&self, op: &str, body: &[u8]) -> io::Result<Vec<ArtifactRef>> {
        let root = self.sim.open_parent(Path::new("/"))?;
        let name = OsStr::new("run.artifacts");
        if self.sim.open_dir(&root, name).is_err() {
            self.sim.create_dir(&root, name)?;
            self.sim.sync_dir(&root)?;
        }
        let dir = self.sim.open_dir(&root, name)?;
        let name = ArtifactName::for_op(&OpId::new(op), ContentType::Text);
        let file = self.sim.create(&dir, OsStr::new(name.as_str()))?;
        let mut rest = body;
        while !rest.is_empty() {
            let written = self.sim.write(&file, rest)?;
            rest = rest.get(written..).unwrap_or_default();
        }
        self.sim.sync(&file)?;
        self.sim.sync_dir(&dir)?;
        Ok(Vec::new())
    }
}

/// The last word says what the artifact survives: only a line with `power` promises it here.
fn line_of(artifact: &ArtifactRef, durability: Durability) -> String {
    let (name, digest, bytes) = (artifact.name(), artifact.digest(), artifact.bytes());
    let survives = match durability {
        Durability::PowerLoss => "power",
        _ => "process",
    };
    format!("{name} {digest} {bytes} {survives}")
}

/// The directory of the run's artifacts.
pub const ARTIFACTS: &str = "/run.artifacts";

pub(crate) const TRANSCRIPTS: [&str; 2] = ["run.jsonl", "other.jsonl"];
