//! Retention: what a policy names, and what a plan removes (P12).

use std::fs::{File, FileTimes};
use std::time::{Duration, SystemTime};

use artifacts_core::ArtifactName;
use artifacts_fs::{Entry, ErrorKind, Gone, Index, Left, Policy, Reason};

use super::{Run, names_in};

const HOUR: Duration = Duration::from_secs(3_600);

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_900_000_000)
}

/// A run with artifacts of one byte more and one hour less each: op-1 is the oldest.
fn run_of(count: u32) -> Run {
    let run = Run::new();
    for n in 1..=count {
        let op_id = format!("op-{n}");
        let _ = run.save(&op_id, &vec![b'x'; n as usize]).unwrap();
        set_age(&run, &format!("{op_id}.txt"), HOUR * (count - n));
    }
    run
}

fn set_age(run: &Run, name: &str, age: Duration) {
    let file = File::open(run.file(name)).unwrap();
    file.set_times(FileTimes::new().set_modified(now() - age))
        .unwrap();
}

/// What `policy` removes, as `name: reason`.
#[track_caller]
fn check(run: &Run, policy: &Policy, expected: &[(&str, Reason)]) {
    let plan = policy.plan(&run.store.entries().unwrap(), now());
    let found: Vec<(&str, Reason)> = plan
        .removals()
        .iter()
        .map(|removal| (removal.name.to_str().unwrap(), removal.reason))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn the_default_keeps_everything() {
    check(&run_of(3), &Policy::forever(), &[]);
}

#[test]
fn each_condition_removes_what_it_names() {
    let run = run_of(4);
    let old = Policy::forever().older_than(HOUR * 2);
    check(&run, &old, &[("op-1.txt", Reason::Age)]);
    let few = Policy::forever().max_count(2);
    check(
        &run,
        &few,
        &[("op-1.txt", Reason::Count), ("op-2.txt", Reason::Count)],
    );
    let small = Policy::forever().max_total_bytes(8);
    check(
        &run,
        &small,
        &[
            ("op-1.txt", Reason::TotalBytes),
            ("op-2.txt", Reason::TotalBytes),
        ],
    );
    let named = ["op-1.txt", "op-3.txt"].map(|name| ArtifactName::parse(name).unwrap());
    let unnamed = [
        ("op-2.txt", Reason::Unreferenced),
        ("op-4.txt", Reason::Unreferenced),
    ];
    check(&run, &Policy::forever().unreferenced_by(named), &unnamed);
}

#[test]
fn a_time_in_the_future_is_no_age() {
    let run = run_of(1);
    let file = File::open(run.file("op-1.txt")).unwrap();
    file.set_times(FileTimes::new().set_modified(now() + HOUR))
        .unwrap();
    check(&run, &Policy::forever().older_than(Duration::ZERO), &[]);
}

#[test]
fn a_sweep_removes_the_plan_and_leaves_young_and_foreign_files() {
    let run = run_of(3);
    for name in [".tmp-1-1", ".tmp-1-2", "notes", ".tmp-held"] {
        File::create(run.file(name)).unwrap();
    }
    std::fs::create_dir(run.file(".tmp-dir")).unwrap();
    set_age(&run, ".tmp-1-1", HOUR);
    set_age(&run, ".tmp-1-2", HOUR * 2);
    set_age(&run, ".tmp-held", HOUR * 2);
    let writer = File::open(run.file(".tmp-held")).unwrap();
    rustix::fs::flock(&writer, rustix::fs::FlockOperation::LockExclusive).unwrap();

    let policy = Policy::forever().max_count(1);
    let plan = policy.plan(&run.store.entries().unwrap(), now());
    insta::assert_snapshot!(plan);
    let applied = run.store.apply(&plan).unwrap();
    assert_eq!(applied.removed.files, 3);
    assert_eq!(applied.left, [(".tmp-held".into(), Left::InUse)]);
    let left = [".tmp-1-1", ".tmp-dir", ".tmp-held", "notes", "op-3.txt"];
    assert_eq!(names_in(&run.dir()), left);
}

#[test]
fn a_file_the_plan_did_not_see_is_left_alone() {
    let run = run_of(4);
    let plan = Policy::forever()
        .max_count(0)
        .plan(&run.store.entries().unwrap(), now());
    set_age(&run, "op-1.txt", HOUR * 99);
    rustix::fs::link(run.file("op-2.txt"), run.file("second-name")).unwrap();
    std::fs::remove_file(run.file("op-3.txt")).unwrap();
    let applied = run.store.apply(&plan).unwrap();
    assert_eq!(applied.removed.files, 1);
    let left = |name: &str| {
        let found = applied.left.iter().find(|(file, _)| file == name);
        found.map(|(_, left)| *left)
    };
    assert_eq!(left("op-1.txt"), Some(Left::Changed));
    assert_eq!(left("op-2.txt"), Some(Left::Changed));
    assert_eq!(left("op-3.txt"), Some(Left::Gone));
}

#[test]
fn one_sweep_at_a_time() {
    let run = run_of(1);
    let dir = File::open(run.dir()).unwrap();
    rustix::fs::flock(&dir, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let plan = Policy::forever()
        .max_count(0)
        .plan(&run.store.entries().unwrap(), now());
    assert_eq!(run.store.apply(&plan).unwrap_err().kind(), ErrorKind::Busy);
    drop(dir);
    assert_eq!(run.store.apply(&plan).unwrap().removed.files, 1);
}

#[test]
fn usage_counts_each_kind() {
    let run = run_of(3);
    File::create(run.file(".tmp-1-1"))
        .unwrap()
        .set_len(5)
        .unwrap();
    File::create(run.file("notes")).unwrap().set_len(7).unwrap();
    let usage = run.store.usage().unwrap();
    assert_eq!((usage.artifacts.files, usage.artifacts.bytes), (3, 6));
    assert_eq!((usage.leftovers.files, usage.leftovers.bytes), (1, 5));
    assert_eq!((usage.foreign.files, usage.foreign.bytes), (1, 7));
    assert!(matches!(run.store.entries().unwrap()[0], Entry::Staging(_)));
}

#[test]
fn what_is_stored_again_after_the_plan_stays() {
    let run = run_of(2);
    let unnamed = Policy::forever().unreferenced_by([]);
    let plan = unnamed.plan(&run.store.entries().unwrap(), now());
    let stored = run.save("op-1", b"x").unwrap();
    assert_eq!(stored.name().as_str(), "op-1.txt");
    let applied = run.store.apply(&plan).unwrap();
    assert_eq!(applied.left, [("op-1.txt".into(), Left::Changed)]);
    assert_eq!(names_in(&run.dir()), ["op-1.txt"]);
}

#[test]
fn no_file_is_taken_for_a_result_while_a_sweep_runs() {
    let run = run_of(1);
    let dir = File::open(run.dir()).unwrap();
    rustix::fs::flock(&dir, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let stored = run.save("op-1", b"x").unwrap();
    assert_eq!(
        *stored.name(),
        ArtifactName::parse("op-1.txt")
            .unwrap()
            .with_content(stored.digest())
    );
    drop(dir);
    assert_eq!(names_in(&run.dir()).len(), 2);
}

#[test]
fn no_sweep_runs_while_a_file_is_taken_for_a_result() {
    let run = run_of(1);
    let dir = File::open(run.dir()).unwrap();
    rustix::fs::flock(&dir, rustix::fs::FlockOperation::LockShared).unwrap();
    let plan = Policy::forever()
        .max_count(0)
        .plan(&run.store.entries().unwrap(), now());
    let stored = run.save("op-1", b"x").unwrap();
    assert_eq!(stored.name().as_str(), "op-1.txt");
    assert_eq!(run.store.apply(&plan).unwrap_err().kind(), ErrorKind::Busy);
}

#[test]
fn reading_goes_on_when_the_same_bytes_are_stored_again() {
    let run = run_of(1);
    let stored = run.save("op-1", b"x").unwrap();
    let opened = run.store.open_artifact(&(&stored).into()).unwrap();
    let _ = run.save("op-1", b"x").unwrap();
    assert_eq!(opened.page(0..1, 1).unwrap().bytes(), b"x");
    std::fs::write(run.file("op-1.txt"), "y").unwrap();
    assert_eq!(opened.page(0..1, 1).unwrap_err().kind(), ErrorKind::Altered);
}

#[test]
fn nothing_is_removed_that_cannot_be_noted() {
    let run = run_of(1);
    let index = Index::rebuild(&run.store, []).unwrap();
    std::fs::create_dir(run.file("index.jsonl")).unwrap();
    let plan = Policy::forever()
        .max_count(0)
        .plan(&run.store.entries().unwrap(), now());
    let error = run.store.apply_noted(&plan, &index).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Foreign);
    assert_eq!(names_in(&run.dir()), ["index.jsonl", "op-1.txt"]);
    assert_eq!(index.gone("op-1.txt"), None);
}

#[test]
fn what_is_left_alone_is_not_noted_as_removed() {
    let run = run_of(2);
    let index = Index::rebuild(&run.store, []).unwrap();
    let plan = Policy::forever()
        .max_count(0)
        .plan(&run.store.entries().unwrap(), now());
    set_age(&run, "op-1.txt", HOUR * 99);
    assert_eq!(run.store.apply_noted(&plan, &index).unwrap().left.len(), 1);
    let reopened = Index::open(&run.store, []).unwrap();
    assert_eq!(reopened.gone("op-1.txt"), None);
    assert_eq!(reopened.gone("op-2.txt"), Some(Gone::Evicted));
}

#[test]
fn a_file_with_a_second_name_is_no_artifact() {
    let run = run_of(1);
    rustix::fs::link(run.file("op-1.txt"), run.file("op-2.txt")).unwrap();
    assert_eq!(run.store.list().unwrap(), []);
    assert_eq!(run.store.scan(&[]).unwrap().foreign.len(), 2);
}
