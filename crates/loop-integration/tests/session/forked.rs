//! A fork that is killed: there is no transcript or a whole one, and nothing beside it is left
//! (P1; SPEC 4.13).

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use artifacts_fs::{ArtifactDir, Policy, Reason};
use loop_integration::{Format, Message, ToolResult, Transcript, audit, fork};

use crate::session::killed::can_trace;
use crate::support::{Run, huge, operation};

/// The calls that change something, which the test's own start makes none of.
const CALLS: [&str; 8] = [
    "mkdirat",
    "flock",
    "fsync",
    "fdatasync",
    "renameat2",
    "linkat",
    "unlinkat",
    "fadvise64",
];

#[test]
fn a_fork_killed_at_any_call_leaves_a_whole_transcript_or_none_and_is_forked_again() {
    if !can_trace() {
        println!("skipped: strace is not here or may not trace");
        return;
    }
    let run = Run::in_memory();
    let session = run.session();
    session.push(Message::user("go")).unwrap();
    for number in 1..=2 {
        let text = format!("{number}{}", huge());
        session
            .settle(&operation(number), ToolResult::success(text))
            .unwrap();
    }
    drop(session);
    let mut kills = 0;
    for call in CALLS {
        for at in 1.. {
            let target = Run::in_memory();
            let ended = forking(&run.transcript, &target.transcript, call, at);
            check(&run.transcript, &target);
            if ended.status.success() {
                break;
            }
            kills += 1;
        }
    }
    println!("killed {kills} times");
    assert!(kills >= 10, "{kills} kills");
}

fn check(source: &Path, target: &Run) {
    let copy = &target.transcript;
    let names = std::fs::read_dir(target.folder.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let known = ["run.artifacts", "run.jsonl"].map(str::to_owned);
    let names = names.collect::<BTreeSet<_>>();
    assert!(names.is_subset(&known.into()), "{names:?}");
    if !copy.is_file() {
        assert!(fork(source, copy).unwrap().is_whole());
    }
    let replay = |path: &Path| Transcript::load(path).unwrap().replay(Format::Messages);
    assert_eq!(replay(copy), replay(source));

    // What the killed one left is a leftover as others are.
    let dir = ArtifactDir::beside(copy);
    let later = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40);
    let plan = Policy::forever().plan(&dir.entries().unwrap(), later);
    assert!(
        plan.removals()
            .iter()
            .all(|removal| removal.reason == Reason::Leftover)
    );
    assert!(dir.apply(&plan).unwrap().left.is_empty());
    let loaded = Transcript::load(copy).unwrap();
    let scan = dir.verify(&loaded.artifacts()).unwrap();
    assert!(
        scan.is_sound() && scan.leftovers.is_empty() && scan.orphans.is_empty(),
        "{scan:?}"
    );
    assert!(audit(loaded.places(), Some(&dir)).is_clean());
}

fn forking(source: &Path, target: &Path, call: &str, at: u32) -> Output {
    Command::new("strace")
        .args(["-f", "-o", "/dev/null", "-e"])
        .arg(format!("trace={call}"))
        .args(["-e", &format!("inject={call}:signal=KILL:when={at}")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "session::forked::forking_process"])
        .env("FORKED", source)
        .env("FORK", target)
        .output()
        .unwrap()
}

/// Does nothing unless the test above starts it.
#[test]
fn forking_process() {
    if let (Ok(source), Ok(target)) = (std::env::var("FORKED"), std::env::var("FORK")) {
        assert!(fork(source, target).unwrap().is_whole());
    }
}
