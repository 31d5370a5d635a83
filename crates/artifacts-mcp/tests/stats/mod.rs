use std::sync::Arc;

use artifacts_core::{ContentType, Limit, OpId, Shape};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, MemoryStore};
use artifacts_mcp::{CallLog, Stats, TextSize, log_path};
use loop_integration::{
    Message, Operation, Session, Settler, Timestamp, ToolCall, ToolResult, Transcript,
};

/// A log of three tools, one with a name that means something in HTML.
fn stats() -> Stats {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run.artifacts");
    let log = CallLog::beside(&dir, Arc::new(|| Timestamp::from_unix_micros(0)));
    let (large, small) = (
        TextSize::of(&"0123456789".repeat(40_000)),
        TextSize::of(&"x".repeat(8_000)),
    );
    let store = MemoryStore::default();
    let stored = |name: &str, content| store.store(&OpId::new(name), content, b"full").unwrap();
    let (file, rows) = (
        stored("read_file-1", ContentType::Text),
        stored("query-1", ContentType::Json),
    );
    log.call("read_file", large, small, Some(&file));
    log.call("read_file", small, small, None);
    log.call("query <b>", large, small, Some(&rows));
    log.call("ping", TextSize::of("pong"), TextSize::of("pong"), None);
    log.read(
        "read_artifact",
        Some("read_file-1.txt"),
        TextSize::of("a page"),
    );
    log.read(
        "search_artifact",
        Some("read_file-1.txt"),
        TextSize::of("a line"),
    );
    let mut stats = Stats::default();
    let text = std::fs::read_to_string(log_path(&dir)).unwrap();
    stats.add_log(&text);
    stats.add_log("{\"torn");
    stats
}

#[test]
fn the_report_counts_by_tool_and_in_total() {
    let stats = stats();
    insta::assert_snapshot!("stats_table", stats.to_string());
    insta::assert_json_snapshot!("stats_json", stats.to_json());
    insta::assert_snapshot!("stats_page", stats.to_html());
}

#[test]
fn a_torn_line_takes_no_other_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run.artifacts");
    let log = CallLog::beside(&dir, Arc::new(|| Timestamp::from_unix_micros(0)));
    let size = TextSize::of("pong");
    log.call("ping", size, size, None);
    let mut other = std::fs::OpenOptions::new();
    let mut other = other.append(true).open(log_path(&dir)).unwrap();
    std::io::Write::write_all(&mut other, b"{\"v\":1,").unwrap();
    for _ in 0..2 {
        log.call("ping", size, size, None);
    }
    let mut stats = Stats::default();
    stats.add_log(&std::fs::read_to_string(log_path(&dir)).unwrap());
    assert_eq!(stats.total().calls(), 3);
    assert_eq!(stats.to_json()["unread-lines"], 1);
}

#[test]
fn what_a_policy_passed_whole_was_over_its_limit_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run.artifacts");
    let log = CallLog::beside(&dir, Arc::new(|| Timestamp::from_unix_micros(0)));
    let store = MemoryStore::default();
    let stored = store.store(&OpId::new("export-1"), ContentType::Text, b"full");
    let whole = TextSize::of(&"x".repeat(80_000));
    log.call("export", whole, whole, Some(&stored.unwrap()));
    let mut stats = Stats::default();
    stats.add_log(&std::fs::read_to_string(log_path(&dir)).unwrap());
    assert_eq!((stats.total().over(), stats.total().tokens_saved()), (1, 0));
}

#[test]
fn nothing_to_report_is_a_report_too() {
    insta::assert_snapshot!("stats_empty", Stats::default().to_string());
    assert!(Stats::default().to_html().ends_with("</html>\n"));
}

#[test]
fn the_page_loads_nothing_and_runs_nothing() {
    let page = stats().to_html();
    for word in [
        "<script", "src=", "href=", "http", "url(", "@import", "<b>\"",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("query &lt;b&gt;"));
}

#[test]
fn a_call_log_holds_sizes_and_no_content() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("run.artifacts");
    let log = CallLog::beside(&dir, Arc::new(|| Timestamp::from_unix_micros(0)));
    log.call("t", TextSize::of("secret"), TextSize::of("secret"), None);
    let text = std::fs::read_to_string(folder.path().join("run.calls")).unwrap();
    assert!(!text.contains("secret"));
    assert!(!dir.exists());
}

#[test]
fn a_transcript_is_reported_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let settler = Settler::new(Shape::new(Limit::graphemes(1_000).unwrap()))
        .with_store(Arc::new(ArtifactDir::beside(&path)));
    let clock = Arc::new(|| Timestamp::from_unix_micros(0));
    let session = Session::open(&path, settler, clock).unwrap();
    let read = Operation::new("op-1").of_tool("read");
    session
        .settle(&read, ToolResult::success("0123456789\n".repeat(1_000)))
        .unwrap();
    session
        .settle(
            &Operation::new("op-2").of_tool("read"),
            ToolResult::success("ok"),
        )
        .unwrap();
    let call = ToolCall::new(
        "c",
        "read_artifact",
        serde_json::json!({"name": "op-1.txt"}),
    );
    session
        .push(Message::assistant("").with_tool_calls([call]))
        .unwrap();
    let page = Operation::new("op-3")
        .of_tool("read_artifact")
        .answering("c");
    session
        .settle(&page, ToolResult::success("a page"))
        .unwrap();
    let mut stats = Stats::default();
    stats.add_transcript(&Transcript::load(&path).unwrap());
    insta::assert_snapshot!("stats_transcript", stats.to_string());
}

#[test]
fn the_table_says_what_was_not_read_and_no_name_turns_it_around() {
    let mut stats = Stats::default();
    stats.add_log("{\"type\":\"tool-call\",\"tool\":\"a\u{202E}b\"}\ntorn\n");
    let table = stats.to_string();
    assert!(table.contains("a\u{FFFD}b"), "{table}");
    assert!(table.ends_with("1 lines could not be read.\n"), "{table}");
}
