//! Old transcripts: inline results and conversations of any size (SPEC 8.5).

use artifacts_core::{ArtifactName, ContentDigest, Limit, SettledDigest, Shape};
use compactor_cap::{ArtifactRecord, Message as _, Part, Records};
use compactor_cap::{ToolResultCap, cap, request_view};
use serde_json::{Value, json};

#[test]
fn an_inline_result_of_fifty_megabytes_is_bounded() {
    let line = "0123456789 a line of an old inline result, one of very many of its kind\n";
    let text = line.repeat(50_000_000 / line.len() + 1);
    let length = text.len();
    let conversation = [json!({"role": "tool", "tool_call_id": "call-1", "content": text})];

    let summary = cap(&conversation, &ToolResultCap::default());
    let more = format!("\n... [{} more characters of tool output", length - 2_000);
    assert!(summary.to_string().contains(&more));
    assert!(summary.to_string().len() < 2_200);

    let view = request_view(
        &conversation,
        &Shape::new(Limit::graphemes(16_384).unwrap()),
    );
    let [Some(sent)] = view.messages()[0].results().collect::<Vec<_>>()[..] else {
        panic!("sent whole");
    };
    assert!(sent.len() < 16_384 + 300);
}

#[test]
fn a_conversation_of_a_hundred_thousand_messages_is_capped_and_viewed() {
    let conversation: Vec<Value> = (0..100_000)
        .map(|number| match number % 3 {
            0 => json!({"role": "user", "content": "go on"}),
            1 => json!({"role": "assistant", "tool_calls": [
                {"function": {"name": "sh", "arguments": "{\"command\":\"ls\"}"}},
            ]}),
            _ => json!({"role": "tool", "content": "a file and another file"}),
        })
        .collect();
    let summary = cap(&conversation, &ToolResultCap::new(6).unwrap());
    let totals = summary.totals();
    assert_eq!((totals.messages, totals.results), (100_000, 33_333));
    assert_eq!(
        (totals.capped_results, totals.capped_calls),
        (33_333, 33_333)
    );
    let view = request_view(&conversation, &Shape::excerpt());
    assert!(view.messages().iter().all(|message| message.is_unchanged()));
}

#[test]
fn a_result_of_many_parts_and_one_cluster_of_a_megabyte_are_bounded() {
    let heavy = format!("e{}", "\u{301}".repeat(500_000));
    let blocks: Vec<Value> = (0..10_000)
        .map(|_| json!({"type": "text", "text": "part "}))
        .collect();
    let conversation = [
        json!({"role": "tool", "content": heavy}),
        json!({"role": "tool", "content": blocks}),
    ];
    let summary = cap(&conversation, &ToolResultCap::default());
    assert!(summary.to_string().len() < 20_000);
    assert_eq!(summary.totals().capped_results, 2);
    let view = request_view(&conversation, &super::conversation::shape());
    assert!(view.values().all(|value| value.to_string().len() < 2_000));
}

#[test]
fn records_of_one_call_id_are_found_without_a_search_through_all() {
    let name = ArtifactName::parse("op-1.txt").unwrap();
    let record = ArtifactRecord::new(name, ContentDigest::of(b""), 10, 10, 6);
    let mut records = Records::default();
    // A search through all of them would compare 45,000,000,000 digests.
    let conversation: Vec<Value> = (0..300_000)
        .map(|number| {
            let text = format!("observation {number}");
            records.insert("call_0", SettledDigest::of(text.as_bytes()), record.clone());
            json!({"role": "tool", "tool_call_id": "call_0", "content": text})
        })
        .collect();
    let recorded = records.beside(&conversation);
    let found = recorded.iter().filter(|message| {
        let parts = message.parts();
        matches!(parts.as_slice(), [Part::Result(result)] if result.artifact().is_some())
    });
    assert_eq!(found.count(), 300_000);
}
