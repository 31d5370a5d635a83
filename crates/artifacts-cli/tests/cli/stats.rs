use super::bin::{Folder, words};

const LOG: &str = r#"{"v":1,"type":"tool-call","tool":"read_file","bytes-in":400000,"tokens-in":100000,"bytes-out":8000,"tokens-out":2000,"over":true,"artifact":"read_file-1.txt"}
{"v":1,"type":"tool-call","tool":"ping","bytes-in":4,"tokens-in":1,"bytes-out":4,"tokens-out":1,"over":false}
{"v":1,"type":"artifact-read","tool":"read_artifact","bytes-out":400,"tokens-out":100,"artifact":"read_file-1.txt"}
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("run.calls", LOG);
    folder
}

#[test]
fn a_directory_and_a_transcript_of_a_client_are_reported() {
    let folder = folder();
    let ran = folder.run(&["stats", "run.artifacts"]).ok();
    insta::assert_snapshot!("stats", ran.report());
    let json = folder.run(&["stats", "run.artifacts", "--json"]).ok();
    insta::assert_snapshot!("stats_json", json.report());
}

#[test]
fn the_page_is_written_to_a_file() {
    let folder = folder();
    let args = ["stats", "run.artifacts", "--html", "page.html"];
    let ran = folder.run(&args).ok();
    assert!(ran.stdout().starts_with("tool "), "{}", ran.report());
    let page = folder.text("page.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("read_file"));
}

#[test]
fn a_transcript_of_a_run_is_reported() {
    let folder = Folder::new();
    let args = words("settle --session run.jsonl --op-id op-1 --tool cat --limit 100");
    folder
        .run_with(&args, "0123456789".repeat(100).as_bytes())
        .ok();
    let ran = folder.run(&["stats", "--session", "run.jsonl"]).ok();
    insta::assert_snapshot!("stats_session", ran.report());
}

#[test]
fn where_nothing_was_noted_it_says_so() {
    let folder = folder();
    let check = |name: &str, code: i32, args: &[&str]| {
        let ran = folder.run(&[&["stats"], args].concat()).fails_with(code);
        insta::assert_snapshot!(name, ran.report());
    };
    check("stats_nothing", 2, &["other.artifacts"]);
    check("stats_of_what", 2, &[]);
    check("stats_no_session", 3, &["--session", "nope.jsonl"]);
    check(
        "stats_page_nowhere",
        3,
        &["run.artifacts", "--html", "no/page.html"],
    );
}

/// The call log says who stores in a directory: a reader that began one would change what is pruned.
#[test]
fn reading_is_noted_in_a_call_log_that_is_there_and_makes_none() {
    let folder = Folder::new();
    let args = words("settle --session run.jsonl --op-id op-1 --tool cat --limit 100");
    folder
        .run_with(&args, "0123456789".repeat(100).as_bytes())
        .ok();
    let read = |place: &str| {
        for command in [
            "read op-1",
            "search op-1 0",
            "expand op-1 0",
            "describe op-1",
        ] {
            folder.run(&words(&format!("{command} {place}"))).ok();
        }
    };
    let places = ["--session run.jsonl", "--dir run.artifacts"];
    let files = folder.files();
    places.iter().for_each(|place| read(place));
    assert_eq!(folder.files(), files);
    folder.run(&["stats", "run.artifacts"]).fails_with(2);

    folder.put("run.calls", "");
    places.iter().for_each(|place| read(place));
    let stats = folder.run(&words("stats --session run.jsonl --json")).ok();
    let stats: serde_json::Value = serde_json::from_str(stats.stdout()).unwrap();
    assert_eq!(stats["total"]["reads"], 8);
    assert_eq!(stats["total"]["artifacts-read"], 1);
}
