//! What a request is sent of results that are over the limit (SPEC 8.5).

use std::borrow::Cow;

use artifacts_core::{Growth, Limit, Rendering, Shape};
use compactor_cap::{Message, Part, ToolResultCap, cap, request_view};
use serde_json::{Value, json};

use super::conversation::{digest, log, run, settled, settled_as, shape};

/// The view of `conversation` as JSON; the conversation stays, and the view is the same each time.
#[track_caller]
fn viewed(conversation: &[Value]) -> Vec<Value> {
    let before = digest(conversation);
    let view = request_view(conversation, &shape());
    let values: Vec<Value> = view.values().map(Cow::into_owned).collect();
    let again = request_view(conversation, &shape());
    assert!(
        again
            .values()
            .map(Cow::into_owned)
            .eq(values.iter().cloned())
    );
    assert_eq!(digest(conversation), before);
    values
}

#[track_caller]
fn check(name: &str, conversation: &[Value]) {
    insta::assert_json_snapshot!(name, viewed(conversation));
}

#[test]
fn every_result_of_a_chat_is_within_the_limit() {
    check(
        "view_chat",
        &[
            json!({"role": "user", "content": log(8)}),
            json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": "call-1", "type": "function",
                 "function": {"name": "sh", "arguments": "{}"}},
            ]}),
            json!({"role": "tool", "tool_call_id": "call-1", "content": log(100), "name": "sh"}),
            json!({"role": "tool", "tool_call_id": "call-2", "content": "short"}),
            json!({"role": "function", "name": "old", "content": log(100)}),
        ],
    );
}

#[test]
fn media_and_marks_of_a_responses_output_are_kept() {
    check(
        "view_responses",
        &[
            json!({"type": "function_call_output", "call_id": "call-1", "output": [
                {"type": "input_text", "text": log(50)},
                {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
                {"type": "input_text", "text": log(50)},
                {"type": "a-kind-of-tomorrow", "payload": [1, 2, 3]},
            ], "status": "completed"}),
            json!({"type": "mcp_call", "name": "search", "arguments": "{}", "output": log(100)}),
            json!({"type": "computer_call_output", "call_id": "call-2",
                   "output": {"type": "computer_screenshot", "image_url": "data:,"}}),
        ],
    );
}

#[test]
fn an_anthropic_error_denial_and_timeout_are_within_the_limit() {
    check(
        "view_anthropic",
        &[json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "tu-1", "is_error": true,
             "content": format!("permission denied\n{}", log(100))},
            {"type": "tool_result", "tool_use_id": "tu-2", "is_error": true,
             "content": [{"type": "text", "text": format!("timed out\n{}", log(100)),
                          "cache_control": {"type": "ephemeral"}}]},
            {"type": "tool_result", "tool_use_id": "tu-3"},
            {"type": "text", "text": log(8)},
        ]})],
    );
}

#[test]
fn a_conversation_within_the_limit_is_lent_as_it_is() {
    let conversation = [
        json!({"role": "user", "content": "Hello"}),
        json!({"role": "tool", "content": [{"type": "text", "text": "x"}, {"type": "image"}]}),
    ];
    let view = request_view(&conversation, &shape());
    assert!(view.messages().iter().all(|message| message.is_unchanged()));
    for (value, message) in view.values().zip(&conversation) {
        assert!(matches!(value, Cow::Borrowed(value) if std::ptr::eq(value, message)));
    }
}

#[test]
fn a_result_in_many_parts_is_one_result() {
    let block = json!({"type": "text", "text": "x"});
    let conversation = [json!({"role": "tool", "content": vec![block; 65_536]})];
    let [message] = viewed(&conversation).try_into().unwrap();
    let [block] = message["content"].as_array().unwrap().as_slice() else {
        panic!("more than one block");
    };
    let text = block["text"].as_str().unwrap();
    assert!(
        text.contains("elided 65,436 chars (65,536 bytes total)"),
        "{text}"
    );
}

#[test]
fn a_settled_result_passes_under_its_own_shape() {
    let (conversation, records) = run(3, 100);
    let recorded = records.beside(&conversation);
    let view = request_view(&recorded, &shape());
    assert!(view.messages().iter().all(|message| message.is_unchanged()));
    assert_eq!(viewed(&conversation), conversation);
}

#[test]
fn a_settled_result_under_a_smaller_shape_still_names_its_artifact() {
    let (conversation, records) = run(1, 3_000);
    let recorded = records.beside(&conversation);
    let view = request_view(&recorded, &shape());
    let values: Vec<Value> = view.values().map(Cow::into_owned).collect();
    insta::assert_json_snapshot!("view_recorded", values);
}

#[test]
fn a_view_viewed_again_stays() {
    let text = log(1_000);
    for limit in [1, 7, 100, 2_000] {
        let shape = Shape::new(Limit::graphemes(limit).unwrap());
        let once = [json!({"role": "tool", "content": text})];
        let once = [request_view(&once, &shape).messages()[0]
            .value()
            .into_owned()];
        let twice = request_view(&once, &shape);
        assert!(twice.messages()[0].is_unchanged(), "limit {limit}");
    }
}

/// An agent's own message type, without JSON.
struct Output {
    text: String,
    record: Option<compactor_cap::ArtifactRecord>,
}

impl Message for Output {
    fn role(&self) -> &str {
        "tool"
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let result = compactor_cap::ToolResult::new(&self.text);
        vec![Part::Result(match &self.record {
            Some(record) => result.with_artifact(record.clone()),
            None => result,
        })]
    }
}

#[test]
fn other_message_types_get_the_texts_to_send() {
    let (text, record) = settled("op-7", &log(300), 3_000);
    let conversation = [
        Output {
            text: "short".into(),
            record: None,
        },
        Output {
            text,
            record: Some(record),
        },
    ];
    let view = request_view(&conversation, &shape());
    let texts: Vec<Option<&str>> = view
        .messages()
        .iter()
        .flat_map(|message| message.results())
        .collect();
    assert_eq!(texts[0], None);
    assert!(texts[1].unwrap().contains("full result: op-7.txt sha256"));
    assert!(std::ptr::eq(view.messages()[1].message(), &conversation[1]));
}

/// What `text` shows of [`log`], line by line, and what its one marker says is left out.
#[track_caller]
fn shown_and_elided(text: &str) -> (u64, u64) {
    let (marker, lines): (Vec<&str>, Vec<&str>) = text
        .split_inclusive('\n')
        .partition(|line| line.contains("[... elided"));
    let [marker] = marker.as_slice() else {
        panic!("not one marker: {text}");
    };
    let (_, elided) = marker.split_once("elided ").unwrap();
    let (elided, _) = elided.split_once(" chars").unwrap();
    let elided = elided.replace(',', "").parse().unwrap();
    (
        artifacts_core::Measure::of(&lines.concat()).graphemes(),
        elided,
    )
}

#[test]
fn a_smaller_view_of_an_observation_has_one_marker_with_a_true_number() {
    let text = log(4_000);
    let of = |limit| Shape::new(Limit::graphemes(limit).unwrap());
    let total = artifacts_core::Measure::of(&text).graphemes();
    let hint = artifacts_core::Hint::new(["read_artifact"]).unwrap();
    for (settles, views) in [
        (of(3_000), of(2_000)),
        (of(3_000).with_split(1, 3).unwrap(), of(2_000)),
        (of(3_000).with_split(0, 1).unwrap(), of(2_000)),
        (of(3_000).with_rendering(Rendering::HeadNote), of(2_000)),
        (of(3_000), of(2_500).with_rendering(Rendering::HeadNote)),
        (of(3_000), of(2_000).with_trailer(3)),
        (of(3_000), of(2_000).with_line_snap(60)),
        (
            of(3_000).with_rendering(Rendering::Header),
            of(100).with_growth(Growth::Allowed),
        ),
        (
            of(3_000).with_rendering(Rendering::Pointer),
            of(100).with_growth(Growth::Allowed),
        ),
    ] {
        let (observation, record) = settled_as("op-1", &text, settles);
        let line = record.marker_line().to_string();
        let hinted = observation.replacen(&line, &format!("{line}\n{hint}"), 1);
        for observation in [observation, hinted] {
            let conversation = [Output {
                text: observation,
                record: Some(record.clone()),
            }];
            let view = request_view(&conversation, &views);
            let sent = view.messages()[0]
                .results()
                .next()
                .flatten()
                .expect("a shorter text");
            let (shown, elided) = shown_and_elided(sent);
            // Line feeds around the marker are no part of the log.
            let around = total.abs_diff(shown + elided);
            assert!(
                around <= 1,
                "{settles:?} to {views:?}: {shown}, {elided}\n{sent}"
            );
            assert!(!sent.contains("read_artifact"), "{sent}");
        }
    }
}

#[test]
fn a_response_of_gemini_stays_one_where_media_stand_beside_it() {
    let image = json!({"inlineData": {"mimeType": "image/png", "data": "AAAA"}});
    let response = |response: Value| json!({"functionResponse": {"name": "shot", "id": "c", "response": response}});
    let conversation = [
        json!({"role": "function", "parts": [response(json!({"output": log(100)})), image]}),
        json!({"role": "user", "parts": [response(json!([log(100), image]))]}),
        json!({"role": "model", "parts": [
            {"codeExecutionResult": {"response": log(100), "parts": [log(100)]}},
        ]}),
        json!({"role": "user", "parts": [{"functionResponse": {
            "response": {"output": {"text": log(100), "content": ["unknown"]}},
            "parts": [{"type": "content", "content": [image]}],
        }}]}),
    ];
    check("view_gemini_media", &conversation);
    insta::assert_snapshot!(
        "cap_gemini_media",
        cap(&conversation, &ToolResultCap::new(20).unwrap())
    );
}
