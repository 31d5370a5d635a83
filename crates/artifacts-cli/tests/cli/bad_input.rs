//! Each bad input: one line that says what to do, the right status, nothing half-written.

use super::bin::{Folder, steady, words};
use super::reading::{lines, settled};

const SETTLE: [&str; 5] = ["settle", "--session", "run.jsonl", "--op-id", "op-1"];

#[track_caller]
fn check(folder: &Folder, name: &str, code: i32, args: &[&str]) {
    let before = folder.files();
    let ran = folder.run(args).fails_with(code);
    assert_eq!(ran.stdout(), "", "{name}");
    assert_eq!(folder.files(), before, "{name}");
    insta::assert_snapshot!(name, ran.report());
}

#[test]
fn bad_files_and_flags_are_refused_before_anything_is_written() {
    let folder = Folder::new();
    folder.put("a.txt", "text");
    folder.make_folder("folder");
    let settle = |more: &[&'static str]| [&SETTLE[..], more].concat();
    check(&folder, "settle_no_such_file", 3, &settle(&["gone.txt"]));
    check(&folder, "settle_folder", 2, &settle(&["folder"]));
    check(
        &folder,
        "settle_limit_0",
        2,
        &settle(&["--limit", "0", "a.txt"]),
    );
    check(
        &folder,
        "settle_limit_negative",
        2,
        &settle(&["--limit", "-1", "a.txt"]),
    );
    check(
        &folder,
        "settle_render_unknown",
        2,
        &settle(&["--render", "poem", "a.txt"]),
    );
    check(
        &folder,
        "settle_no_op_id",
        2,
        &["settle", "--session", "run.jsonl", "a.txt"],
    );
    check(
        &folder,
        "settle_no_session",
        2,
        &["settle", "--op-id", "op-1", "a.txt"],
    );
    let missing = words("settle --session gone/run.jsonl --op-id op-1 a.txt");
    check(&folder, "settle_session_in_missing_folder", 3, &missing);
    let place = ["settle", "--session", "folder", "--op-id", "op-1", "a.txt"];
    check(&folder, "settle_session_is_a_folder", 2, &place);
}

#[test]
fn an_operation_is_settled_once() {
    let folder = Folder::new();
    folder.run_with(&SETTLE, b"first").ok();
    let before = folder.text("run.jsonl");
    check(&folder, "settle_twice", 2, &SETTLE);
    assert_eq!(folder.text("run.jsonl"), before);
}

#[test]
fn every_command_that_reads_a_run_names_what_is_wrong_with_it() {
    let folder = Folder::new();
    let commands: [&[&str]; 10] = [
        &["replay"],
        &["read", "op-1.txt"],
        &["search", "op-1.txt", "x"],
        &["describe", "op-1.txt"],
        &["list"],
        &["verify"],
        &["scan"],
        &["usage"],
        &["prune"],
        &["fork", "copy.jsonl"],
    ];
    for command in commands {
        let args = [command, &["--session", "gone.jsonl"]].concat();
        check(
            &folder,
            &format!("no_such_session_{}", command[0]),
            3,
            &args,
        );
    }
    let line = r#"{"id":"m-0","payload":{"content":"hi","role":"user"},"ts":"2026-08-10T12:34:56.000001Z","type":"message","v":1}"#;
    folder.put("run.jsonl", format!("{line}\n{{\"id\": oops\n{line}\n"));
    let damaged = folder.text("run.jsonl");
    for command in commands {
        let code = if command[0] == "verify" { 1 } else { 2 };
        let args = [command, &["--session", "run.jsonl"]].concat();
        check(
            &folder,
            &format!("damaged_session_{}", command[0]),
            code,
            &args,
        );
    }
    check(&folder, "damaged_session_settle", 2, &SETTLE);
    folder.make_folder("folder");
    for command in commands {
        let args = [command, &["--session", "folder"]].concat();
        let ran = folder.run(&args);
        // As `settle`: what was named is no transcript.
        assert!(ran.fails_with(2).stderr().contains("folder"), "{command:?}");
    }
    assert_eq!(folder.text("run.jsonl"), damaged);
}

#[test]
fn a_torn_last_line_is_set_aside_and_nothing_lost() {
    let folder = Folder::new();
    folder.run_with(&SETTLE, b"first").ok();
    let whole = folder.text("run.jsonl");
    folder.put("run.jsonl", format!("{whole}{{\"id\":\"torn"));
    folder.run(&["replay", "--session", "run.jsonl"]).ok();
    let second = ["settle", "--session", "run.jsonl", "--op-id", "op-2"];
    folder.run_with(&second, b"second").ok();
    assert!(folder.text("run.jsonl").starts_with(&whole));
    assert_eq!(folder.text("run.jsonl").lines().count(), 6);
    let files = folder.files();
    let aside = files.iter().find(|file| file.contains("torn")).unwrap();
    assert_eq!(steady(&folder.text(aside)).trim_end(), "{\"id\":\"torn");
}

#[test]
#[cfg(unix)]
fn unreadable_and_read_only_places_are_refused() {
    let Some(folder) = Folder::new().of_another_user() else {
        println!("skipped: root reads and writes everywhere, and setpriv is missing");
        return;
    };
    folder.put("secret.txt", "text");
    folder.put("a.txt", "text");
    folder.make_folder("sealed");
    folder.set_mode("secret.txt", 0o000);
    folder.set_mode("sealed", 0o555);
    check(
        &folder,
        "settle_unreadable_file",
        3,
        &[&SETTLE[..], &["secret.txt"]].concat(),
    );
    let sealed = words("settle --session sealed/run.jsonl --op-id op-1 a.txt");
    check(&folder, "settle_session_in_read_only_folder", 3, &sealed);
}

#[test]
fn what_is_refused_says_where_to_read_on() {
    let folder = Folder::new();
    folder.put("binary", [0xff; 9]);
    folder.make_folder("run.artifacts");
    for (name, args) in [
        (
            "value_no_number",
            "settle --session run.jsonl --op-id a --limit abc",
        ),
        ("policy_no_text", "mcp --policy binary --check"),
        ("stats_nothing", "stats run.artifacts"),
    ] {
        check(&folder, name, 2, &words(args));
    }
}

#[test]
fn what_is_missing_is_told_with_every_choice() {
    let folder = Folder::new();
    let said = ["list", "stats", "verify", "prune"].map(|command| {
        let ran = folder.run(&[command]).fails_with(2);
        ran.stderr().to_owned()
    });
    insta::assert_snapshot!("no_place", said.concat());
    let check = |name: &str, line: &str| {
        insta::assert_snapshot!(name, folder.run(&words(line)).fails_with(2).report());
    };
    check("run_without_separator", "run --session run.jsonl echo hi");
    check("settle_no_id", "settle --session run.jsonl --op-id=");
    assert!(folder.files().is_empty());
}

#[test]
fn a_path_as_run_prints_it_is_told_to_be_one() {
    let folder = settled(lines().as_bytes());
    let read = |args: &str| folder.run(&words(&format!("read run.artifacts/op-1.txt {args}")));
    let said = |args: &str| read(args).fails_with(2).stderr().to_owned();
    let base = "artifacts: \"run.artifacts/op-1.txt\" is a path: give its base name, op-1.txt";
    assert_eq!(said("--session run.jsonl"), format!("{base}\n"));
    assert_eq!(said("--dir run.artifacts"), format!("{base}\n"));
    assert_eq!(said(""), format!("{base}, and --dir run.artifacts\n"));
}

#[test]
fn a_directory_that_is_given_as_a_transcript_is_told_the_flag_for_it() {
    let folder = settled(lines().as_bytes());
    for command in ["verify", "list", "stats", "read op-1", "search op-1 x"] {
        let ran = folder.run(&words(&format!("{command} --session run.artifacts")));
        let ran = ran.fails_with(2);
        let told = "it is a directory; give it as --dir run.artifacts";
        assert!(ran.stderr().contains(told), "{}", ran.report());
    }
}
