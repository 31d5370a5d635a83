//! What holds for every conversation and every cap.

use artifacts_core::{ContentDigest, Measure};
use compactor_cap::{Message as _, Part, ToolResultCap, cap};
use proptest::prelude::*;
use serde_json::{Value, json};

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            Just("a"),
            Just("\r"),
            Just("\n"),
            Just("\u{301}"),
            Just("🇩"),
            Just("\u{200d}"),
            Just("👩"),
            Just("क"),
            Just("\u{94d}"),
            Just("界"),
            Just(PLAIN),
        ],
        0..40,
    )
    .prop_map(|pieces| pieces.concat())
}

/// What a text that is ASCII as far as its start tells begins with.
const PLAIN: &str = "2026-11-30T20:43:01Z INFO worker-7 read 400000 bytes of /var/log/syslog\n";

fn message() -> impl Strategy<Value = Value> {
    (text(), text(), 0..6_u8).prop_map(|(one, two, shape)| match shape {
        0 => json!({"role": "tool", "tool_call_id": two, "content": one}),
        1 => json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": two, "content": [
                {"type": "text", "text": one}, {"type": "image"}, {"type": "text", "text": two},
            ]},
        ]}),
        2 => json!({"role": "assistant", "tool_calls": [
            {"function": {"name": two, "arguments": one}},
        ]}),
        3 => json!({"type": "function_call_output", "call_id": "c", "output": one}),
        4 => json!({"role": "user", "content": one}),
        _ => json!([one, {"role": 7, "content": {"type": two}}]),
    })
}

fn digest(messages: &[Value]) -> ContentDigest {
    let text = serde_json::to_string(messages).expect("because values serialise");
    ContentDigest::of(text.as_bytes())
}

proptest! {
    #[test]
    fn the_conversation_stays_and_each_text_is_within_its_cap(
        messages in proptest::collection::vec(message(), 0..8),
        graphemes in prop_oneof![1..30_u64, 60..200_u64],
    ) {
        let before = digest(&messages);
        let limit = ToolResultCap::new(graphemes).unwrap();
        let first = cap(&messages, &limit);
        prop_assert_eq!(&first, &cap(&messages, &limit));
        for part in messages.iter().flat_map(|message| message.parts()) {
            let (whole, capped) = match &part {
                Part::Result(result) => (result.text(), limit.result(result)),
                Part::Call(call) => (call.arguments().into(), limit.arguments(call)),
                _ => continue,
            };
            let total = Measure::of(&whole).graphemes();
            prop_assert_eq!(capped.head(), limit.limit().prefix(&whole).head());
            prop_assert_eq!(Measure::of(capped.head()).graphemes(), capped.shown());
            prop_assert!(capped.shown() <= graphemes);
            prop_assert!(capped.head().len() as u64 <= graphemes * 8);
            prop_assert_eq!(capped.shown() + capped.more(), total);
            let what = match &part {
                Part::Result(_) => "tool output",
                _ => "tool-call arguments",
            };
            let more = capped.more();
            let suffix = match more {
                0 => String::new(),
                _ => format!("\n... [{more} more characters of {what}, truncated for summarization]"),
            };
            prop_assert_eq!(capped.to_string(), format!("{}{suffix}", capped.head()));
            if total <= graphemes && whole.len() as u64 <= graphemes * 8 {
                prop_assert_eq!(capped.to_string(), whole);
            }
            prop_assert!(first.to_string().contains(&capped.to_string()));
        }
        prop_assert_eq!(digest(&messages), before);
    }

    #[test]
    fn a_text_in_several_blocks_is_capped_as_in_one(
        texts in proptest::collection::vec(text(), 2..6),
        graphemes in 1..200_u64,
    ) {
        let blocks = texts.iter().map(|text| json!({"type": "text", "text": text}));
        let [one, several] = [texts.concat().into(), blocks.collect::<Value>()]
            .map(|content| [json!({"role": "tool", "content": content})]);
        let limit = ToolResultCap::new(graphemes).unwrap();
        prop_assert_eq!(one[0].parts(), several[0].parts());
        let (one, several) = (cap(&one, &limit), cap(&several, &limit));
        prop_assert_eq!(one.totals(), several.totals());
        prop_assert_eq!(one.to_string(), several.to_string());
    }
}
