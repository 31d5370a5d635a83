//! The lines that an operation leaves, and what is refused (SPEC 5.1, 5.2, 5.3).

use artifacts_fs::ArtifactDir;
use loop_integration::{
    Ending, ErrorKind, Format, Message, Operation, Outcome, Pending, Settler, ToolCall, ToolResult,
    Transcript,
};
use serde_json::json;

use crate::support::{Run, huge, operation, read, shape};

#[test]
fn an_operation_has_three_lines_in_order() {
    let run = Run::new();
    let session = run.session();
    session.push(Message::user("go")).unwrap();
    session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();
    session
        .settle(&operation(2), ToolResult::denied("not allowed"))
        .unwrap();
    insta::assert_snapshot!(read(&run.transcript));
}

#[test]
fn the_name_of_an_error_is_in_the_record_on_one_line_and_short() {
    let run = Run::new();
    let session = run.session();
    let result = ToolResult::error("no such file").with_error("exit code 2\n\u{2028}é");
    session.settle(&operation(1), result).unwrap();
    assert!(read(&run.transcript).contains("\"error\":\"exit code 2  é\""));
    let result = ToolResult::error(huge()).with_error(&"é".repeat(101));
    let settled = session.settle(&operation(2), result).unwrap();
    assert_eq!(settled.envelope(0).error(), Some(&*"é".repeat(100)));
    assert_eq!(
        settled.envelope(1),
        *Transcript::load(&run.transcript)
            .unwrap()
            .operation(operation(2).op_id())
            .unwrap()
            .settled()
            .unwrap()
    );
}

#[test]
fn a_second_settle_is_refused_before_anything_is_written() {
    let run = Run::new();
    let session = run.session();
    session
        .settle(&operation(1), ToolResult::success("ok"))
        .unwrap();
    let before = read(&run.transcript);
    let error = session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadySettled);
    assert_eq!(read(&run.transcript), before);
    assert!(!run.folder.path().join("run.artifacts").is_dir());
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let run = Run::new();
    let session = run.session();
    let calls = [1, 2].map(|n| ToolCall::new(format!("call_{n}"), "bash", json!({})));
    session
        .push(Message::assistant("").with_tool_calls(calls))
        .unwrap();
    session.dispatch(&operation(1)).unwrap();
    drop(session);

    let session = run.session();
    assert_eq!(
        session.pending(),
        [
            Pending::Unanswered(operation(1)),
            Pending::NeverRan(ToolCall::new("call_2", "bash", json!({}))),
        ]
    );
    session.outcome_unknown(&operation(1)).unwrap();
    session
        .settle(&operation(2), ToolResult::success("ok"))
        .unwrap();
    assert_eq!(session.pending(), []);
}

#[test]
fn a_replay_is_the_same_without_the_artifacts() {
    let run = Run::new();
    let session = run.session();
    session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();
    let before = session.transcript().replay(Format::OpenAiChat).to_string();
    std::fs::remove_file(run.folder.path().join("run.artifacts/op-1.txt")).unwrap();
    std::fs::remove_dir(run.folder.path().join("run.artifacts")).unwrap();
    let after = Transcript::load(&run.transcript)
        .unwrap()
        .replay(Format::OpenAiChat);
    assert_eq!(after.to_string(), before);
    assert_eq!(run.lines().len(), 3);
}

/// What nobody knows has one message, whichever way it is settled and whatever the result says.
#[test]
fn an_unknown_outcome_has_a_fixed_message_and_no_digest_artifact_or_part() {
    let run = Run::new();
    let session = run.session();
    let fixed = session.outcome_unknown(&operation(1)).unwrap();
    let free = ToolResult::ended(Ending::Unknown, huge()).with_parts([
        serde_json::json!({"type": "image", "data": "aGk=", "mimeType": "image/png"}),
    ]);
    let settled = session.settle(&operation(2), free.clone()).unwrap();
    let batch = session
        .settle_batch(vec![(operation(3), free.clone())])
        .unwrap();
    let stream = |number, pieces: usize| {
        let mut stream = session.stream(&operation(number)).unwrap();
        (0..pieces).for_each(|_| stream.write(huge().as_bytes()));
        stream.finish(Ending::Unknown).unwrap()
    };
    let settler = Settler::new(shape(100)).with_transform("bash", |result| {
        ToolResult::ended(result.ending(), "shaped")
    });
    let shaped = settler.settle(&operation(4), free);
    for settled in [settled, stream(5, 1), stream(6, 100), shaped]
        .iter()
        .chain(&batch)
    {
        assert_eq!(settled.observation(), fixed.observation());
        assert!(settled.parts().is_empty() && settled.artifact().is_none());
        let envelope = settled.envelope(0);
        assert_eq!(envelope.outcome(), Outcome::OutcomeUnknown);
        assert!(envelope.result_digest().is_none());
    }
    let left = ArtifactDir::beside(&run.transcript).entries().unwrap();
    assert!(left.is_empty(), "{left:?}");
}

/// A caller that knows only the op id, and one that names another call, answer the call that was
/// dispatched: no message is one that its provider would refuse.
#[test]
fn an_operation_is_settled_as_it_was_dispatched() {
    let run = Run::new();
    let session = run.session();
    for number in 1..=4 {
        session.dispatch(&operation(number)).unwrap();
    }
    let other = |number: usize| Operation::new(format!("op-{number}")).answering("call_9");
    let settled = session
        .settle(&Operation::new("op-1"), ToolResult::success(huge()))
        .unwrap();
    assert_eq!(settled.operation(), &operation(1));
    session
        .settle_batch(vec![(other(2), ToolResult::success("b"))])
        .unwrap();
    session
        .stream(&other(3))
        .unwrap()
        .finish(Ending::Success)
        .unwrap();
    session.outcome_unknown(&Operation::new("op-4")).unwrap();
    let loaded = Transcript::load(&run.transcript).unwrap();
    let calls = loaded
        .messages()
        .iter()
        .map(|message| message.tool_call_id().unwrap());
    assert_eq!(
        calls.collect::<Vec<_>>(),
        ["call_1", "call_2", "call_3", "call_4"]
    );
}
