//! P1, P6, T2, T13: the agent of `examples/resuming_agent.rs`, stopped at every system call.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use artifacts_fs::ArtifactDir;
use loop_integration::{Format, Transcript, audit};

use crate::support::Run;

/// The calls that change something, and those between which the state is looked at.
const CALLS: [&str; 16] = [
    "openat",
    "openat2",
    "mkdirat",
    "write",
    "fsync",
    "fdatasync",
    "renameat2",
    "fstat",
    "statx",
    "flock",
    "lseek",
    "ftruncate",
    "unlinkat",
    "close",
    "read",
    "newfstatat",
];

#[test]
fn an_agent_killed_at_every_call_ends_with_the_same_conversation() {
    if !can_trace() {
        println!("skipped: strace is not here or may not trace");
        return;
    }
    let run = Run::new();
    let (expected, counts) = reference(&run);
    let mut states = BTreeMap::<String, u32>::new();
    for (call, counts) in counts {
        for at in counts {
            let run = Run::new();
            let inject = format!("inject={call}:signal=KILL:when={at}");
            let killed = traced(&run.transcript, &[&format!("trace={call}"), &inject]);
            assert!(!killed.status.success(), "{call} {at} did not stop it");
            *states.entry(state(&run.transcript)).or_default() += 1;
            assert_is_sound(&run.transcript);
            assert_replays_without_artifacts(&run.transcript);
            let resumed = Command::new(agent()).arg(&run.transcript).output().unwrap();
            assert!(resumed.status.success(), "{call} {at}: {resumed:?}");
            assert_eq!(resumed.stdout, expected, "{call} {at}");
            assert_replays_without_artifacts(&run.transcript);
            assert_is_sound(&run.transcript);
        }
    }
    let kills = states.values().sum::<u32>();
    println!("killed {kills} times, {} states: {states:#?}", states.len());
    assert!(kills >= 90, "{kills} kills");
}

#[test]
fn an_agent_whose_transcript_fails_at_every_write_says_so_and_can_go_on() {
    if !can_trace() {
        println!("skipped: strace is not here or may not trace");
        return;
    }
    let run = Run::new();
    let (expected, counts) = reference(&run);
    let mut failures = 0;
    for (call, error) in [
        ("write", "ENOSPC"),
        ("write", "EIO"),
        ("fdatasync", "EIO"),
        ("flock", "EINTR"),
    ] {
        for at in counts[call].clone() {
            let run = Run::new();
            let inject = format!("inject={call}:error={error}:when={at}");
            let output = traced(&run.transcript, &[&format!("trace={call}"), &inject]);
            if output.status.success() {
                // A store that failed, or an interrupted lock: no error, and the conversation
                // says so at most.
                assert_is_sound(&run.transcript);
                continue;
            }
            failures += 1;
            assert!(
                !String::from_utf8_lossy(&output.stderr)
                    .contains(run.folder.path().to_str().unwrap())
            );
            assert_is_sound(&run.transcript);
            let resumed = Command::new(agent()).arg(&run.transcript).output().unwrap();
            assert!(resumed.status.success(), "{call} {at}: {resumed:?}");
            assert!(
                resumed.stdout == expected
                    || String::from_utf8_lossy(&resumed.stdout).contains("could not be stored")
            );
        }
    }
    println!("{failures} failures of the transcript told");
    assert!(failures >= 20, "{failures}");
}

/// What the agent says when nobody stops it, and which of each call it makes from the moment it
/// opens its transcript.
fn reference(run: &Run) -> (Vec<u8>, BTreeMap<&'static str, RangeInclusive<usize>>) {
    let log = run.folder.path().join("calls");
    let output = Command::new("strace")
        .args(["-f", "-e", &format!("trace={}", CALLS.join(",")), "-o"])
        .arg(&log)
        .arg(agent())
        .arg(&run.transcript)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let log = std::fs::read(log).unwrap();
    let log = String::from_utf8_lossy(&log);
    let (startup, work) = log.split_at(log.find("run.jsonl\", O_").unwrap());
    let counts = CALLS.map(|call| {
        let made = |log: &str| log.matches(&format!(" {call}(")).count();
        (call, made(startup).max(1)..=made(startup) + made(work))
    });
    (output.stdout, counts.into())
}

fn traced(transcript: &Path, expressions: &[&str]) -> Output {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o", "/dev/null"]);
    for expression in expressions {
        strace.args(["-e", expression]);
    }
    strace
        .arg(agent())
        .arg(transcript)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

pub(crate) fn can_trace() -> bool {
    let traced = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output();
    traced.is_ok_and(|output| output.status.success())
}

/// The example, which Cargo builds with the tests.
fn agent() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent()
        .unwrap()
        .parent()
        .unwrap()
        .join("examples/resuming_agent")
}

/// How far the transcript got, in words that name each state once.
fn state(transcript: &Path) -> String {
    match Transcript::load(transcript) {
        Err(_) => "no transcript".into(),
        Ok(loaded) => format!(
            "{} lines, torn: {}, orphans: {}",
            loaded.lines(),
            loaded.torn_bytes() > 0,
            ArtifactDir::beside(transcript)
                .scan(&loaded.artifacts())
                .unwrap()
                .orphans
                .len()
        ),
    }
}

/// Whatever is recorded is true.
fn assert_is_sound(transcript: &Path) {
    if let Ok(loaded) = Transcript::load(transcript) {
        let audit = audit(loaded.places(), Some(&ArtifactDir::beside(transcript)));
        assert!(audit.is_clean(), "{:?}", audit.findings());
    }
}

/// The transcript alone, in another folder, gives the same request (I4).
fn assert_replays_without_artifacts(transcript: &Path) {
    let Ok(bytes) = std::fs::read(transcript) else {
        return;
    };
    let elsewhere = Run::new();
    std::fs::write(&elsewhere.transcript, bytes).unwrap();
    let replay = |path: &Path| Transcript::load(path).unwrap().replay(Format::OpenAiChat);
    assert_eq!(replay(&elsewhere.transcript), replay(transcript));
}
