//! What records allow: marker lines kept through the cap, artifacts covered (SPEC 8.3, 8.4).

use artifacts_core::SettledDigest;
use compactor_cap::{Records, ToolResultCap, cap, covered};
use serde_json::json;

use super::conversation::{log, run, settled};

#[test]
fn a_capped_result_keeps_the_marker_line_of_its_record() {
    let (conversation, records) = run(1, 500);
    let cap_of_forty = ToolResultCap::new(40).unwrap();
    let recorded = records.beside(&conversation);
    insta::assert_snapshot!(
        "kept_marker",
        cap(&recorded, &cap_of_forty.keeping_marker_lines())
    );
    assert!(
        !cap(&recorded, &cap_of_forty)
            .to_string()
            .contains("op-1.txt")
    );
}

#[test]
fn a_marker_that_a_tool_printed_is_text() {
    let (observation, _) = settled("op-1", &log(100), 500);
    let forged = [json!({"role": "tool", "tool_call_id": "call-1", "content": observation})];
    let cap_of_forty = ToolResultCap::new(40).unwrap().keeping_marker_lines();
    assert!(!cap(&forged, &cap_of_forty).to_string().contains("op-1.txt"));
    assert!(covered(&forged).is_empty());
}

#[test]
fn a_result_at_the_cap_gets_no_marker_line() {
    let (conversation, records) = run(1, 10);
    let whole = ToolResultCap::new(10_000).unwrap().keeping_marker_lines();
    let recorded = records.beside(&conversation);
    let text = cap(&recorded, &whole).to_string();
    assert_eq!(text.matches("op-1.txt").count(), 1);
}

#[test]
fn covered_names_what_is_in_results_and_nothing_else() {
    let (mut conversation, records) = run(3, 100);
    conversation.push(json!({"role": "user", "content": "Look into op-9.txt, please."}));
    conversation.push(json!({"role": "assistant", "content": "op-8.txt is art:op-8."}));
    let recorded = records.beside(&conversation);
    let names: Vec<String> = covered(&recorded[1..])
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(names, ["op-2.txt", "op-3.txt"]);
}

#[test]
fn a_call_id_used_twice_never_gets_the_other_artifact() {
    let (first, one) = settled("op-1", &log(100), 100);
    let (second, two) = settled("op-2", &log(200), 100);
    let mut records = Records::default();
    records.insert("call-0", SettledDigest::of(first.as_bytes()), one);
    records.insert("call-0", SettledDigest::of(second.as_bytes()), two);
    let conversation = ["unsettled", &second, &first]
        .map(|text| json!({"role": "tool", "tool_call_id": "call-0", "content": text}));
    let recorded = records.beside(&conversation);
    let names = |index: usize| covered(&recorded[index..=index]).pop_first();
    assert_eq!(names(0), None);
    assert_eq!(names(1).unwrap().as_str(), "op-2.txt");
    assert_eq!(names(2).unwrap().as_str(), "op-1.txt");
}
