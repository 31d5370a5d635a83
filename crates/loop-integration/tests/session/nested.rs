//! JSON of any depth: what a transcript takes it gives back, and it takes nothing else.

use loop_integration::{Ending, ErrorKind, Format, Message, ToolCall, ToolResult, Transcript};
use serde_json::{Value, json};

use crate::support::{Run, operation};

/// Arrays and objects, so many in each other.
fn nested(levels: usize) -> Value {
    let inner = Value::Array(Vec::new());
    (1..levels).fold(inner, |inner, level| match level % 2 {
        0 => Value::Array(vec![inner]),
        _ => Value::Object([("a\"]}".to_owned(), inner)].into_iter().collect()),
    })
}

fn calling(levels: usize) -> Message {
    Message::assistant("").with_tool_calls([ToolCall::new("call_1", "bash", nested(levels))])
}

fn of_content(levels: usize) -> Message {
    Message::new("user", json!([nested(levels - 1)])).unwrap()
}

#[test]
fn a_value_of_up_to_250_levels_is_read_back_as_it_was_written() {
    for levels in [1, 2, 120, 124, 125, 126, 127, 128, 129, 200, 249, 250] {
        let run = Run::in_memory();
        let session = run.session();
        let part = json!({"type": "hologram", "frames": nested(levels - 1)});
        session.push(of_content(levels.max(2))).unwrap();
        session.push(calling(levels)).unwrap();
        let result = ToolResult::of_parts(Ending::Success, [part.clone()]);
        let settled = session.settle(&operation(1), result).unwrap();
        assert_eq!(settled.parts(), [part]);
        let written = session.transcript();
        let loaded = Transcript::load(&run.transcript).unwrap();
        assert_eq!(loaded.messages(), written.messages(), "{levels} levels");
        assert_eq!(
            loaded.replay(Format::Messages).to_string(),
            written.replay(Format::Messages).to_string()
        );
    }
}

#[test]
fn a_message_of_more_levels_is_refused_before_anything_is_written() {
    let run = Run::in_memory();
    let session = run.session();
    for message in [calling(251), of_content(251), calling(2_000)] {
        let refused = session.push(message).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Message);
        assert_eq!(
            refused.to_string(),
            "a message may hold JSON of at most 250 levels: give what is deeper as text"
        );
    }
    assert!(run.lines().is_empty());
}

#[test]
fn a_part_of_more_levels_passes_as_its_json_text() {
    let run = Run::in_memory();
    let session = run.session();
    let part = json!({"type": "hologram", "frames": [nested(249), 1.5, "\"", null]});
    let result = ToolResult::of_parts(Ending::Success, [part.clone()]);
    let settled = session.settle(&operation(1), result).unwrap();
    assert_eq!(
        settled.parts(),
        [json!({"type": "text", "text": part.to_string()})]
    );
    let loaded = Transcript::load(&run.transcript).unwrap();
    assert_eq!(loaded.messages()[0].parts(), settled.parts());
}

/// What another program wrote is for it to repair; the line is named, and nothing overflows.
#[test]
fn a_line_of_more_levels_is_an_error_that_names_it() {
    let run = Run::in_memory();
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let line = format!(
        "{{\"id\":\"m-0\",\"payload\":{{\"content\":{deep},\"role\":\"user\"}},\
         \"ts\":\"2026-08-10T12:34:56.000001Z\",\"type\":\"message\",\"v\":1}}\n"
    );
    std::fs::write(&run.transcript, line).unwrap();
    let error = Transcript::load(&run.transcript).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (
            ErrorKind::Damaged,
            "line 1 of run.jsonl: recursion limit exceeded: repair or remove that line"
        )
    );
}
