//! What must hold after a crash or a fault.

use std::collections::BTreeSet;
use std::str::FromStr as _;

use artifacts_core::{ArtifactName, ContentDigest, ContentType, OpId};
use artifacts_fs::{ArtifactRef, ArtifactStore as _};

use crate::model::{Run, Step, TRANSCRIPTS};
use crate::mutants::Wrong;
use crate::sim::{Ack, SimFs, State};

/// What is wrong with what a crash left; nothing, if the promises P1 to P3 hold.
#[must_use]
pub fn violations(state: &State, bodies: &BTreeSet<Vec<u8>>) -> Vec<String> {
    let mut found = Vec::new();
    let files = state.files();
    let removed = |name: &str| {
        let removed = |ack: &Ack| matches!(ack, Ack::Removed(gone) if gone == name);
        state.acks().iter().any(removed)
    };
    let mut check = |artifact: &ArtifactRef, by: &str| {
        let name = artifact.name().as_str();
        let there = files.get(&format!("run.artifacts/{name}"));
        let is_right = there.is_some_and(|bytes| ContentDigest::of(bytes) == *artifact.digest());
        if !is_right && !removed(name) {
            let there = there.map_or_else(|| "is gone".to_string(), |bytes| told(bytes));
            found.push(format!("{name}, named by {by}, {there}"));
        }
    };
    let transcripts = TRANSCRIPTS.iter().filter_map(|name| files.get(*name));
    let lines: Vec<String> = transcripts.flat_map(|bytes| lines_of(bytes)).collect();
    for artifact in lines.iter().filter_map(|line| promised_by(line)) {
        check(&artifact, "a line");
    }
    for ack in state.acks() {
        if let Ack::Artifact(artifact) = ack {
            check(artifact, "a receipt");
        }
    }
    for ack in state.acks() {
        match ack {
            Ack::Line(line) if !lines.contains(line) => found.push(format!("{line} is lost")),
            _ => {}
        }
    }
    let finals = files.iter().filter(|(path, _)| {
        let name = path.strip_prefix("run.artifacts/");
        name.is_some_and(|name| ArtifactName::parse(name).is_ok())
    });
    for (path, bytes) in finals {
        if !bodies.contains(bytes) {
            found.push(format!("{path} is torn: {}", told(bytes)));
        }
    }
    found
}

fn told(bytes: &[u8]) -> String {
    format!(
        "has {} bytes with sha256 {}",
        bytes.len(),
        ContentDigest::of(bytes)
    )
}

/// What is wrong when the run is done again, rightly, on what a crash left (P1: it converges).
#[must_use]
pub fn fails_again(state: &State, steps: &[Step]) -> Option<String> {
    let sim = SimFs::from_state(state.clone());
    let run = Run::new(&sim, Wrong::Nothing);
    for step in steps {
        if matches!(step, Step::Remove(_)) {
            continue;
        }
        // The transcript is another test's: here its torn line would only stand in the way.
        let named = match step {
            Step::Settle(op, body) | Step::Stream(op, body) => run
                .store
                .store(&OpId::new(*op), ContentType::Text, body)
                .map(|stored| vec![ArtifactRef::from(&stored)]),
            Step::Batch(items) => items
                .iter()
                .map(|(op, body)| run.store.store(&OpId::new(*op), ContentType::Text, body))
                .map(|stored| stored.map(|stored| ArtifactRef::from(&stored)))
                .collect(),
            Step::Remove(_) => Ok(Vec::new()),
        };
        let read = named.and_then(|named| {
            let read = |artifact| run.store.read(artifact);
            named.iter().map(read).collect::<Result<Vec<_>, _>>()
        });
        if let Err(error) = read {
            return Some(format!("again: {error}"));
        }
    }
    None
}

/// The staging files there are, which after an error may be none (I6 of the test plan).
#[must_use]
pub fn leftovers(state: &State) -> Vec<String> {
    let files = state.files().into_keys();
    files
        .filter(|path| path.starts_with("run.artifacts/.tmp-"))
        .collect()
}

/// What a line promises to be there.
fn promised_by(line: &str) -> Option<ArtifactRef> {
    let mut words = line.split(' ');
    let name = ArtifactName::parse(words.next()?).ok()?;
    let digest = ContentDigest::from_str(words.next()?).ok()?;
    let bytes = words.next()?.parse().ok()?;
    (words.next() == Some("power")).then(|| ArtifactRef::new(name, digest, bytes))
}

/// The complete lines; an unterminated last one is dropped, as opening a transcript does.
fn lines_of(transcript: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(transcript);
    let mut lines: Vec<String> = text.split('\n').map(str::to_string).collect();
    lines.pop();
    lines
}
