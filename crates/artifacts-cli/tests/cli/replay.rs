//! The next request's messages.

use super::bin::{Folder, words};

/// A run in which nothing asked for `results` results.
fn settled(results: usize) -> Folder {
    let folder = Folder::new();
    for number in 1..=results {
        let op_id = format!("op-{number}");
        let args = ["settle", "--session", "run.jsonl", "--op-id", &op_id];
        folder.run_with(&args, b"done\n").ok();
    }
    folder
}

#[test]
fn results_that_answer_no_call_are_told_where_a_provider_would_refuse_them() {
    for (results, name) in [(1, "replay_unasked_one"), (3, "replay_unasked")] {
        let folder = settled(results);
        let replay = words("replay --session run.jsonl --format openai");
        insta::assert_snapshot!(name, folder.run(&replay).ok().report());
        for format in ["openai-responses", "anthropic"] {
            let args = ["replay", "--session", "run.jsonl", "--format", format];
            let said = folder.run(&args).ok();
            assert_eq!(said.stderr(), folder.run(&replay).stderr(), "{format}");
        }
        // The transcript's own form is for no provider.
        let ran = folder.run(&words("replay --session run.jsonl")).ok();
        assert_eq!(ran.stderr(), "");
    }
}

#[test]
fn a_result_that_was_asked_for_is_told_nothing_of() {
    use std::sync::Arc;

    use artifacts_core::Shape;
    use loop_integration::{
        Message, Operation, Session, Settler, SystemClock, ToolCall, ToolResult,
    };

    let folder = Folder::new();
    let settler = Settler::new(Shape::excerpt());
    let path = folder.path("run.jsonl");
    let session = Session::open(&path, settler, Arc::new(SystemClock)).unwrap();
    let call = ToolCall::new("call-1", "cat", serde_json::json!({}));
    let asks = Message::assistant("").with_tool_calls([call.clone()]);
    session.push(asks).unwrap();
    let operation = Operation::new("op-1").answering(call.id());
    session
        .settle(&operation, ToolResult::success("done\n"))
        .unwrap();
    drop(session);
    let ran = folder.run(&words("replay --session run.jsonl --format anthropic"));
    assert_eq!(ran.ok().stderr(), "");
}
