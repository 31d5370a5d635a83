use serde_json::{Value, json};

use super::{Session, ends, log};

const SHELL: &str = include_str!("inputs/codex_shell.json");
const MCP: &str = include_str!("inputs/codex_mcp.json");

#[test]
fn a_shells_output_is_replaced_and_said_to_be_partial() {
    let session = Session::new();
    let output = session.output(SHELL, &[("OUTPUT", &log()[..10_000])]);
    assert_eq!(output["decision"], "block");
    insta::assert_snapshot!("codex_shell", ends(output["reason"].as_str().unwrap()));
    // What the client dropped it says in a line of its own, which is text like any other.
    let stored = String::from_utf8(session.artifacts().remove(0).1).unwrap();
    assert!(stored.starts_with("Warning: truncated output "), "{stored}");
    assert!(stored.ends_with(&log()[..10_000]));
}

#[test]
fn an_mcp_result_is_whole_and_replaced_by_its_excerpt() {
    let session = Session::new();
    let output = session.output(MCP, &[("TEXT", &log())]);
    let reason = output["reason"].as_str().unwrap();
    assert!(reason.len() < 10_000, "{}", reason.len());
    insta::assert_snapshot!("codex_mcp", ends(reason));
    assert_eq!(session.artifacts()[0].1, log().as_bytes());
}

#[test]
fn a_result_with_other_parts_is_left_with_a_notice() {
    let session = Session::new();
    let mut input = serde_json::from_str::<Value>(MCP).unwrap();
    let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    input["tool_response"]["content"]
        .as_array_mut()
        .unwrap()
        .push(image);
    let answer = session.answer(&input.to_string(), &[("TEXT", &log())]);
    assert_eq!(answer.output(), "{}");
    assert!(answer.notice().unwrap().ends_with("it has other parts"));
    // Nothing names what would be stored, and nothing was saved.
    assert_eq!(session.artifacts(), []);
}

#[test]
fn a_result_of_structured_content_alone_is_replaced() {
    let session = Session::new();
    let mut input = serde_json::from_str::<Value>(MCP).unwrap();
    let result = json!({"content": [], "structuredContent": {"log": log()}});
    input["tool_response"] = result;
    let output = session.output(&input.to_string(), &[]);
    let reason = output["reason"].as_str().unwrap();
    assert!(reason.contains("full result: "), "{reason}");
}

#[test]
fn small_outputs_are_left_alone() {
    let session = Session::new();
    assert_eq!(session.output(SHELL, &[("OUTPUT", "ok")]), json!({}));
    assert_eq!(session.output(MCP, &[("TEXT", "ok")]), json!({}));
    assert_eq!(session.artifacts(), []);
}
