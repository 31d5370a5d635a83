//! Stubs of old results (SPEC 8.6).

use std::borrow::Cow;

use artifacts_core::Shape;
use compactor_cap::{Ageing, Message, request_view_ageing};
use serde_json::{Value, json};

use super::conversation::{digest, log, run};

fn sent<M: compactor_cap::JsonMessage + Message>(messages: &[M], ageing: Ageing) -> Vec<Value> {
    request_view_ageing(messages, &Shape::excerpt(), ageing)
        .values()
        .map(Cow::into_owned)
        .collect()
}

#[test]
fn an_old_result_becomes_a_line_that_names_its_artifact() {
    let (conversation, records) = run(3, 500);
    let before = digest(&conversation);
    let sent = sent(&records.beside(&conversation), Ageing::keeping(2));
    insta::assert_snapshot!("stub", sent[0]["content"].as_str().unwrap());
    assert_eq!(sent[1..], conversation[1..]);
    assert_eq!(digest(&conversation), before);
}

#[test]
fn a_result_without_an_artifact_never_becomes_a_stub() {
    let conversation = [
        json!({"role": "tool", "tool_call_id": "call-1", "content": log(50)}),
        json!({"role": "tool", "tool_call_id": "call-2", "content": ""}),
    ];
    assert_eq!(sent(&conversation, Ageing::keeping(0)), conversation);
}

#[test]
fn a_stub_is_never_longer_than_its_result() {
    let (conversation, records) = run(2, 1);
    let short: Vec<Value> = sent(&records.beside(&conversation), Ageing::keeping(0));
    for (old, new) in conversation.iter().zip(&short) {
        let length = |value: &Value| value["content"].as_str().unwrap().len();
        assert!(length(new) <= length(old));
    }
}

#[test]
fn between_steps_a_longer_conversation_begins_with_the_same_bytes() {
    let (conversation, records) = run(23, 500);
    let recorded = records.beside(&conversation);
    let ageing = Ageing::keeping(4).in_steps_of(5);
    for length in 1..recorded.len() {
        let shorter = sent(&recorded[..length], ageing);
        let longer = sent(&recorded[..=length], ageing);
        let moved = ageing.old_of(length as u64) != ageing.old_of(length as u64 + 1);
        assert_eq!(longer[..length] != shorter, moved, "{length}");
    }
}
