use std::process::Command;

use serde_json::json;

use super::bin::Folder;
use super::mcp_bench::{answers, call, log, server, text};

#[test]
fn both_caps_are_printed_and_a_limit_over_the_hosts_is_found() {
    let folder = Folder::new();
    for host in ["generic", "claude-code", "codex"] {
        let ran = folder.run(&["mcp", "--host", host, "--check"]).ok();
        insta::assert_snapshot!(format!("mcp_check_{host}"), ran.report());
    }
    let args = ["mcp", "--host", "codex", "--limit", "20000", "--check"];
    insta::assert_snapshot!("mcp_check_over", folder.run(&args).fails_with(1).report());
}

#[test]
fn the_check_finds_the_limit_of_a_single_tool() {
    let folder = Folder::new();
    folder.put(
        "policy.json",
        r#"{"tools": {"dump": {"limit": 50000}, "all": "raw"}}"#,
    );
    let args = ["mcp", "--policy", "policy.json", "--check"];
    let ran = folder.run(&args).fails_with(1);
    assert!(ran.stderr().contains("\"dump\""), "{}", ran.stderr());
    folder.put(
        "policy.json",
        r#"{"tools": {"dump": {"limit": 5000}, "all": "raw"}}"#,
    );
    folder.run(&args).ok();
}

#[test]
fn what_the_check_advises_can_be_followed() {
    let folder = Folder::new();
    let policy = |limit: u64| json!({"limit": limit, "tools": {"dump": {"limit": limit + 1}}});
    let args = [
        "mcp", "--host", "codex", "--limit", "10", "--policy", "p.json", "--check",
    ];
    folder.put("p.json", policy(20_000).to_string());
    let ran = folder.run(&args);
    insta::assert_snapshot!("mcp_check_findings", ran.report());
    let (_, most) = ran.stderr().trim_end().rsplit_once(' ').unwrap();
    let most = most.parse::<u64>().unwrap();
    folder.put("p.json", policy(most - 1).to_string());
    folder.run(&args).ok();
    folder.put("p.json", policy(most).to_string());
    folder.run(&args).fails_with(1);
}

#[test]
fn a_large_result_is_stored_for_this_process_and_the_next() {
    let folder = Folder::new();
    let server = server(&log());
    let args = ["mcp", "--", "sh", "-c", &server];
    let ran = folder
        .run_with(&args, call(1, "read_log", &json!({})).as_bytes())
        .ok();
    let shown = answers(ran.stdout());
    assert!(text(&shown[0]).len() < 9_000);
    let file = shown[0]["result"]["_meta"]["dev.tool-artifacts/artifact"]["file"].clone();
    let stored = folder.files();
    let stored = stored
        .iter()
        .find(|path| path.ends_with(file.as_str().unwrap()))
        .unwrap();
    assert!(stored.starts_with(".local/state/artifacts/sh-"), "{stored}");
    assert_eq!(folder.text(stored), log());

    let arguments = json!({"name": file, "pattern": "line 1000 "});
    let ran = folder
        .run_with(&args, call(2, "search_artifact", &arguments).as_bytes())
        .ok();
    assert!(text(&answers(ran.stdout())[0]).contains("line 1000 of the log"));
}

#[test]
fn results_are_kept_where_it_is_told() {
    let server = server(&log());
    for (flag, value) in [("--dir", "kept"), ("--session", "kept.jsonl")] {
        let folder = Folder::new();
        let args = [
            "mcp", flag, value, "--limit", "500", "--", "sh", "-c", &server,
        ];
        let ran = folder
            .run_with(&args, call(1, "t", &json!({})).as_bytes())
            .ok();
        assert!(text(&answers(ran.stdout())[0]).len() < 800);
        let dir = value.replace(".jsonl", ".artifacts");
        assert!(
            folder
                .files()
                .iter()
                .any(|path| path.starts_with(&format!("{dir}/t-")))
        );
        // With the name of the file it is read from the shell as well.
        let name = folder
            .files()
            .into_iter()
            .find(|path| path.starts_with(&format!("{dir}/")))
            .unwrap();
        let name = name.strip_prefix(&format!("{dir}/")).unwrap();
        let read = folder
            .run(&["read", name, "--dir", &dir, "--lines", "1001:1001"])
            .ok();
        assert_eq!(read.stdout(), "line 1000 of the log\n");
    }
}

#[test]
fn the_policy_file_of_the_manual_does_what_it_says() {
    let manual = include_str!("../../../../docs/agents.md");
    let (_, example) = manual.split_once("```json\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let folder = Folder::new();
    folder.put("policy.json", example);
    let checked = folder
        .run(&["mcp", "--policy", "policy.json", "--check"])
        .ok();
    assert!(checked.stdout().contains("limit here: 6000 graphemes"));
    let server = server(&log());
    let args = ["--policy", "policy.json", "--dir", "kept"];
    let args = [&["mcp"], &args[..], &["--", "sh", "-c", &server]].concat();
    let tools = ["other", "tail_log", "export_csv", "screenshot"];
    let calls = (1..).zip(tools);
    let calls = calls.map(|(id, tool)| call(id, tool, &json!({})));
    let ran = folder
        .run_with(&args, calls.collect::<String>().as_bytes())
        .ok();
    let answers = answers(ran.stdout());
    let of = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap();
    let is_stored = |id: u64| of(id)["result"].get("_meta").is_some();
    assert!((6_000..6_400).contains(&text(of(1)).len()) && is_stored(1));
    assert!((2_000..2_400).contains(&text(of(2)).len()) && is_stored(2));
    assert!(text(of(3)) == log() && is_stored(3));
    assert!(text(of(4)) == log() && !is_stored(4));
}

#[test]
fn policies_are_read_from_a_file() {
    let folder = Folder::new();
    folder.put(
        "policy.json",
        r#"{"tools": {"whole": "exempt", "t": {"limit": 100}}}"#,
    );
    let server = server(&log());
    let args = [
        "mcp",
        "--policy",
        "policy.json",
        "--dir",
        "kept",
        "--",
        "sh",
        "-c",
        &server,
    ];
    let calls = call(1, "whole", &json!({})) + &call(2, "t", &json!({}));
    let ran = folder.run_with(&args, calls.as_bytes()).ok();
    let answers = answers(ran.stdout());
    let of = |id: u64| text(answers.iter().find(|answer| answer["id"] == id).unwrap());
    assert_eq!(of(1), log());
    assert!(of(2).len() < 400);
    folder.put("policy.json", r#"{"tool": {}}"#);
    insta::assert_snapshot!("mcp_policy", folder.run(&args).fails_with(2).report());
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_made_is_told_with_what_to_do() {
    let folder = Folder::new();
    let server = server(&log());
    let args = ["mcp", "--dir", "/proc/kept", "--", "sh", "-c", &server];
    let ran = folder.run_with(&args, call(1, "t", &json!({})).as_bytes());
    insta::assert_snapshot!("mcp_no_directory", ran.ok().stderr());
}

#[test]
fn a_folder_or_a_disk_that_takes_nothing_fails_no_call() {
    let check = |folder: &Folder, command: &mut Command| {
        folder.put(
            "call.json",
            call(1, "t", &json!({})) + &call(2, "t", &json!({})),
        );
        let stdin = std::fs::File::open(folder.path("call.json")).unwrap();
        let output = command.stdin(stdin).output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        for answer in answers(&stdout) {
            let shown = text(&answer);
            assert!(shown.contains("full result could not be stored, sha256 "));
            let told = &answer["result"]["_meta"]["dev.tool-artifacts/artifact"];
            assert_eq!(told["stored"], false);
            assert!(!told["reason"].as_str().unwrap().is_empty());
        }
        assert_eq!(output.status.code(), Some(0));
        // The user is told once, whatever their number.
        let stderr = String::from_utf8(output.stderr).unwrap();
        let told = "artifacts: the result of t could not be stored, and others may not be: ";
        assert_eq!(
            (stderr.matches(told).count(), stderr.lines().count()),
            (1, 1),
            "{stderr}"
        );
    };
    let server = server(&log());
    let words = [
        "mcp",
        "--dir",
        "kept/run.artifacts",
        "--",
        "sh",
        "-c",
        &server,
    ];
    // Files of at most 8 KiB: as on a full disk, a write fails half-way.
    let folder = Folder::new();
    folder.make_folder("kept");
    let artifacts = env!("CARGO_BIN_EXE_artifacts");
    let limited = format!("ulimit -f 8; exec '{artifacts}' \"$@\"");
    let mut command = Command::new("sh");
    command
        .args(["-c", &limited, "sh"])
        .args(words)
        .current_dir(folder.path(""));
    check(&folder, &mut command);

    let folder = Folder::new();
    folder.make_folder("kept");
    let Some(folder) = folder.of_another_user() else {
        println!("skipped: a read-only folder, which takes another user");
        return;
    };
    folder.set_mode("kept", 0o555);
    check(&folder, &mut folder.command(&words));
}
