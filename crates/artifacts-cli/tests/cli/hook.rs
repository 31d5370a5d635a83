use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::bin::{Folder, Ran};

fn lines() -> String {
    (0..4_000)
        .map(|line| format!("line {line} of the log\n"))
        .collect()
}

/// What Claude Code hands its hook after a shell command.
fn input(folder: &Folder, stdout: &str) -> String {
    let input = json!({
        "session_id": "s", "transcript_path": folder.path("session.jsonl"), "cwd": folder.path(""),
        "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "cat build.log"},
        "tool_response": {"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false},
        "tool_use_id": "toolu_1",
    });
    input.to_string()
}

/// The output of the tool as the model sees it.
fn shown(ran: &Ran) -> String {
    let output: Value = serde_json::from_str(ran.stdout()).unwrap();
    let output = &output["hookSpecificOutput"]["updatedToolOutput"]["stdout"];
    output.as_str().unwrap().to_owned()
}

/// The file that the marker names.
fn file(shown: &str) -> String {
    let (_, rest) = shown.split_once("full result: ").unwrap();
    rest.split_once(' ').unwrap().0.to_owned()
}

#[test]
fn what_the_hook_stored_is_read_with_its_name_alone() {
    let folder = Folder::new();
    let ran = folder
        .run_with(
            &["hook", "claude-code"],
            input(&folder, &lines()).as_bytes(),
        )
        .ok();
    assert_eq!(ran.stderr(), "");
    let shown = shown(&ran);
    assert!(shown.contains(
        "[to see more of it, run artifacts read, artifacts search or artifacts expand with that file name]"
    ), "{shown}");
    let name = file(&shown);
    let run = |args: &[&str]| folder.run(args).ok().stdout().to_owned();
    assert_eq!(run(&["read", &name, "--all"]), lines());
    assert_eq!(
        run(&["read", &name, "--lines", "2001:2001"]),
        "line 2000 of the log\n"
    );
    assert_eq!(
        run(&["search", &name, "line 2000 "]),
        "2001:40890: line 2000 of the log\n"
    );
    assert!(run(&["expand", &name, "Which line is 2000?"]).contains("line 2000 of the log"));
    // The client's own transcript, or the directory, say where as well.
    folder.put("session.jsonl", "{\"type\":\"user\"}\n");
    for place in [
        ["--session", "session.jsonl"],
        ["--dir", "session.artifacts"],
    ] {
        let args = [&["read", &name, "--lines", "1:1"], &place[..]].concat();
        assert_eq!(run(&args), "line 0 of the log\n");
    }
    let stats = folder.run(&["stats", "session.artifacts", "--json"]).ok();
    let stats: Value = serde_json::from_str(stats.stdout()).unwrap();
    assert_eq!(
        (&stats["total"]["calls"], &stats["total"]["reads"]),
        (&json!(1), &json!(6))
    );
}

#[test]
fn the_sessions_of_this_folder_come_first() {
    let folder = Folder::new();
    for (at, text) in [("one", "1"), ("two", "2")] {
        folder.make_folder(at);
        let body = format!("{text} of the log\n").repeat(4_000);
        let input = input(&folder, &body).replace("session.jsonl", &format!("{at}.jsonl"));
        folder.put("input.json", input);
        let stdin = std::fs::File::open(folder.path("input.json")).unwrap();
        let mut command = folder.command(&["hook", "claude-code"]);
        assert!(
            command
                .current_dir(folder.path(at))
                .stdin(stdin)
                .output()
                .unwrap()
                .status
                .success()
        );
    }
    let name = folder
        .files()
        .into_iter()
        .find(|name| name.starts_with("one.artifacts/"))
        .unwrap();
    let name = name.strip_prefix("one.artifacts/").unwrap();
    for (at, line) in [("one", "1 of the log\n"), ("two", "2 of the log\n")] {
        let mut command = folder.command(&["read", name, "--lines", "1:1"]);
        let output = command.current_dir(folder.path(at)).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), line);
    }
}

#[test]
fn a_client_is_named_as_a_word_or_as_a_flag_or_told_by_its_input() {
    for args in [
        &["hook", "claude-code"][..],
        &["hook", "--host", "claude-code"],
        &["hook"],
    ] {
        let folder = Folder::new();
        let ran = folder
            .run_with(args, input(&folder, &lines()).as_bytes())
            .ok();
        assert!(shown(&ran).len() < 25_000);
    }
    let folder = Folder::new();
    let input = input(&folder, "").replace(
        "\"tool_response\":{",
        "\"turn_id\":\"t\",\"tool_response\":\"TEXT\",\"rest\":{",
    );
    let input = input.replace("TEXT", &"x".repeat(9_500));
    let ran = folder.run_with(&["hook", "codex"], input.as_bytes()).ok();
    let output: Value = serde_json::from_str(ran.stdout()).unwrap();
    assert_eq!(output["decision"], "block");
    for args in [
        &["hook", "codex", "--host", "codex"][..],
        &["hook", "claude"],
        &["hook", "--hots"],
    ] {
        let mistaken = folder.run(args).ok();
        assert_eq!(mistaken.stdout(), "{}\n");
        assert!(
            mistaken.stderr().contains("--help`"),
            "{}",
            mistaken.stderr()
        );
    }
}

#[test]
fn a_hook_never_stands_in_the_way() {
    let folder = Folder::new();
    for bad in ["", "no JSON", "[1]", "{\"hook_event_name\":7}", "{}"] {
        let ran = folder.run_with(&["hook", "codex"], bad.as_bytes()).ok();
        assert_eq!(ran.stdout(), "{}\n", "{bad:?}");
    }
    let ran = folder.run_with(&["hook"], b"no JSON").ok();
    insta::assert_snapshot!("hook_no_json", ran.report());
    let fitting = folder
        .run_with(&["hook"], input(&folder, "ok").as_bytes())
        .ok();
    assert_eq!(fitting.stdout(), "{}\n");
    // Where nothing can be written there is an excerpt all the same, and no hint at commands.
    let blocked = Folder::new();
    blocked.put("session.artifacts", "in the way");
    blocked.put(".local", "in the way");
    let ran = blocked
        .run_with(&["hook"], input(&blocked, &lines()).as_bytes())
        .ok();
    let shown = shown(&ran);
    assert!(
        shown.contains("full result could not be stored, sha256 "),
        "{shown}"
    );
    assert!(!shown.contains("artifacts read"));
}

#[test]
fn a_limit_and_policies_hold_as_they_do_for_the_proxy() {
    let folder = Folder::new();
    let run = |args: &[&str]| {
        let args = [&["hook", "claude-code"], args].concat();
        let ran = folder.run_with(&args, input(&folder, &lines()).as_bytes());
        ran.ok()
    };
    let limited = shown(&run(&["--limit", "2000"]));
    assert!((1_900..2_640).contains(&limited.len()), "{limited}");
    folder.put(
        "p.json",
        r#"{"limit": 3000, "tools": {"Read": "exempt", "Grep": {"limit": 900}}}"#,
    );
    let limited = shown(&run(&["--limit", "2000", "--policy", "p.json"]));
    assert!((2_900..3_640).contains(&limited.len()), "{limited}");
    folder.put("p.json", r#"{"tools": {"Bash": "exempt"}}"#);
    let ran = run(&["--policy", "p.json"]);
    assert_eq!((ran.stdout(), ran.stderr()), ("{}\n", ""));
    // What the client would cut the marker out of is said, and holds.
    let ran = run(&["--limit", "60000"]);
    insta::assert_snapshot!("hook_above_cap", ran.stderr());
}

#[test]
fn a_raw_result_passes_whole_and_is_read_by_its_name() {
    let folder = Folder::new();
    folder.put("p.json", r#"{"tools": {"Bash": "raw"}}"#);
    let args = ["hook", "--policy", "p.json"];
    let ran = folder.run_with(&args, input(&folder, &lines()).as_bytes());
    assert_eq!(ran.ok().stdout(), "{}\n");
    let name = folder.files().into_iter();
    let mut name =
        name.filter_map(|name| Some(name.strip_prefix("session.artifacts/")?.to_owned()));
    let name = name.find(|name| name.ends_with(".txt")).unwrap();
    let read = folder.run(&["read", &name, "--lines", "8:8"]).ok();
    assert_eq!(read.stdout(), "line 7 of the log\n");
}

#[test]
fn bad_policies_are_told_and_stand_in_nobodys_way() {
    let folder = Folder::new();
    folder.put("p.json", r#"{"tools": {"Bash": "whole"}}"#);
    for (name, args) in [
        ("hook_policy", ["--policy", "p.json"]),
        ("hook_policy_missing", ["--policy", "none.json"]),
        ("hook_limit_0", ["--limit", "0"]),
        ("hook_limit_text", ["--limit", "many"]),
    ] {
        let args = [&["hook", "claude-code"], &args[..]].concat();
        let ran = folder.run_with(&args, input(&folder, &lines()).as_bytes());
        insta::assert_snapshot!(name, ran.ok().report());
    }
    assert_eq!(folder.files(), ["p.json"]);
}

#[test]
fn a_hook_with_bad_flags_takes_its_input_all_the_same() {
    let folder = Folder::new();
    let mut child = folder
        .command(&["hook", "--limit", "many"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // More than a pipe holds.
    let written = child.stdin.take().unwrap().write_all(&vec![b'x'; 1 << 20]);
    assert!(written.is_ok(), "{written:?}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"{}\n");
}

#[test]
fn what_no_hook_stored_is_said_with_what_to_do() {
    let folder = Folder::new();
    let check = |name: &str, args: &[&str]| {
        insta::assert_snapshot!(name, folder.run(args).fails_with(2).report());
    };
    check("read_unhooked", &["read", "toolu-1.txt"]);
    check(
        "read_no_dir",
        &["read", "toolu-1.txt", "--dir", "none.artifacts"],
    );
    check("read_hooked_path", &["read", "../../etc/passwd"]);
}

/// What the client hands its hook after the command, and that the hook leaves it as it is.
fn is_left_as_it_is(folder: &Folder, printed: &str) {
    is_left_within(folder, printed, "8000");
}

fn is_left_within(folder: &Folder, printed: &str, limit: &str) {
    let input = json!({
        "transcript_path": folder.path("session.jsonl"), "hook_event_name": "PostToolUse",
        "turn_id": "t", "tool_name": "Bash", "tool_use_id": "again", "tool_response": printed,
    });
    let args = ["hook", "codex", "--limit", limit];
    let ran = folder.run_with(&args, input.to_string().as_bytes());
    assert_eq!(ran.ok().stdout(), "{}\n", "{} bytes", printed.len());
}

/// Has the hook store the text; returns the file's name.
fn stored(folder: &Folder, text: &str) -> String {
    let ran = folder
        .run_with(&["hook"], input(folder, text).as_bytes())
        .ok();
    file(&shown(&ran))
}

#[test]
fn the_hooks_advice_reads_all_of_it_in_pages_and_makes_no_second_artifact() {
    for text in [lines(), "宇".repeat(20_000), "x".repeat(50_000)] {
        let folder = Folder::new();
        let name = stored(&folder, &text);
        let (mut read, mut args) = (String::new(), vec!["read".to_owned(), name]);
        loop {
            let words = args.iter().map(String::as_str).collect::<Vec<_>>();
            let ran = folder.run(&words).ok();
            is_left_as_it_is(&folder, &format!("{}{}", ran.stdout(), ran.stderr()));
            read.push_str(ran.stdout());
            let Some((_, next)) = ran.stderr().split_once("go on with: artifacts ") else {
                break;
            };
            args = next.split_whitespace().map(str::to_owned).collect();
        }
        assert!(read == text);
        let artifacts = folder.files().into_iter();
        let artifacts = artifacts.filter(|file| file.ends_with(".txt")).count();
        assert_eq!(artifacts, 1);
    }
}

#[test]
fn a_smaller_limit_has_smaller_pages_and_one_that_holds_none_names_no_commands() {
    let text = lines();
    for limit in ["600", "2000"] {
        let folder = Folder::new();
        let args = ["hook", "--limit", limit];
        let ran = folder.run_with(&args, input(&folder, &text).as_bytes());
        let name = file(&shown(&ran.ok()));
        let check = |args: &[&str]| {
            let ran = folder.run(args).ok();
            is_left_within(&folder, &format!("{}{}", ran.stdout(), ran.stderr()), limit);
            ran.stdout().to_owned()
        };
        let first = check(&["read", &name]);
        assert!(first.len() > 500 && text.starts_with(&first), "{first}");
        assert!(check(&["search", &name, "line"]).contains("line 1 "));
        check(&["expand", &name, "Which line is 2000?"]);
    }
    let folder = Folder::new();
    let args = ["hook", "--limit", "500"];
    let ran = folder.run_with(&args, input(&folder, &text).as_bytes());
    assert!(!shown(&ran.ok()).contains("artifacts read"));
}

#[test]
fn searches_and_questions_of_what_the_hook_stored_print_no_more_than_a_page() {
    let folder = Folder::new();
    let name = stored(&folder, &"needle 宇宙の 針 and hay ".repeat(20_000));
    let (mut from, mut found) = ("0".to_owned(), 0);
    for _ in 0..3 {
        let ran = folder
            .run(&["search", &name, "needle", "--from", &from])
            .ok();
        is_left_as_it_is(&folder, &format!("{}{}", ran.stdout(), ran.stderr()));
        found += ran.stdout().lines().count();
        let (_, next) = ran.stderr().split_once("--from ").unwrap();
        let next = next.trim().to_owned();
        assert!(next.parse::<u64>().unwrap() > from.parse::<u64>().unwrap());
        from = next;
    }
    assert!(found > 15, "{found}");
    let ran = folder.run(&["expand", &name, "where is the needle?"]).ok();
    assert!(ran.stdout().contains("needle"));
    is_left_as_it_is(&folder, &format!("{}{}", ran.stdout(), ran.stderr()));
    // A person may have more.
    let all = ["search", &name, "needle", "--all", "--max", "300"];
    assert_eq!(folder.run(&all).ok().stdout().lines().count(), 300);
}

#[test]
fn json_of_what_the_hook_stored_is_no_more_than_a_page_either() {
    for text in [
        lines(),
        "needle\0\u{1b}\"\n".repeat(9_000),
        "\0".repeat(60_000),
    ] {
        for limit in ["600", "8000"] {
            let folder = Folder::new();
            let args = ["hook", "--limit", limit];
            let ran = folder.run_with(&args, input(&folder, &text).as_bytes());
            let name = file(&shown(&ran.ok()));
            let check = |args: &[&str]| {
                let ran = folder.run(args).ok();
                is_left_within(&folder, &format!("{}{}", ran.stdout(), ran.stderr()), limit);
                let object = serde_json::from_str::<Value>(ran.stdout()).unwrap();
                (object, ran.stderr().to_owned())
            };
            let (found, said) = check(&["search", &name, r"(?s-u:.)", "--json"]);
            assert!(!found["matches"].as_array().unwrap().is_empty());
            assert!(said.contains("; go on with the same and --from "), "{said}");
            let (found, _) = check(&["search", &name, r"(?s-u:.)+", "--json"]);
            assert!(!found["matches"][0]["text"].as_str().unwrap().is_empty());
            let (passages, _) = check(&["expand", &name, "line needle", "--json"]);
            assert!(!passages["passages"].as_array().unwrap().is_empty());
        }
    }
}

#[test]
fn what_stands_before_each_line_of_a_match_counts_into_its_page() {
    let folder = Folder::new();
    let args = ["hook", "--limit", "600"];
    let text = "\n".repeat(9_000);
    let ran = folder.run_with(&args, input(&folder, &text).as_bytes());
    let name = file(&shown(&ran.ok()));
    let ran = folder
        .run(&["search", &name, "^", "--context", "5000"])
        .ok();
    assert!(ran.stdout().starts_with("1:0: \n"), "{}", ran.stdout());
    is_left_within(&folder, &format!("{}{}", ran.stdout(), ran.stderr()), "600");
}

#[test]
fn pages_of_a_search_have_each_match_once() {
    let folder = Folder::new();
    let name = stored(&folder, &lines());
    let (mut from, mut found) = ("0".to_owned(), String::new());
    loop {
        let ran = folder.run(&["search", &name, "z*", "--from", &from]).ok();
        found.push_str(ran.stdout());
        let Some((_, next)) = ran.stderr().split_once("--from ") else {
            break;
        };
        from = next.trim().to_owned();
    }
    let all = folder
        .run(&["search", &name, "z*", "--all", "--max", "1000000"])
        .ok();
    assert!(
        found == all.stdout(),
        "{} and {}",
        found.lines().count(),
        all.stdout().lines().count()
    );
}
