//! Looking after a run's directory: scan, usage, prune, fork (I6).

use super::bin::{Folder, words};

fn with_two_artifacts() -> Folder {
    let folder = Folder::new();
    for id in ["op-1", "op-2"] {
        folder.settle_large(id);
    }
    folder
}

#[test]
fn scan_tells_every_kind_of_file_and_changes_none() {
    let folder = with_two_artifacts();
    folder.put("run.artifacts/orphan.txt", "of a crash");
    folder.put("run.artifacts/.tmp-1", "of a killed writer");
    folder.put("run.artifacts/Notes.md", "of somebody");
    let before = folder.files();
    let scan = ["scan", "--session", "run.jsonl"];
    insta::assert_snapshot!("scan", folder.run(&scan).ok().report());
    let json = folder.run(&[&scan[..], &["--json"]].concat()).ok();
    insta::assert_snapshot!("scan_json", json.report());
    let usage = folder.run(&["usage", "--session", "run.jsonl"]).ok();
    insta::assert_snapshot!("usage", usage.report());
    let usage = folder
        .run(&["usage", "--session", "run.jsonl", "--json"])
        .ok();
    insta::assert_snapshot!("usage_json", usage.report());
    assert_eq!(folder.files(), before);
    folder.put("run.artifacts/op-1.txt", "short");
    folder.remove("run.artifacts/op-2.txt");
    insta::assert_snapshot!("scan_unsound", folder.run(&scan).report());
}

#[test]
fn an_answered_operation_without_its_record_is_no_orphan() {
    let folder = with_two_artifacts();
    let lines = folder.text("run.jsonl");
    let answered = lines.lines().take(5).map(|line| format!("{line}\n"));
    folder.put("run.jsonl", answered.collect::<String>());
    let scan = folder.run(&["scan", "--session", "run.jsonl"]).ok();
    assert_eq!(scan.stdout(), "artifact  op-1.txt\nartifact  op-2.txt\n");
    let prune = words("prune --session run.jsonl --unreferenced --apply");
    folder.run(&prune).ok();
    assert_eq!(folder.files().len(), 3);
}

#[test]
fn prune_removes_nothing_until_told_to() {
    let folder = with_two_artifacts();
    folder.put("run.artifacts/orphan.txt", "of a crash");
    let prune = ["prune", "--session", "run.jsonl", "--unreferenced"];
    let before = folder.files();
    insta::assert_snapshot!("prune_dry", folder.run(&prune).ok().report());
    assert_eq!(folder.files(), before);
    let json = folder.run(&[&prune[..], &["--json"]].concat()).ok();
    insta::assert_snapshot!("prune_json", json.report());
    let apply = folder.run(&[&prune[..], &["--apply"]].concat()).ok();
    insta::assert_snapshot!("prune_apply", apply.report());
    assert_eq!(
        folder.files(),
        [
            "run.artifacts/op-1.txt",
            "run.artifacts/op-2.txt",
            "run.jsonl"
        ]
    );
    let replay = || {
        folder
            .run(&["replay", "--session", "run.jsonl"])
            .ok()
            .0
            .stdout
    };
    let before = replay();
    let all = words("prune --session run.jsonl --max-bytes 0 --apply");
    insta::assert_snapshot!("prune_all", folder.run(&all).ok().report());
    assert_eq!(folder.files(), ["run.artifacts/index.jsonl", "run.jsonl"]);
    assert_eq!(before, replay());
    for (name, args) in [
        ("verify_pruned", &["verify"][..]),
        ("scan_pruned", &["scan"]),
        ("list_pruned", &["list"]),
        ("read_pruned", &["read", "op-1"]),
    ] {
        let ran = folder.run(&[args, &["--session", "run.jsonl"]].concat());
        insta::assert_snapshot!(name, ran.report());
    }
    let nothing = ["prune", "--session", "run.jsonl", "--max-bytes", "0"];
    insta::assert_snapshot!("prune_nothing", folder.run(&nothing).ok().report());
    let age = ["prune", "--session", "run.jsonl", "--older-than", "7"];
    insta::assert_snapshot!("prune_age", folder.run(&age).fails_with(2).report());
}

#[test]
fn prune_keeps_what_another_transcript_of_the_directory_names() {
    let folder = with_two_artifacts();
    folder.put("run.log", folder.bytes("run.jsonl"));
    folder.put("run.jsonl", "");
    folder.put("run.txt", "notes, and no transcript\n");
    let before = folder.files();
    let prune = words("prune --session run.jsonl --unreferenced --apply");
    folder.run(&prune).ok();
    assert_eq!(folder.files(), before);
    // What can't be read may name any of them.
    folder.put("run.txt", "{\"torn\": \n{}\n");
    insta::assert_snapshot!("prune_unread", folder.run(&prune).fails_with(2).report());
    assert_eq!(folder.files(), before);
}

#[test]
fn a_fork_has_the_transcript_and_what_it_names() {
    let folder = with_two_artifacts();
    folder.put("run.artifacts/orphan.txt", "of a crash");
    let fork = |target: &str| folder.run(&["fork", "--session", "run.jsonl", target]);
    insta::assert_snapshot!("fork", fork("copy.jsonl").ok().report());
    assert_eq!(folder.bytes("copy.jsonl"), folder.bytes("run.jsonl"));
    folder.run(&["verify", "--session", "copy.jsonl"]).ok();
    assert!(
        !folder
            .files()
            .contains(&"copy.artifacts/orphan.txt".to_string())
    );
    insta::assert_snapshot!(
        "fork_target_there",
        fork("copy.jsonl").fails_with(2).report()
    );
    folder.remove("run.artifacts/op-1.txt");
    let ran = fork("other.jsonl");
    assert_eq!(ran.code(), Some(1));
    insta::assert_snapshot!("fork_missing", ran.report());
}

#[test]
fn a_moved_run_keeps_working() {
    let folder = with_two_artifacts();
    folder.rename("run.jsonl", "moved.jsonl");
    folder.rename("run.artifacts", "moved.artifacts");
    folder.run(&["verify", "--session", "moved.jsonl"]).ok();
    let list = folder.run(&["list", "--session", "moved.jsonl"]).ok();
    insta::assert_snapshot!("list", list.report());
    let list = folder
        .run(&["list", "--session", "moved.jsonl", "--json"])
        .ok();
    insta::assert_snapshot!("list_json", list.report());
}

#[test]
fn verify_tells_what_is_pending_and_a_torn_line() {
    let folder = with_two_artifacts();
    let lines = folder.text("run.jsonl");
    let answered: String = lines
        .lines()
        .take(5)
        .map(|line| format!("{line}\n"))
        .collect();
    let dispatched: String = lines
        .lines()
        .take(4)
        .map(|line| format!("{line}\n"))
        .collect();
    let verify = ["verify", "--session", "run.jsonl"];
    folder.put("run.jsonl", format!("{answered}{{\"id\":\"torn"));
    insta::assert_snapshot!("verify_torn", folder.run(&verify).ok().report());
    folder.put("run.jsonl", dispatched);
    insta::assert_snapshot!("verify_pending", folder.run(&verify).ok().report());
    let json = folder.run(&[&verify[..], &["--json"]].concat()).ok();
    insta::assert_snapshot!("verify_pending_json", json.report());
}

#[test]
fn what_a_prune_removes_is_told_to_every_transcript_of_the_directory() {
    let folder = Folder::new();
    for (session, id) in [("run.jsonl", "op-1"), ("run.log", "op-2")] {
        let args = [
            "settle",
            "--session",
            session,
            "--op-id",
            id,
            "--limit",
            "10",
        ];
        folder.run_with(&args, id.repeat(500).as_bytes()).ok();
    }
    // One that can't be read says nothing, and keeps nothing from being removed.
    folder.put("run.txt", "{\"torn\": \n{}\n");
    folder
        .run(&words("prune --session run.jsonl --max-bytes 0 --apply"))
        .ok();
    for session in ["run.jsonl", "run.log"] {
        let verify = folder.run(&["verify", "--session", session]).ok();
        assert!(
            verify.stdout().ends_with("1 removed on purpose\n"),
            "{}",
            verify.report()
        );
    }
}

#[test]
fn the_plan_lists_the_oldest_first_as_it_removes() {
    let folder = Folder::new();
    for (id, day) in [("op-b", 3), ("op-c", 1), ("op-a", 2)] {
        folder.settle_large(id);
        let path = folder.path(&format!("run.artifacts/{id}.txt"));
        let file = std::fs::File::options().write(true).open(path).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(day * 86_400);
        file.set_modified(time).unwrap();
    }
    for policy in ["--max-bytes 0", "--older-than 1d"] {
        let ran = folder.run(&words(&format!("prune --session run.jsonl {policy}")));
        let ran = ran.ok();
        let names = ran
            .stdout()
            .lines()
            .filter_map(|line| line.strip_prefix("remove "));
        let names = names.map(|line| line.split(' ').next().unwrap());
        assert_eq!(
            names.collect::<Vec<_>>(),
            ["op-c.txt", "op-a.txt", "op-b.txt"],
            "{policy}"
        );
    }
    let ran = folder.run(&words("prune --session run.jsonl --max-bytes 4000 --apply"));
    assert!(ran.ok().stdout().ends_with("removed 1 file, 2000 bytes\n"));
}
