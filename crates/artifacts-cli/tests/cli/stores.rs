//! Directories in which the proxy or a hook stores: what they noted names artifacts, too (I6).

use serde_json::json;

use super::bin::{Folder, words};

const PRUNE: &str = "prune --session run.jsonl --unreferenced --apply";

/// What a hook stored beside `NAME.jsonl`: one result, and a line in `NAME.calls`.
fn hooked(folder: &Folder, name: &str) {
    let input = json!({
        "session_id": "s", "transcript_path": folder.path(&format!("{name}.jsonl")),
        "cwd": folder.path(""), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "cat build.log"},
        "tool_response": {
            "stdout": "of the log\n".repeat(4_000), "stderr": "", "interrupted": false,
            "isImage": false,
        },
        "tool_use_id": "toolu_1",
    });
    let hook = ["hook", "claude-code"];
    folder.run_with(&hook, input.to_string().as_bytes()).ok();
}

/// A run in whose directory a hook stored, too, and nothing else wrote down.
fn shared() -> Folder {
    let folder = Folder::new();
    let settle = words("settle --session run.jsonl --op-id op-1 --limit 10");
    folder.run_with(&settle, &[b'x'; 5_000]).ok();
    hooked(&folder, "run");
    folder
}

#[test]
fn what_the_call_log_names_is_no_orphan() {
    let folder = shared();
    let before = folder.files();
    assert!(before.contains(&"run.calls".to_owned()), "{before:?}");
    insta::assert_snapshot!("shared_prune", folder.run(&words(PRUNE)).ok().report());
    assert_eq!(folder.files(), before);
    for command in ["scan", "verify", "list"] {
        let ran = folder.run(&[command, "--session", "run.jsonl"]).ok();
        insta::assert_snapshot!(format!("shared_{command}"), ran.report());
    }
}

#[test]
fn a_call_log_that_cannot_be_read_may_name_any_artifact() {
    let folder = shared();
    let before = folder.files();
    folder.put(
        "run.calls",
        folder.text("run.calls") + "{\"artifact\":\"x-b\n",
    );
    let ran = folder.run(&words(PRUNE)).fails_with(2);
    insta::assert_snapshot!("shared_damaged", ran.report());
    assert_eq!(folder.files(), before);
}

#[test]
fn what_a_model_stored_is_named_by_the_index() {
    let folder = Folder::new();
    let settle = words("settle --session run.jsonl --op-id op-1 --limit 10");
    folder.run_with(&settle, &[b'x'; 5_000]).ok();
    // As the index of a run has it in which its model calls `store_artifact`.
    folder.put("run.artifacts/stored-1.txt", "of the model");
    let entry = json!({"put": {"name": "stored-1.txt"}});
    folder.put("run.artifacts/index.jsonl", format!("{entry}\n"));
    let before = folder.files();
    folder.run(&words(PRUNE)).ok();
    assert_eq!(folder.files(), before);
}

#[test]
fn what_a_hook_stored_is_looked_after_by_its_directory() {
    let folder = Folder::new();
    hooked(&folder, "chat");
    let client = "{\"type\":\"user\",\"uuid\":\"1\"}\n";
    folder.put("chat.jsonl", client);
    folder.put("chat.artifacts/orphan.txt", "of a crash");
    for command in ["list", "usage", "verify", "scan", "prune"] {
        let ran = folder.run(&[command, "--dir", "chat.artifacts"]).ok();
        insta::assert_snapshot!(format!("dir_{command}"), ran.report());
    }
    for command in ["list", "usage", "scan", "prune", "replay"] {
        let ran = folder.run(&[command, "--session", "chat.jsonl"]);
        let ran = ran.fails_with(2).report();
        insta::assert_snapshot!("session_of_a_client", ran);
    }
    let fork = words("fork --session chat.jsonl copy.jsonl");
    insta::assert_snapshot!("session_of_a_client", folder.run(&fork).report());
    let unreferenced = words("prune --dir chat.artifacts --unreferenced --apply");
    let ran = folder.run(&unreferenced).fails_with(2).report();
    insta::assert_snapshot!("dir_unreferenced", ran);
    let gone = folder.run(&["list", "--dir", "gone.artifacts"]);
    insta::assert_snapshot!("dir_gone", gone.fails_with(2).report());
    assert_eq!(folder.text("chat.jsonl"), client);
    let all = words("prune --dir chat.artifacts --max-bytes 0 --apply");
    folder.run(&all).ok();
    for command in ["list", "verify", "scan"] {
        let ran = folder.run(&[command, "--dir", "chat.artifacts"]).ok();
        insta::assert_snapshot!(format!("dir_{command}_pruned"), ran.report());
    }
}

#[test]
fn a_directory_of_artifacts_tells_what_was_changed() {
    let folder = Folder::new();
    hooked(&folder, "chat");
    let files = folder.files();
    let name = files.iter().find(|name| name.ends_with(".txt")).unwrap();
    folder.put(name, "other\n".repeat(44_000 / 6));
    let ran = folder.run(&["verify", "--dir", "chat.artifacts"]);
    assert_eq!(ran.code(), Some(1), "{}", ran.report());
    folder.remove(name);
    let ran = folder.run(&["scan", "--dir", "chat.artifacts"]);
    assert_eq!(ran.code(), Some(1), "{}", ran.report());
    assert!(ran.stdout().starts_with("missing  "), "{}", ran.report());
}

#[test]
fn a_directory_beside_a_run_is_that_of_the_run() {
    let folder = shared();
    for command in ["list", "scan", "verify"] {
        let by = |place: &[&str]| folder.run(&[&[command], place].concat()).ok().report();
        let of_run = by(&["--session", "run.jsonl"]);
        assert_eq!(by(&["--dir", "run.artifacts"]), of_run);
        assert_eq!(by(&["--dir", "./run.artifacts/"]), of_run);
    }
}
