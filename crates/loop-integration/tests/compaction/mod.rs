//! A transcript as a summarizer and a request see it (SPEC 8).

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
