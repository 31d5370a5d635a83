//! Questions to an artifact, answered by their words (SPEC 7.2, 7.3).

use std::fmt::Write as _;
use std::sync::Arc;

use artifacts_core::Limit;
use loop_integration::{LexicalExpander, ToolResult};
use serde_json::json;

use super::Agent;

fn agent() -> Agent {
    let mut agent = Agent::new(Limit::graphemes(16_384).unwrap());
    agent.tools = agent
        .tools
        .with_expander(Arc::new(LexicalExpander::default()));
    agent
}

/// A log with one line about a disk, not in the excerpt.
fn log() -> String {
    let mut log = String::new();
    for line in 1..=3_000 {
        match line {
            2_000 => writeln!(log, "{line:04} ERROR disk /dev/sdb1 is full").unwrap(),
            _ => writeln!(log, "{line:04} INFO request {line} was served").unwrap(),
        }
    }
    log
}

#[test]
fn a_question_is_answered_with_the_passage_that_holds_the_answer() {
    let agent = agent();
    let settled = agent.settle("op-1", ToolResult::success(log()));
    assert!(!settled.observation().contains("/dev/sdb1"));
    let question = json!({"name": "op-1.txt", "question": "Which disk is full?"});
    let answer = agent.call("expand_artifact", &question);
    assert!(answer.starts_with("[op-1.txt: 3 passages]"), "{answer}");
    assert!(answer.contains("2000 ERROR disk /dev/sdb1 is full"));
    assert_eq!(answer.matches("\n\n---\n\n").count(), 2);
}

#[test]
fn as_many_passages_as_an_answer_has_room_for_are_within_the_budget() {
    let agent = agent();
    let _ = agent.settle("op-1", ToolResult::success(log()));
    let question = json!({"name": "op-1.txt", "question": "full disk", "passages": 20});
    let answer = agent.call("expand_artifact", &question);
    assert!(answer.starts_with("[op-1.txt: 20 passages]"), "{answer}");
    assert!(answer.contains("/dev/sdb1"));
    assert!(answer.len() < 13_000);
}

#[test]
fn bytes_that_are_no_text_and_an_unknown_name_have_an_answer() {
    let agent = agent();
    let bytes = [b"\xFF\xFE ", log().as_bytes()].concat();
    let settled = agent.settle("op-1", ToolResult::success(bytes));
    let name = settled.artifact().unwrap().name().to_string();
    let ask = |name: &str| json!({"name": name, "question": "disk"});
    assert!(
        agent
            .call("expand_artifact", &ask(&name))
            .contains("/dev/sdb1")
    );
    let unknown = agent.call("expand_artifact", &ask("op-9.txt"));
    assert!(unknown.contains("op-9.txt"), "{unknown}");
}
