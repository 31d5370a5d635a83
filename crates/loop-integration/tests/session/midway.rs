//! A session that can't take all of what others appended: it goes on where it stopped, once that
//! is put right.

use std::fs::OpenOptions;
use std::io::Write as _;

use loop_integration::{ErrorKind, Message, Session, ToolResult, Transcript};

use crate::support::{Run, operation, read};

fn append(run: &Run, text: &str) {
    let file = OpenOptions::new().append(true).open(&run.transcript);
    file.unwrap().write_all(text.as_bytes()).unwrap();
}

/// What the session holds, as the file would say it.
#[track_caller]
fn check_same(session: &Session, run: &Run) {
    let loaded = Transcript::load(&run.transcript).unwrap();
    let held = session.transcript();
    let digests = |transcript: &Transcript| {
        let digests = transcript.messages().iter().map(Message::digest);
        digests.collect::<Vec<_>>()
    };
    assert_eq!(digests(&held), digests(&loaded));
    assert_eq!(held.lines(), loaded.lines());
    assert_eq!(held.pending(), loaded.pending());
}

#[test]
fn lines_before_a_damaged_one_are_taken_once_however_often_it_is_met() {
    let run = Run::new();
    let session = run.session();
    session.push(Message::user("go")).unwrap();
    let other = run.session();
    other.push(Message::user("from another process")).unwrap();
    other
        .settle(&operation(1), ToolResult::success("done"))
        .unwrap();
    append(&run, "damage\n");
    for _ in 0..3 {
        let error = session.push(Message::user("on")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged);
        assert_eq!(
            error.to_string(),
            "line 6 of run.jsonl: expected value: repair or remove that line"
        );
    }
    let whole = read(&run.transcript).replace("damage\n", "");
    std::fs::write(&run.transcript, whole).unwrap();
    session.push(Message::user("on")).unwrap();
    check_same(&session, &run);
    assert!(run.lines().last().unwrap().contains("\"id\":\"m-3\""));
}

#[test]
fn a_record_that_contradicts_is_refused_however_often_it_is_met() {
    let run = Run::new();
    run.session()
        .settle(&operation(1), ToolResult::success("done"))
        .unwrap();
    let lines = run.lines();
    let [dispatched, message, settled] = lines.as_slice() else {
        panic!("three lines");
    };
    let contradictions = [
        settled.replace("\"completed\"", "\"completed\",\"error\":\"another\""),
        settled.replace("\"result-digest\":\"", "\"result-digest\":\"0123"),
        dispatched.clone(),
        message.clone(),
    ];
    for contradiction in contradictions {
        std::fs::write(&run.transcript, format!("{dispatched}\n{message}\n")).unwrap();
        let session = run.session();
        append(&run, &format!("{contradiction}\n"));
        let before = read(&run.transcript);
        for _ in 0..2 {
            let error = session.push(Message::user("on")).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Damaged, "{contradiction}");
        }
        assert_eq!(read(&run.transcript), before);
        std::fs::write(&run.transcript, format!("{dispatched}\n{message}\n")).unwrap();
        session.complete(operation(1).op_id()).unwrap();
        check_same(&session, &run);
    }
}

/// A call that was never dispatched is told as one that never ran; those of one id are answered
/// oldest first.
#[test]
fn calls_of_one_id_are_answered_one_by_one() {
    use loop_integration::{Operation, Pending, ToolCall};

    let run = Run::new();
    let session = run.session();
    let call = |id: &str, n: u64| ToolCall::new(id, "bash", n.into());
    let calls = [call("a", 1), call("b", 2), call("a", 3), call("c", 4)];
    session
        .push(Message::assistant("").with_tool_calls(calls.clone()))
        .unwrap();
    let [_, b, a, c] = calls.map(Pending::NeverRan);
    for (op_id, answered, left) in [
        ("op-1", "a", vec![b.clone(), a.clone(), c.clone()]),
        ("op-2", "c", vec![b.clone(), a]),
        ("op-3", "a", vec![b.clone()]),
        ("op-4", "a", vec![b]),
    ] {
        let operation = Operation::new(op_id).answering(answered);
        session.settle(&operation, ToolResult::success("")).unwrap();
        assert_eq!(session.pending(), left);
        check_same(&session, &run);
    }
}
