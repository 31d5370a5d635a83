//! What records allow: marker lines kept through the cap, artifacts covered (SPEC 8.3, 8.4).

use artifacts_core::{Limit, Rendering, SettledDigest, Shape};
use compactor_cap::{Message as _, Part, Records, ToolResult, ToolResultCap, cap, covered};
use serde_json::json;

use super::conversation::{log, run, settled, settled_as};

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

#[test]
fn a_marker_line_that_the_head_shows_is_not_said_twice() {
    let (conversation, records) = run(1, 100);
    let recorded = records.beside(&conversation);
    let parts = recorded[0].parts();
    let [Part::Result(result)] = parts.as_slice() else {
        panic!("no result");
    };
    let line = result.artifact().unwrap().marker_line().to_string();
    for graphemes in [1, 74, 75, 76, 150, 220, 230, 240, 250, 260] {
        let cap_of = ToolResultCap::new(graphemes)
            .unwrap()
            .keeping_marker_lines();
        let text = cap(&recorded, &cap_of).to_string();
        let whole = text.matches(&line).count();
        assert_eq!(whole, 1, "cap {graphemes}: {text}");
    }
}

#[test]
fn a_marker_line_is_kept_as_each_rendering_has_it() {
    for rendering in [
        Rendering::Excerpt,
        Rendering::HeadNote,
        Rendering::Pointer,
        Rendering::Header,
    ] {
        let shape = Shape::new(Limit::graphemes(100).unwrap()).with_rendering(rendering);
        let (observation, record) = settled_as("op-1", &log(2_000), shape);
        let result = ToolResult::new(observation.as_str()).with_artifact(record);
        let cap_of_ten = ToolResultCap::new(10).unwrap().keeping_marker_lines();
        let capped = cap_of_ten.result(&result);
        let marker = capped.marker().expect("a marker line");
        assert!(observation.contains(marker), "{marker}\n{observation}");
        let is_mounted = marker.contains("/large_tool_results/op-1.txt");
        assert_eq!(is_mounted, rendering == Rendering::Header);
    }
}

#[test]
fn the_line_of_a_file_that_holds_only_a_part_says_so() {
    let (_, record) = settled("op-1", &log(200), 100);
    let record = record.with_total(9_000_000, 8_000_000);
    let result = ToolResult::new("0123456789").with_artifact(record);
    let cap_of_one = ToolResultCap::new(1).unwrap().keeping_marker_lines();
    insta::assert_snapshot!("kept_part", cap_of_one.result(&result));
}
