//! The part of an artifact that is read.

use super::bin::words;
use super::reading::{lines, settled};

#[test]
fn an_artifact_is_read_whole_and_in_part() {
    let folder = settled(lines().as_bytes());
    let check = |part: &[&str], expected: &str| {
        for name in ["op-1.txt", "op-1"] {
            let args = [&["read", name, "--session", "run.jsonl"], part].concat();
            assert_eq!(folder.run(&args).ok().stdout(), expected, "{part:?}");
        }
    };
    check(&[], &lines());
    check(&["--lines", "1:2"], "line 0\nline 1\n");
    check(&["--lines", "7:7"], "line 6\n");
    check(&["--lines", ":2"], "line 0\nline 1\n");
    check(&["--lines", "999:"], "line 998\nline 999\n");
    check(&["--lines", "999:5000"], "line 998\nline 999\n");
    check(&["--lines", "1:2", "--from-end"], "line 998\nline 999\n");
    check(&["--lines", "2:2", "--from-end"], "line 998\n");
    check(&["--lines", "5000:"], "");
    check(&["--bytes", "0:6"], "line 0");
    check(&["--bytes", "0:4", "--from-end"], "999\n");
    check(&["--chars", "7:13"], "line 1");
    check(&["--chars", ":3", "--from-end"], "99\n");
}

#[test]
fn a_part_behind_the_end_is_told_where_the_end_is() {
    let folder = settled(lines().as_bytes());
    let check = |part: &[&str], said: &str| {
        let args = [&["read", "op-1", "--session", "run.jsonl"], part].concat();
        let ran = folder.run(&args).ok();
        assert_eq!(ran.stdout(), "", "{part:?}");
        assert_eq!(ran.stderr(), said, "{part:?}");
    };
    let beyond = |from: &str, total: &str| format!("artifacts: nothing from {from}: {total}\n");
    check(
        &["--lines", "1001:"],
        &beyond("line 1001 on", "1000 lines in all"),
    );
    check(
        &["--bytes", "8890:"],
        &beyond("byte 8890 on", "8890 bytes in all"),
    );
    check(
        &["--chars", "9000:9010"],
        &beyond("character 9000 on", "8890 characters in all"),
    );
    check(
        &["--lines", "1001:1002", "--from-end"],
        &beyond("line 1001 back from the end", "1000 lines in all"),
    );
    check(&["--bytes", "7:7"], "");
}

/// An agent that has both the shell and the tools of a model counts one way.
#[test]
fn a_line_that_search_prints_is_that_which_read_takes() {
    let folder = settled(lines().as_bytes());
    let search = words("search op-1 line --session run.jsonl --max 1000");
    let search = folder.run(&search).ok();
    let found = search.stdout().lines().step_by(97);
    for found in found {
        let (number, _) = found.split_once(':').unwrap();
        let (_, line) = found.split_once(' ').unwrap();
        let range = format!("{number}:{number}");
        let args = ["read", "op-1", "--session", "run.jsonl", "--lines", &range];
        assert_eq!(folder.run(&args).ok().stdout(), format!("{line}\n"));
        let as_json = format!("^{line}$");
        let args = [
            "search",
            "op-1",
            &as_json,
            "--session",
            "run.jsonl",
            "--json",
        ];
        let as_json: serde_json::Value =
            serde_json::from_str(folder.run(&args).ok().stdout()).unwrap();
        assert_eq!(as_json["matches"][0]["line"].to_string(), number);
    }
}
