//! What the model is shown, word for word.

use std::fmt::Write as _;

use artifacts_core::{ContentType, Limit};
use loop_integration::ToolResult;
use serde_json::{Value, json};

use super::Agent;

fn agent() -> Agent {
    let agent = Agent::new(Limit::graphemes(2_000).unwrap());
    let mut log = String::new();
    for line in 1..=500 {
        let level = if line % 100 == 7 { "ERROR" } else { "INFO" };
        writeln!(
            log,
            "{line:04} {level} request {line} took {} ms",
            line * 7 % 90
        )
        .unwrap();
    }
    let _ = agent.settle("op-1", ToolResult::success(log));
    let items: Vec<_> = (0..200)
        .map(|id| json!({"id": id, "name": format!("item {id}"), "tags": ["a", "b"], "price": 1.5}))
        .collect();
    let json = json!({"items": items, "next": null}).to_string();
    let result = ToolResult::success(json).with_content_type(ContentType::Json);
    let _ = agent.settle("op-2", result);
    let result = ToolResult::success(b"\xFF\xFE text".repeat(500));
    let _ = agent.settle("op-3", result.with_content_type(ContentType::Binary));
    agent
}

/// Every call of `calls`, with its answer, in one snapshot.
fn transcript(agent: &Agent, calls: &[(&str, Value)]) -> String {
    let mut text = String::new();
    for (tool, arguments) in calls {
        writeln!(text, ">>> {tool} {arguments}").unwrap();
        writeln!(text, "{}\n", agent.call(tool, arguments)).unwrap();
    }
    text
}

#[test]
fn reading() {
    insta::assert_snapshot!(transcript(
        &agent(),
        &[
            (
                "read_artifact",
                json!({"name": "op-1.txt", "lines": "10-12"})
            ),
            (
                "read_artifact",
                json!({"name": "op-1.txt", "lines": "1-2", "from_end": true})
            ),
            ("read_artifact", json!({"name": "op-1.txt", "bytes": "5-9"})),
            (
                "read_artifact",
                json!({"name": "op-1.txt", "chars": "0-3", "from_end": true})
            ),
            (
                "read_artifact",
                json!({"name": "op-1.txt", "lines": "100-490"})
            ),
            (
                "read_artifact",
                json!({"name": "op-1.txt", "lines": "600-"})
            ),
            (
                "read_artifact",
                json!({"name": "op-3.bin", "bytes": "0-13"})
            ),
            (
                "read_artifact",
                json!({"name": "op-3.bin", "bytes": "0-13", "encoding": "base64"})
            ),
            ("get_artifact", json!({"name": "op-2.json"})),
        ]
    ));
}

#[test]
fn searching() {
    insta::assert_snapshot!(transcript(
        &agent(),
        &[
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "ERROR"})
            ),
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "error", "ignore_case": true, "context": 1, "max_matches": 2})
            ),
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "INFO", "max_matches": 1000})
            ),
            (
                "search_artifact",
                json!({"name": "op-2.json", "pattern": "\"item 1[0-2]\""})
            ),
            (
                "search_artifact",
                json!({"name": "op-3.bin", "pattern": "text", "max_matches": 1})
            ),
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "WARN"})
            ),
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "INFO", "bytes": "0-3"})
            ),
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "INFO", "bytes": "99999-"})
            ),
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "(unclosed"})
            ),
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "(?=ahead)"})
            ),
        ]
    ));
}

#[test]
fn describing() {
    insta::assert_snapshot!(transcript(
        &agent(),
        &[
            (
                "read_artifact",
                json!({"name": "op-1.txt", "describe": true})
            ),
            (
                "read_artifact",
                json!({"name": "op-2.json", "describe": true})
            ),
            (
                "read_artifact",
                json!({"name": "op-3.bin", "describe": true})
            ),
        ]
    ));
}

#[test]
fn storing_and_listing() {
    insta::assert_snapshot!(transcript(
        &agent(),
        &[
            (
                "store_artifact",
                json!({"content": "step 1", "name": "plan"})
            ),
            (
                "store_artifact",
                json!({"content": "{}", "media_type": "application/json"})
            ),
            ("read_artifact", json!({"name": "plan"})),
            ("list_artifacts", json!({})),
            ("list_artifacts", json!({"from": 5})),
            ("list_artifacts", json!({"from": 6})),
        ]
    ));
}

#[test]
fn ranges_that_models_get_wrong() {
    let read = |range: Value| {
        let mut arguments = json!({"name": "op-1.txt"});
        let members = arguments.as_object_mut().unwrap();
        members.extend(range.as_object().unwrap().clone());
        ("read_artifact", arguments)
    };
    insta::assert_snapshot!(transcript(
        &agent(),
        &[
            read(json!({"lines": "20-10"})),
            read(json!({"lines": "2-1", "from_end": true})),
            read(json!({"bytes": "9-0"})),
            read(json!({"chars": "9-8"})),
            (
                "search_artifact",
                json!({"name": "op-1.txt", "pattern": "a", "bytes": "9-8"})
            ),
            read(json!({"lines": "0-3"})),
            read(json!({"lines": "0-"})),
            read(json!({"lines": "0"})),
            read(json!({"lines": 0})),
            read(json!({"lines": "0-2", "from_end": true})),
        ]
    ));
}

#[test]
fn mistakes() {
    insta::assert_snapshot!(transcript(
        &agent(),
        &[
            ("read_artifact", json!({})),
            ("read_artifact", json!(null)),
            ("read_artifact", json!({"name": "op-1.txt", "page": 2})),
            ("read_artifact", json!({"name": "op-1.txt", "lines": "ten"})),
            (
                "read_artifact",
                json!({"name": "op-1.txt", "lines": "1-2", "bytes": "1-2"})
            ),
            (
                "read_artifact",
                json!({"name": "op-1.txt", "encoding": "hex"})
            ),
            ("read_artifact", json!({"name": "x".repeat(5_000)})),
            (
                "read_artifact",
                json!({"name": "op-1.txt", "x".repeat(5_000): 1})
            ),
            (
                "store_artifact",
                json!({"content": "x", "name": "op-1.txt"})
            ),
            ("store_artifact", json!({"content": "x", "name": "a\nb"})),
            (
                "expand_artifact",
                json!({"name": "op-1.txt", "question": "why?"})
            ),
            ("delete_artifact", json!({"name": "op-1.txt"})),
        ]
    ));
}

#[test]
fn a_search_is_followed_to_its_last_match() {
    let agent = agent();
    let mut lines = Vec::new();
    let mut arguments = json!({"name": "op-1.txt", "pattern": "INFO", "max_matches": 200});
    loop {
        let answer = agent.call("search_artifact", &arguments);
        let (first, rest) = answer.split_once("]\n").unwrap();
        let starts = rest.lines().filter_map(|line| line.split_once(" INFO"));
        lines.extend(starts.map(|(_, rest)| rest.to_owned()));
        let Some((_, next)) = first.split_once("repeat the call with \"bytes\":\"") else {
            break;
        };
        arguments["bytes"] = next.trim_end_matches('"').into();
    }
    assert_eq!(lines.len(), 495);
    lines.dedup();
    assert_eq!(lines.len(), 495);
}

#[test]
fn a_list_is_followed_to_its_end() {
    let agent = Agent::new(Limit::graphemes(512).unwrap());
    for number in 0..100 {
        agent.call("store_artifact", &json!({"content": number.to_string()}));
    }
    let mut listed = Vec::new();
    let mut arguments = json!({});
    loop {
        let answer = agent.call("list_artifacts", &arguments);
        let (first, rest) = answer.split_once("]\n").unwrap();
        assert!(first.contains(" of 100, 190 bytes in all"), "{first}");
        listed.extend(rest.lines().map(str::to_owned));
        let Some((_, next)) = first.split_once("; next: list_artifacts ") else {
            break;
        };
        arguments = serde_json::from_str(next).unwrap();
    }
    let expected: Vec<_> = agent
        .tools
        .index()
        .entries()
        .iter()
        .map(|entry| entry.artifact().name().to_string())
        .collect();
    let names: Vec<_> = listed
        .iter()
        .map(|line| line.split(':').next().unwrap().to_owned())
        .collect();
    assert_eq!(names, expected);
}
