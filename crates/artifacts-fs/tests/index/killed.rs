//! A process that is killed in a turn: the store is as it was before.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, BoundedStore, Gone};

use super::{Run, bounded, files, name, names};

const STEPS: [&str; 6] = ["c", "a", "d", "name", "cover", "commit"];

fn save(store: &BoundedStore<ArtifactDir>, op_id: &str) {
    let bytes = op_id.repeat(10);
    let stored = store.store(&OpId::new(op_id), ContentType::Text, bytes.as_bytes());
    let _ = stored.unwrap();
}

#[test]
fn a_process_killed_at_any_step_of_a_turn_leaves_what_was_before_it() {
    for present in [["a", "b"].as_slice(), &[]] {
        for steps in 0..STEPS.len() {
            check(present, steps);
        }
    }
}

fn check(present: &[&str], steps: usize) {
    let run = Run::new();
    let store = run.bounded();
    for op_id in present {
        save(&store, op_id);
    }
    if let Some(first) = present.first() {
        let first = format!("{first}.txt");
        store.index().name("first", &name(&first));
    }
    drop(store);
    let (before, entries) = (files(&run.path()), run.open().entries());
    kill_after(&run.path(), steps);

    let index = run.open();
    assert_eq!(index.entries(), entries, "{steps} steps");
    for op_id in ["a", "b", "c", "d"] {
        assert_eq!(index.gone(&format!("{op_id}.txt")), None, "{steps} steps");
    }
    let first = index.find_alias("first");
    assert_eq!(first.as_ref(), entries.first());
    for entry in &entries {
        assert!(run.store().read(entry.artifact()).is_ok());
    }
    let mut after = files(&run.path());
    after.retain(|name, _| before.contains_key(name));
    assert_eq!(after, before, "{steps} steps");
    // And it goes on as if the turn had never been.
    let store = run.bounded();
    save(&store, "c");
    let mut expected: Vec<_> = present.iter().map(|op_id| format!("{op_id}.txt")).collect();
    expected.push("c.txt".into());
    let kept = expected.split_off(expected.len().saturating_sub(2));
    assert_eq!(names(store.index()), kept);
}

#[test]
fn a_process_killed_after_a_turn_leaves_what_the_turn_made() {
    let run = Run::new();
    let store = run.bounded();
    save(&store, "a");
    save(&store, "b");
    drop(store);
    kill_after(&run.path(), STEPS.len());
    let index = run.open();
    assert_eq!(names(&index), ["a.txt"]);
    assert_eq!(index.gone("b.txt"), Some(Gone::Evicted));
    assert_eq!(index.gone("d.txt"), Some(Gone::Covered));
    assert_eq!(
        index
            .find_alias("first")
            .unwrap()
            .artifact()
            .name()
            .as_str(),
        "a.txt"
    );
}

/// Runs so many steps of a turn in a process of its own, and kills that (SIGKILL).
fn kill_after(path: &Path, steps: usize) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "index::killed::child_process", "--nocapture"])
        .env("ARTIFACTS", path)
        .env("STEPS", steps.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_the_step(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
}

fn wait_for_the_step(child: &mut Child) {
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let mut done = lines.map(|line| line.unwrap());
    assert!(done.any(|line| line.contains(DONE)));
}

const DONE: &str = "the steps are done";

/// Does nothing unless the tests above start it.
#[test]
fn child_process() {
    let (Ok(path), Ok(steps)) = (std::env::var("ARTIFACTS"), std::env::var("STEPS")) else {
        return;
    };
    let store = bounded(Path::new(&path));
    let mut turn = Some(store.begin_turn().unwrap());
    for step in STEPS.into_iter().take(steps.parse().unwrap()) {
        match step {
            "name" => store.index().name("first", &name("a.txt")),
            "cover" => store.remove_covered([&name("d.txt")]),
            "commit" => turn.take().unwrap().commit(),
            op_id => save(&store, op_id),
        }
    }
    println!("{DONE}");
    // Until it is killed.
    let mut line = String::new();
    let _ = std::io::stdin().read_line(&mut line);
    std::mem::forget(turn);
}
