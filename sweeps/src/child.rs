//! The process that is killed, failed and raced: it settles through the real crates.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use artifacts_core::{ArtifactName, ContentType, Limit, OpId, Shape};
use artifacts_fs::{ArtifactDir, ArtifactStore, Entry, Policy, artifact_dir_for};
use loop_integration::{Operation, Session, Settler, SystemClock, ToolResult, Transcript};

use crate::run::body;
use crate::wrong::{Wrong, WrongFs};

/// `settle TRANSCRIPT OP BODY`, `evict TRANSCRIPT OP BODY`, `store TRANSCRIPT OP BODY`,
/// `churn TRANSCRIPT WRITER`, `adopt TRANSCRIPT WRITER` or `prune TRANSCRIPT`.
pub(crate) fn main(args: &[&str]) -> ExitCode {
    outlive_file_size_limit();
    let outcome = match args {
        ["settle", transcript, op, number] => settle(transcript, op, number),
        ["evict", transcript, op, number] => evict(transcript, op, number),
        ["store", transcript, op, number] => store(transcript, op, number),
        ["churn", transcript, writer, ..] => churn(transcript, writer),
        ["adopt", transcript, writer, ..] => adopt(transcript, writer),
        ["prune", transcript, ..] => prune(transcript),
        _ => Err("wrong usage".to_string()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::from(3)
        }
    }
}

/// As `artifacts` does: a limit on the size of files makes a write fail, and ends nobody.
fn outlive_file_size_limit() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(
        signal_hook::consts::SIGXFSZ,
        Arc::new(std::sync::atomic::AtomicBool::new(false)),
    );
}

/// Settles one operation, from wherever an earlier process left it.
fn settle(transcript: &str, op: &str, number: &str) -> Result<(), String> {
    mark(BEGIN);
    let told = |error: loop_integration::Error| chain(&error);
    let session = session(transcript)?;
    let id = OpId::new(op);
    let known = session.transcript();
    let state = known.operation(&id);
    let said = if state.is_some_and(|state| state.settled().is_some()) {
        "settled before".to_string()
    } else if state.is_some_and(|state| state.is_answered()) {
        session.complete(&id).map_err(told)?;
        "completed".to_string()
    } else {
        let result = ToolResult::success(body(number));
        let settled = session.settle(&Operation::new(op), result).map_err(told)?;
        match settled.artifact() {
            Some(artifact) => format!("stored {} {}", artifact.name(), artifact.digest()),
            None => "not stored".to_string(),
        }
    };
    mark(END);
    say(&said);
    Ok(())
}

/// Removes every artifact there is, then settles.
fn evict(transcript: &str, op: &str, number: &str) -> Result<(), String> {
    mark(BEGIN);
    let store = ArtifactDir::beside(transcript);
    let entries = store.entries().map_err(|error| chain(&error))?;
    let plan = Policy::forever()
        .max_count(0)
        .plan(&entries, SystemTime::UNIX_EPOCH);
    store.apply(&plan).map_err(|error| chain(&error))?;
    settle(transcript, op, number)
}

/// Stores without a transcript.
fn store(transcript: &str, op: &str, number: &str) -> Result<(), String> {
    let store = ArtifactDir::beside(transcript);
    let body = body(number);
    let stored = store
        .store(&OpId::new(op), ContentType::Text, body.as_bytes())
        .map_err(|error| chain(&error))?;
    say(&format!("stored {} {}", stored.name(), stored.digest()));
    Ok(())
}

/// Settles one operation after the other whose bytes are there already, without a name anywhere.
fn adopt(transcript: &str, writer: &str) -> Result<(), String> {
    let session = session(transcript)?;
    let store = ArtifactDir::beside(transcript);
    let dir = artifact_dir_for(Path::new(transcript));
    for number in 0..40 {
        let op = format!("op-{writer}-{number}");
        let body = body(&number.to_string());
        let there = store.store(&OpId::new(op.as_str()), ContentType::Text, body.as_bytes());
        let there = there.map_err(|error| chain(&error))?;
        let file = File::open(dir.join(there.name().as_str()));
        let settled = session.settle(&Operation::new(op), ToolResult::success(body));
        let settled = settled.map_err(|error| chain(&error))?;
        let artifact = settled.artifact().ok_or("not stored")?;
        store
            .read(&artifact.into())
            .map_err(|error| chain(&error))?;
        // As long as the first file is open, no other has its number.
        let is_same = file.as_ref().is_ok_and(|before| {
            let now = File::open(dir.join(artifact.name().as_str()));
            now.is_ok_and(|now| same_file(before, &now))
        });
        say(if is_same { "adopted" } else { "stored" });
    }
    Ok(())
}

fn same_file(one: &File, other: &File) -> bool {
    let number = |file: &File| file.metadata().map(|metadata| metadata.ino()).ok();
    number(one) == number(other)
}

/// Removes what nothing names, over and over, until it is killed; in the order of `artifacts prune
/// --unreferenced`: the directory, then the transcript, then what the plan names.
fn prune(transcript: &str) -> Result<(), String> {
    let store = ArtifactDir::beside(transcript);
    loop {
        let entries = store.entries().map_err(|error| chain(&error))?;
        let known = Transcript::load(transcript).map_err(|error| chain(&error))?;
        let named = known.artifacts();
        let named = named.iter().map(|artifact| artifact.name().clone());
        let open = known
            .operations()
            .filter(|state| state.settled().is_none())
            .map(|state| ArtifactName::for_op(state.operation().op_id(), ContentType::Text));
        let open = open
            .map(|name| name.stem().to_owned())
            .collect::<BTreeSet<_>>();
        let in_doubt = entries.iter().filter_map(|entry| match entry {
            Entry::Artifact(file) if open.contains(file.name.stem()) => Some(file.name.clone()),
            _ => None,
        });
        let policy = Policy::forever().unreferenced_by(named.chain(in_doubt));
        let plan = policy.plan(&entries, SystemTime::UNIX_EPOCH);
        // While another sweep runs or a file is adopted it is refused, and tried again.
        if let Ok(applied) = store.apply(&plan) {
            for _ in 0..applied.removed.files {
                say("removed");
            }
        }
    }
}

/// Settles one operation after the other, until it is killed.
fn churn(transcript: &str, writer: &str) -> Result<(), String> {
    let session = session(transcript)?;
    let writer: usize = writer.parse().map_err(|_| "no number")?;
    for round in 0..10_000 {
        // Every third operation is every writer's.
        let op = match round % 3 {
            0 => format!("shared-{round}"),
            _ => format!("op-{writer}-{}-{round}", std::process::id()),
        };
        let result = ToolResult::success(body(&((round + writer) % 4).to_string()));
        match session.settle(&Operation::new(op), result) {
            Ok(settled) if settled.artifact().is_none() => return Err("not stored".into()),
            // Another writer was first.
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

fn session(transcript: &str) -> Result<Session, String> {
    let limit = Limit::graphemes(100).map_err(|error| error.to_string())?;
    let store: Arc<dyn ArtifactStore> = match Wrong::of_child() {
        None => Arc::new(ArtifactDir::beside(transcript)),
        Some(wrong) => {
            let dir = artifact_dir_for(Path::new(transcript));
            Arc::new(ArtifactDir::on(WrongFs::new(wrong), dir))
        }
    };
    let settler = Settler::new(Shape::new(limit)).with_store(store);
    Session::open(transcript, settler, Arc::new(SystemClock)).map_err(|error| chain(&error))
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

/// Prints, unless writing is what fails.
fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// A system call that a trace shows, and nothing else does.
fn mark(name: &str) {
    let _ = std::fs::symlink_metadata(Path::new(name));
}

pub(crate) const BEGIN: &str = "/the-settle-begins";
pub(crate) const END: &str = "/the-settle-ends";
