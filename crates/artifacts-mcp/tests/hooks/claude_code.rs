use artifacts_mcp::{Host, PolicyFile};
use serde_json::{Value, json};

use super::{Session, ends, log};

const BASH: &str = include_str!("inputs/claude_code_bash.json");
const PERSISTED: &str = include_str!("inputs/claude_code_bash_persisted.json");
const READ: &str = include_str!("inputs/claude_code_read.json");
const MCP: &str = include_str!("inputs/claude_code_mcp.json");
const STRUCTURED: &str = include_str!("inputs/claude_code_mcp_structured.json");
const EDIT: &str = include_str!("inputs/claude_code_edit.json");

fn replaced(output: &Value) -> &Value {
    assert_eq!(output["hookSpecificOutput"]["hookEventName"], "PostToolUse");
    &output["hookSpecificOutput"]["updatedToolOutput"]
}

#[test]
fn a_shells_output_is_replaced_in_its_own_shape() {
    let session = Session::new();
    let output = session.output(BASH, &[("STDOUT", &log()), ("STDERR", "warning: old")]);
    let output = replaced(&output);
    insta::assert_snapshot!("claude_code_bash", ends(output["stdout"].as_str().unwrap()));
    let shape =
        json!({"stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false});
    for (name, value) in shape.as_object().unwrap() {
        assert_eq!(&output[name], value);
    }
    let (name, bytes) = session.artifacts().remove(0);
    assert!(name.starts_with("x-toolu-"), "{name}");
    assert_eq!(bytes, format!("{}warning: old", log()).into_bytes());
}

#[test]
fn the_whole_output_is_read_from_the_file_the_client_names() {
    let session = Session::new();
    let whole = log().repeat(20);
    std::fs::write(session.folder.path().join("bimunw45j.txt"), &whole).unwrap();
    let mut input = serde_json::from_str::<Value>(PERSISTED).unwrap();
    input["tool_response"]["persistedOutputSize"] = json!(whole.len());
    let output = session.output(&input.to_string(), &[("STDOUT", "cut by the client")]);
    assert_eq!(session.artifacts()[0].1, whole.as_bytes());
    assert_eq!(replaced(&output).get("persistedOutputPath"), None);
    assert_eq!(replaced(&output).get("persistedOutputSize"), None);
}

#[test]
fn what_the_client_cut_and_nobody_has_is_said_to_be_partial() {
    let session = Session::new();
    let output = session.output(PERSISTED, &[("STDOUT", &log())]);
    let text = ends(replaced(&output)["stdout"].as_str().unwrap());
    insta::assert_snapshot!("claude_code_partial", text);
}

#[test]
fn two_results_of_one_id_are_both_kept() {
    let session = Session::new();
    let logs = [log(), log().replace("line", "row"), log()];
    for log in &logs {
        let output = session.output(BASH, &[("STDOUT", log), ("STDERR", "")]);
        let shown = replaced(&output)["stdout"].as_str().unwrap().to_owned();
        let (_, named) = shown.split_once("full result: ").unwrap();
        let (name, _) = named.split_once(' ').unwrap();
        let artifacts = session.artifacts();
        let kept = artifacts.iter().find(|(kept, _)| kept == name).unwrap();
        assert!(kept.1 == log.as_bytes());
    }
    // The same bytes again are the same file.
    assert_eq!(session.artifacts().len(), 2);
    for (name, bytes) in session.artifacts() {
        let found = artifacts_mcp::stored(&session.folder.path().join("session.artifacts"), &name);
        assert_eq!(found.unwrap().bytes(), bytes.len() as u64);
    }
}

#[test]
fn a_result_that_cannot_be_stored_is_told_with_the_reason() {
    let session = Session::new();
    std::fs::write(
        session.folder.path().join("session.artifacts"),
        "in the way",
    )
    .unwrap();
    let answer = session.answer(BASH, &[("STDOUT", &log()), ("STDERR", "")]);
    assert!(
        answer
            .output()
            .contains("full result could not be stored, sha256 ")
    );
    insta::assert_snapshot!("claude_code_not_stored", answer.notice().unwrap());
}

#[test]
fn a_file_that_was_read_keeps_its_description() {
    let session = Session::new();
    let output = session.output(READ, &[("CONTENT", &log())]);
    let output = replaced(&output);
    assert_eq!(output["type"], "text");
    assert_eq!(output["file"]["totalLines"], 4_001);
    // The lines that are shown, counted as the client counts them.
    let content = output["file"]["content"].as_str().unwrap();
    assert!(content.len() < 25_000);
    assert_eq!(output["file"]["numLines"], content.split('\n').count());
    assert_eq!(session.artifacts()[0].1, log().as_bytes());
}

#[test]
fn each_tool_has_the_policy_of_its_name() {
    let settled = |policies: &str, tool: &str| {
        let shape = Host::ClaudeCode.shape();
        let policies = PolicyFile::parse(policies, Host::ClaudeCode, shape).unwrap();
        let mut session = Session::new();
        session.hook = session.hook.with_policies(policies);
        let input = BASH.replace("\"Bash\"", &format!("\"{tool}\""));
        let answer = session.answer(&input, &[("STDOUT", &log()), ("STDERR", "")]);
        let dir = session.folder.path().join("session.artifacts");
        let stored = session.artifacts().len();
        assert_eq!(answer.dir().is_some_and(|told| told == dir), stored == 1);
        (answer.output().len(), stored)
    };
    let policies =
        r#"{"limit": 9000, "tools": {"Few": {"limit": 2000}, "All": "raw", "Read": "exempt"}}"#;
    let (shown, stored) = settled(policies, "Other");
    assert!((9_000..10_000).contains(&shown) && stored == 1, "{shown}");
    let (shown, stored) = settled(policies, "Few");
    assert!((2_000..3_000).contains(&shown) && stored == 1, "{shown}");
    assert_eq!(settled(policies, "All"), (2, 1));
    assert_eq!(settled(policies, "Read"), (2, 0));
}

#[test]
fn content_blocks_stay_content_blocks() {
    let session = Session::new();
    let output = session.output(MCP, &[("TEXT", &log())]);
    let blocks = replaced(&output).as_array().unwrap();
    assert_eq!(blocks.len(), 2);
    assert_eq!(blocks[1]["type"], "image");
    assert!(blocks[0]["text"].as_str().unwrap().len() < 25_000);
}

#[test]
fn a_text_stays_a_text() {
    let session = Session::new();
    // The structured content of an MCP result comes as the text of its JSON.
    let escaped = json!(log()).to_string();
    let output = session.output(STRUCTURED, &[("TEXT", escaped.trim_matches('"'))]);
    assert!(
        replaced(&output)
            .as_str()
            .unwrap()
            .contains("full result: x-toolu-")
    );
}

#[test]
fn small_outputs_and_notes_and_other_events_are_left_alone() {
    let session = Session::new();
    let unchanged = json!({});
    assert_eq!(
        session.output(BASH, &[("STDOUT", "ok"), ("STDERR", "")]),
        unchanged
    );
    assert_eq!(session.output(EDIT, &[("ORIGINAL", &log())]), unchanged);
    let before = BASH.replace("PostToolUse", "PreToolUse");
    assert_eq!(session.output(&before, &[("STDOUT", &log())]), unchanged);
    let image = BASH.replace("\"isImage\": false", "\"isImage\": true");
    assert_eq!(session.output(&image, &[("STDOUT", &log())]), unchanged);
    assert_eq!(session.artifacts(), []);
}

#[test]
fn an_output_of_unknown_shape_is_left_with_a_notice() {
    let session = Session::new();
    let mut input = serde_json::from_str::<Value>(MCP).unwrap();
    input["tool_name"] = json!("Novel");
    input["tool_response"] = json!({"pages": [{"page": log()}]});
    let answer = session.answer(&input.to_string(), &[]);
    assert_eq!(answer.output(), "{}");
    assert_eq!(
        answer.notice(),
        Some("the result of Novel is left as it is: the shape of its output is not known")
    );
}

#[test]
fn input_that_is_no_object_says_what_to_do() {
    let error = Session::new().hook.answer("[]").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the hook's input is no JSON object: let the client call this command"
    );
}
