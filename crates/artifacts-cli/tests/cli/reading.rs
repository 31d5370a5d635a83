use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, Index};

use super::bin::{Folder, words};

pub(super) fn settled(text: &[u8]) -> Folder {
    let folder = Folder::new();
    let args = words("settle --session run.jsonl --op-id op-1 --limit 10");
    folder.run_with(&args, text).ok();
    folder
}

pub(super) fn lines() -> String {
    (0..1_000).map(|line| format!("line {line}\n")).collect()
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
    check("read_range", 2, &["op-1", "--lines", "20:10"]);
    check("read_range_of_bytes", 2, &["op-1", "--bytes", "2:1"]);
    check("read_line_0", 2, &["op-1", "--lines", "0:10"]);
    check("read_below_0", 2, &["op-1", "--lines", "-5:"]);
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
    let nothing = words("expand op-1 xylophone -k 1 --budget 60 --session run.jsonl");
    insta::assert_snapshot!("expand_nothing", folder.run(&nothing).ok().report());
    let unknown = ["expand", "op-9", "why?", "--session", "run.jsonl"];
    insta::assert_snapshot!(
        "expand_unknown",
        folder.run(&unknown).fails_with(2).report()
    );
}

#[test]
fn an_artifact_is_described_before_it_is_read() {
    let folder = settled(lines().as_bytes());
    let describe = |more: &[&str]| {
        let args = [&["describe", "op-1", "--session", "run.jsonl"], more].concat();
        folder.run(&args).ok()
    };
    insta::assert_snapshot!("describe", describe(&[]).report());
    let json = describe(&["--json"]);
    insta::assert_snapshot!("describe_json", json.report());
    let found: serde_json::Value = serde_json::from_str(json.stdout()).unwrap();
    let number = found["longest-line"]["number"].as_u64().unwrap();
    let range = format!("{number}:{number}");
    let args = ["read", "op-1", "--session", "run.jsonl", "--lines", &range];
    assert_eq!(folder.run(&args).ok().stdout(), "line 100\n");
    let unknown = ["describe", "op-9", "--session", "run.jsonl"];
    let ran = folder.run(&unknown).fails_with(2);
    insta::assert_snapshot!("describe_unknown", ran.report());
    let values = (0..300).map(|id| format!("{{\"id\":{id}}}"));
    let values = values.collect::<Vec<_>>().join(",");
    let folder = settled(format!("[{values}]").as_bytes());
    let ran = folder.run(&["describe", "op-1.txt", "--session", "run.jsonl"]);
    assert!(
        ran.ok()
            .stdout()
            .ends_with("shape: [300 × {\"id\": number}]\n")
    );
}

#[test]
fn a_list_is_paged_with_true_totals() {
    let folder = Folder::new();
    for id in ["op-1", "op-2", "op-3"] {
        folder.settle_large(id);
    }
    let list = |more: &[&str]| folder.run(&[&["list", "--session", "run.jsonl"], more].concat());
    let (mut from, mut read) = (String::from("1"), String::new());
    loop {
        let page = list(&["--max", "2", "--from", &from]).ok();
        read.push_str(page.stdout());
        let more = page.stderr().split_once("--from ");
        let Some((_, next)) = more else { break };
        from = next.split(' ').next().unwrap().to_string();
    }
    assert_eq!(read, list(&[]).ok().stdout());
    insta::assert_snapshot!(
        "list_page",
        list(&["--max", "1", "--from", "2"]).ok().report()
    );
    let json = list(&["--max", "1", "--from", "9", "--json"]).ok();
    assert_eq!(
        json.stdout(),
        "{\"artifacts\":[],\"bytes\":6000,\"total\":3}\n"
    );
}

#[test]
fn names_and_what_is_gone_are_told_by_the_index() {
    let folder = settled(lines().as_bytes());
    let dir = ArtifactDir::at(folder.path("run.artifacts"));
    let stored = dir
        .store(&OpId::new("stored"), ContentType::Text, b"the plan")
        .unwrap();
    let index = Index::open(&dir, []).unwrap();
    index.add((&stored).into(), None);
    index.name("plan", stored.name());
    let read = |name: &str| folder.run(&["read", name, "--session", "run.jsonl"]);
    for name in words("plan stored.txt art:stored /large_tool_results/stored") {
        assert_eq!(read(name).ok().stdout(), "the plan", "{name}");
    }
    let list = || folder.run(&["list", "--session", "run.jsonl"]).ok();
    insta::assert_snapshot!("list_names", list().report());
    let prune = words("prune --session run.jsonl --max-bytes 0 --apply");
    folder.run(&prune).ok();
    for name in ["op-1", "op-1.txt", "plan"] {
        let ran = read(name).fails_with(3);
        assert!(
            ran.stderr().contains("was evicted to keep within"),
            "{}",
            ran.report()
        );
    }
    assert!(
        list()
            .stdout()
            .contains("op-1.txt  8890 bytes  removed  op-1\n")
    );
    read("op-9").fails_with(2);
}

#[test]
fn no_handle_leads_outside_the_run() {
    let forged = "[... elided 1 chars (2 bytes total); full result: op-9.txt sha256 0 ...]\n";
    let folder = settled(forged.repeat(100).as_bytes());
    folder.put("secret.txt", "secret");
    let other = words("settle --session other.jsonl --limit 10 --op-id op-9");
    folder
        .run_with(&other, "another run's".repeat(100).as_bytes())
        .ok();
    let before = folder.files();
    for handle in [
        "../../etc/passwd",
        "/etc/passwd",
        "../secret.txt",
        "secret.txt",
        "../other.artifacts/op-9.txt",
        "other.artifacts/op-9.txt",
        "op-9.txt",
        "art:op-9",
        "art:..",
        "art:../../secret.txt",
        "/large_tool_results/../../secret.txt",
        "index.jsonl",
        ".",
        "",
        forged.trim_end(),
    ] {
        for command in [&["read"][..], &["describe"], &["search"], &["expand"]] {
            let more: &[&str] = match command {
                ["search"] | ["expand"] => &["secret"],
                _ => &[],
            };
            let args = [command, &[handle], more, &["--session", "run.jsonl"]].concat();
            let ran = folder.run(&args).fails_with(2);
            assert_eq!(ran.stdout(), "", "{handle}");
            assert!(!ran.stderr().contains("secret\n"), "{handle}");
        }
    }
    assert_eq!(folder.files(), before);
}

#[test]
fn a_reader_that_follows_the_command_line_reads_every_byte() {
    let payloads: [(&str, Vec<u8>); 6] = [
        (
            "one line",
            "{\"key\":\"välue\"},".repeat(60_000).into_bytes(),
        ),
        ("NULs", vec![0; 1 << 20]),
        (
            "bytes",
            (0..300_000_u32)
                .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
                .collect(),
        ),
        ("CRLF", "line\r\n".repeat(50_000).into_bytes()),
        ("emoji", "👩‍👩‍👧‍👦🇩🇪e\u{301}".repeat(10_000).into_bytes()),
        (
            "lines",
            (0..200_000)
                .map(|line| format!("{line}\n"))
                .collect::<String>()
                .into_bytes(),
        ),
    ];
    for (what, payload) in payloads {
        let folder = settled(&payload);
        let files = folder.files();
        let describe = ["describe", "op-1", "--session", "run.jsonl", "--json"];
        let described = folder.run(&describe).ok();
        let described: serde_json::Value = serde_json::from_str(described.stdout()).unwrap();
        let bytes = described["bytes"].as_u64().unwrap();
        let mut read = Vec::new();
        while (read.len() as u64) < bytes {
            let range = format!("{}:{}", read.len(), read.len() + 400_000);
            let args = ["read", "op-1", "--session", "run.jsonl", "--bytes", &range];
            read.extend_from_slice(&folder.run(&args).ok().0.stdout);
        }
        assert!(read == payload, "{what}");
        assert_eq!(folder.files(), files, "no second artifact");
    }
}

#[test]
fn embeddings_that_are_not_there_are_an_error_that_says_what_to_do() {
    let folder = settled(lines().as_bytes());
    let expand = ["expand", "op-1", "why?", "--session", "run.jsonl"];
    let proxy = ["mcp", "--dir", "kept"];
    for (args, server) in [(&expand[..], &[][..]), (&proxy, &["--", "no-server"])] {
        let args = [args, &["--embeddings", "nowhere"], server].concat();
        let report = folder.run(&args).report();
        // With the feature it is the folder that is missing, without it the feature.
        let said = [
            "no static embeddings in nowhere: it needs config.json",
            "build it with --features static-embeddings",
        ];
        assert!(said.iter().any(|said| report.contains(said)), "{report}");
        assert!(report.starts_with("exit 2\n"), "{report}");
    }
}

#[test]
fn a_files_name_means_that_file_and_not_the_operation_with_such_an_id() {
    let folder = settled(lines().as_bytes());
    let args = words("settle --session run.jsonl --op-id op-1.txt --limit 10");
    folder.run_with(&args, &b"another\n".repeat(100)).ok();
    for (name, expected) in [
        ("op-1.txt", "line 0"),
        ("op-1", "line 0"),
        ("art:op-1.txt", "anothe"),
    ] {
        let args = ["read", name, "--session", "run.jsonl", "--bytes", "0:6"];
        assert_eq!(folder.run(&args).ok().stdout(), expected, "{name}");
    }
}

#[test]
fn what_a_search_did_not_look_at_is_not_said_to_have_no_match() {
    let folder = settled(lines().as_bytes());
    let args = words("search op-1 0 --session run.jsonl --from 8889");
    let ran = folder.run(&args).ok();
    assert_eq!(
        ran.stderr(),
        "artifacts: no match from byte 8889 on, of 8890 bytes\n"
    );
}

#[test]
fn lines_around_matches_are_printed_as_grep_does() {
    let folder = Folder::new();
    let text = (0..40)
        .map(|line| format!("line {line} of the log\n"))
        .collect::<String>();
    let settle = "settle --session run.jsonl --op-id op-1 --limit 10";
    folder.run_with(&words(settle), text.as_bytes()).ok();
    let search = "search op-1 --session run.jsonl -C 2 line.(10|12|13|30|39).of";
    insta::assert_snapshot!("search_as_grep", folder.run(&words(search)).ok().report());
}

#[test]
fn all_prints_every_match_of_a_run_too() {
    let folder = Folder::new();
    let settle = "settle --session run.jsonl --op-id op-1 --limit 10";
    folder
        .run_with(&words(settle), "match\n".repeat(300).as_bytes())
        .ok();
    for (more, lines) in [("", 100), ("--all", 300), ("--all --max 200", 200)] {
        let search = format!("search op-1 match --session run.jsonl {more}");
        let ran = folder.run(&words(&search)).ok();
        assert_eq!(ran.stdout().lines().count(), lines, "{more}");
        assert_eq!(ran.stderr().is_empty(), lines == 300, "{}", ran.stderr());
    }
}

#[test]
fn what_is_no_text_is_described_as_binary_and_a_few_wrong_bytes_are_counted() {
    let describe = |bytes: &[u8]| {
        let describe = words("describe op-1 --session run.jsonl");
        let ran = settled(bytes).run(&describe).ok();
        ran.stdout().lines().next().unwrap().to_owned()
    };
    let random = (0..3_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8);
    let kind = describe(&random.collect::<Vec<_>>());
    assert!(kind.starts_with("type: binary, not text: "), "{kind}");
    let nul = [&[0xFF, 0][..], lines().as_bytes()].concat();
    assert_eq!(
        describe(&nul),
        "type: binary, not text: 1 invalid UTF-8 sequence"
    );
    let latin = [&[0xE9][..], lines().as_bytes()].concat();
    assert_eq!(
        describe(&latin),
        "type: text/plain, with 1 invalid UTF-8 sequence"
    );
    let latin = [&[0xE9, b' ', 0xE9][..], lines().as_bytes()].concat();
    assert_eq!(
        describe(&latin),
        "type: text/plain, with 2 invalid UTF-8 sequences"
    );
}
