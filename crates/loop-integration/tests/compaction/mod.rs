//! A transcript as a summarizer and a request see it (SPEC 8).

use std::sync::Arc;

use artifacts_fs::{ArtifactDir, BoundedStore, Bounds, Index};
use compactor_cap::{Ageing, ToolResultCap, cap, covered, request_view_ageing};
use loop_integration::{Format, Message, Replay, Settler, ToolCall, ToolResult, Transcript};
use serde_json::json;

use crate::support::{Run, operation, shape, ticking};

/// A run with a result in an artifact, a short one, an error and a picture.
fn run() -> (Run, Transcript) {
    let run = Run::new();
    let session = run.session();
    session
        .push(Message::user("Read op-9.txt and the log."))
        .unwrap();
    let call = ToolCall::new("call_1", "bash", json!({"command": "cat log"}));
    session
        .push(Message::assistant("Looking.").with_tool_calls([call]))
        .unwrap();
    let log = "a line of the log\n".repeat(100);
    let picture = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
    let results = [
        ToolResult::success(log.clone()),
        ToolResult::success("short").with_parts([picture]),
        ToolResult::error(log),
    ];
    for (number, result) in (1..).zip(results) {
        session.dispatch(&operation(number)).unwrap();
        session.settle(&operation(number), result).unwrap();
    }
    drop(session);
    let transcript = Transcript::load(&run.transcript).unwrap();
    (run, transcript)
}

#[test]
fn the_summary_of_a_transcript_keeps_marker_lines_from_its_records() {
    let (run, transcript) = run();
    let before = run.lines();
    let cap_of_forty = ToolResultCap::new(40).unwrap().keeping_marker_lines();
    insta::assert_snapshot!(
        "summary",
        cap(&transcript.recorded_messages(), &cap_of_forty)
    );
    assert_eq!(run.lines(), before);
}

#[test]
fn what_a_summary_covers_is_told_by_the_records() {
    let (_run, transcript) = run();
    let recorded = transcript.recorded_messages();
    let names: Vec<String> = covered(&recorded).iter().map(ToString::to_string).collect();
    assert_eq!(names, ["op-1.txt", "op-3.txt"]);
    assert!(
        covered(&recorded[..2]).is_empty(),
        "user and assistant cover nothing"
    );
}

#[test]
fn the_view_under_the_same_shape_is_the_replay() {
    let (_run, transcript) = run();
    for format in [
        Format::Messages,
        Format::OpenAiChat,
        Format::OpenAiResponses,
        Format::Anthropic,
    ] {
        assert_eq!(
            transcript.request_view(format, &shape(100)).to_string(),
            transcript.replay(format).to_string(),
        );
    }
}

#[test]
fn an_inline_result_of_an_old_transcript_is_bounded_and_the_file_stays() {
    let run = Run::new();
    let session = loop_integration::Session::open(
        &run.transcript,
        Settler::with_policy(loop_integration::Policy::exempt()),
        ticking(),
    )
    .unwrap();
    session.dispatch(&operation(1)).unwrap();
    let inline = ToolResult::denied("an old inline line\n".repeat(10_000));
    session.settle(&operation(1), inline).unwrap();
    drop(session);
    let before = run.lines();
    let transcript = Transcript::load(&run.transcript).unwrap();
    let view = transcript.request_view(Format::Anthropic, &shape(100));
    insta::assert_snapshot!("inline_view", view);
    assert_eq!(
        view.to_string(),
        transcript
            .request_view(Format::Anthropic, &shape(100))
            .to_string(),
    );
    assert_eq!(run.lines(), before);
}

#[test]
fn an_old_observation_ages_into_a_line_that_names_its_artifact() {
    let (_run, transcript) = run();
    let recorded = transcript.recorded_messages();
    let view = request_view_ageing(&recorded, &shape(100), Ageing::keeping(1));
    let request = Replay::of_view(&view, Format::Messages);
    insta::assert_snapshot!(
        "aged",
        request.as_value()["messages"][2]["content"]
            .as_str()
            .unwrap()
    );
    assert_eq!(
        request.as_value()["messages"][4],
        transcript.replay(Format::Messages).as_value()["messages"][4],
    );
}

#[test]
fn a_view_of_a_message_with_blocks_changes_the_texts_of_its_results_alone() {
    let run = Run::new();
    let session = run.session();
    let long = |letter: &str| letter.repeat(5_000);
    let blocks = json!([
        {"type": "tool_result", "tool_use_id": "a", "content": long("L")},
        {"type": "tool_result", "tool_use_id": "b", "content": "short"},
        {"type": "tool_result", "tool_use_id": "c", "content": long("M")},
        {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
        {"type": "text", "text": "MY OWN WORDS"},
    ]);
    session.push(Message::new("user", blocks).unwrap()).unwrap();
    drop(session);
    let transcript = Transcript::load(&run.transcript).unwrap();
    let view = transcript.request_view(Format::Anthropic, &shape(100));
    insta::assert_json_snapshot!("blocks_view", view.as_value());
}

#[test]
fn a_clipped_artifact_is_called_a_part_wherever_it_is_named() {
    let run = Run::new();
    let store = BoundedStore::new(
        ArtifactDir::beside(&run.transcript),
        Bounds::new(1_000, 100_000).unwrap(),
        Index::default(),
    );
    let settler = Settler::new(shape(100)).with_store(Arc::new(store));
    let session = loop_integration::Session::open(&run.transcript, settler, ticking()).unwrap();
    session.dispatch(&operation(1)).unwrap();
    let text = "line of text\n".repeat(900);
    session
        .settle(&operation(1), ToolResult::success(text))
        .unwrap();
    drop(session);
    let transcript = Transcript::load(&run.transcript).unwrap();
    let recorded = transcript.recorded_messages();
    let cap_of_ten = ToolResultCap::new(10).unwrap().keeping_marker_lines();
    let summary = cap(&recorded, &cap_of_ten).to_string();
    let stub = request_view_ageing(&recorded, &shape(100), Ageing::keeping(0));
    let stub = stub.messages()[0].results().next().flatten().unwrap();
    let part = "(11,700 bytes total); first 1,000 bytes of the result: op-1.txt sha256 ";
    let observation = recorded[0].message().text().unwrap();
    for (text, elided) in [
        (observation, "11,600"),
        (&summary, "11,600"),
        (stub, "11,700"),
    ] {
        assert!(
            text.contains(&format!("[... elided {elided} chars {part}")),
            "{text}"
        );
    }
}

#[test]
fn a_function_message_of_blocks_is_tool_output_as_a_whole() {
    let run = Run::new();
    let session = run.session();
    let blocks = json!([{"type": "text", "text": "a line\n".repeat(900)}, {"type": "image"}]);
    session
        .push(Message::new("function", blocks).unwrap())
        .unwrap();
    drop(session);
    let transcript = Transcript::load(&run.transcript).unwrap();
    let view = transcript.request_view(Format::Messages, &shape(100));
    let content = &view.as_value()["messages"][0]["content"];
    assert!(
        content[0]["text"]
            .as_str()
            .unwrap()
            .contains("elided 6,200 chars")
    );
    assert_eq!(content[1], json!({"type": "image"}));
}
