use super::bin::Folder;

fn settled(text: &[u8]) -> Folder {
    let folder = Folder::new();
    let args = [
        "settle",
        "--session",
        "run.jsonl",
        "--op-id",
        "op-1",
        "--limit",
        "10",
    ];
    folder.run_with(&args, text).ok();
    folder
}

fn lines() -> String {
    (0..1_000).map(|line| format!("line {line}\n")).collect()
}

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
    check(&["--lines", "0:2"], "line 0\nline 1\n");
    check(&["--lines", "998:"], "line 998\nline 999\n");
    check(&["--lines", "0:2", "--from-end"], "line 998\nline 999\n");
    check(&["--lines", "5000:"], "");
    check(&["--bytes", "0:6"], "line 0");
    check(&["--bytes", "0:4", "--from-end"], "999\n");
    check(&["--chars", "7:13"], "line 1");
    check(&["--chars", ":3", "--from-end"], "99\n");
}

#[test]
fn a_large_artifact_is_read_page_by_page() {
    let text = "no line end ".repeat(200_000);
    let folder = settled(text.as_bytes());
    let ran = folder.run(&["read", "op-1", "--session", "run.jsonl"]).ok();
    assert!(ran.stdout() == text);
}

#[test]
fn altered_and_missing_artifacts_are_never_printed() {
    let folder = settled(lines().as_bytes());
    let mut bytes = folder.bytes("run.artifacts/op-1.txt");
    bytes[0] ^= 1;
    folder.put("run.artifacts/op-1.txt", &bytes);
    let read = || folder.run(&["read", "op-1.txt", "--session", "run.jsonl"]);
    let verify = || folder.run(&["verify", "--session", "run.jsonl"]);
    let ran = read().fails_with(1);
    assert_eq!(ran.stdout(), "");
    insta::assert_snapshot!("read_altered", ran.report());
    insta::assert_snapshot!("verify_altered", verify().report());
    folder.remove("run.artifacts");
    insta::assert_snapshot!("read_missing", read().fails_with(3).report());
    insta::assert_snapshot!("verify_missing", verify().report());
    let list = folder.run(&["list", "--session", "run.jsonl"]).ok();
    insta::assert_snapshot!("list_missing", list.report());
}

#[test]
fn search_finds_lines_and_offsets_that_read_takes() {
    let folder = settled(lines().as_bytes());
    let search = |more: &[&str]| {
        let args = [&["search", "op-1", "--session", "run.jsonl"], more].concat();
        folder.run(&args)
    };
    insta::assert_snapshot!(
        "search",
        search(&["LINE 99.$", "-i", "--max", "3"]).ok().report()
    );
    insta::assert_snapshot!(
        "search_context",
        search(&["^line 500$", "-C", "1"]).ok().report()
    );
    insta::assert_snapshot!("search_json", search(&["line 99$", "--json"]).ok().report());
    insta::assert_snapshot!("search_nothing", search(&["absent"]).ok().report());
    insta::assert_snapshot!(
        "search_not_a_pattern",
        search(&["("]).fails_with(2).report()
    );
    let found: serde_json::Value =
        serde_json::from_str(search(&["line 99$", "--json"]).ok().stdout()).unwrap();
    let offset = &found["matches"][0]["offset"];
    let bytes = format!("{offset}:");
    let args = [
        "read",
        "op-1",
        "--session",
        "run.jsonl",
        "--bytes",
        bytes.as_str(),
    ];
    assert!(
        folder
            .run(&args)
            .ok()
            .stdout()
            .starts_with("line 99\nline 100\n")
    );
}

#[test]
fn bad_usage_says_what_to_do() {
    let folder = settled(lines().as_bytes());
    let check = |name: &str, code: i32, args: &[&str]| {
        let args = [&["read", "--session", "run.jsonl"], args].concat();
        insta::assert_snapshot!(name, folder.run(&args).fails_with(code).report());
    };
    check("read_unknown", 2, &["op-9.txt"]);
    check("read_outside", 2, &["../../etc/passwd"]);
    check("read_range", 2, &["op-1", "--lines", "2:1"]);
    check(
        "read_two_parts",
        2,
        &["op-1", "--lines", "1:2", "--bytes", "1:2"],
    );
    check("read_end_of_what", 2, &["op-1", "--from-end"]);
}

#[test]
fn a_question_is_answered_with_passages_and_where_they_are() {
    let mut text = lines().repeat(3);
    text.push_str("the disk /dev/sdb1 is full\n");
    let folder = settled((text + &lines().repeat(3)).as_bytes());
    let expand = |more: &[&str]| {
        let args = [
            "expand",
            "op-1",
            "which disk is full?",
            "--session",
            "run.jsonl",
        ];
        folder.run(&[&args, more].concat())
    };
    let answer = expand(&[]).ok();
    assert!(answer.stdout().contains("the disk /dev/sdb1 is full"));
    assert_eq!(answer.stdout().matches("\n---\n").count(), 2);
    let short = ["-k", "1", "--budget", "60"];
    insta::assert_snapshot!("expand", expand(&short).ok().report());
    let found: serde_json::Value =
        serde_json::from_str(expand(&[&short[..], &["--json"]].concat()).ok().stdout()).unwrap();
    let passage = &found["passages"][0];
    let bytes = format!("{}:{}", passage["bytes"][0], passage["bytes"][1]);
    let args = ["read", "op-1", "--session", "run.jsonl", "--bytes", &bytes];
    assert_eq!(
        folder.run(&args).ok().stdout(),
        passage["text"].as_str().unwrap()
    );
    let unknown = ["expand", "op-9", "why?", "--session", "run.jsonl"];
    insta::assert_snapshot!(
        "expand_unknown",
        folder.run(&unknown).fails_with(2).report()
    );
}
