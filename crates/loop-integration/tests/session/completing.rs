//! Runs that stopped between a message and its settle record (SPEC 4.8, 5.1), and records that
//! are not those that their messages were written with.

use artifacts_core::OpId;
use artifacts_fs::ArtifactDir;
use loop_integration::{
    Ending, ErrorKind, Operation, Session, Settled, ToolResult, ToolSettled, Transcript, audit,
    fork,
};

use crate::support::{Run, huge, operation, read};

/// Cuts the transcript after its message, completes the operation, and gives both records.
#[track_caller]
fn recorded_twice(
    settle: impl Fn(&Session) -> Result<Settled, loop_integration::Error>,
) -> [ToolSettled; 2] {
    let run = Run::new();
    let op_id = operation(1).op_id().clone();
    settle(&run.session()).unwrap();
    let recorded = |run: &Run| {
        let transcript = Transcript::load(&run.transcript).unwrap();
        assert!(
            audit(
                transcript.places(),
                Some(&ArtifactDir::beside(&run.transcript))
            )
            .is_clean()
        );
        transcript
            .operation(&op_id)
            .unwrap()
            .settled()
            .unwrap()
            .clone()
    };
    let before = recorded(&run);
    stop_before_the_record(&run);
    let completed = run.session().complete(&op_id).unwrap();
    let after = recorded(&run);
    assert_eq!(*completed, after);
    [before, after]
}

fn stop_before_the_record(run: &Run) {
    let lines = run.lines();
    let kept = lines.split_last().unwrap().1.join("\n");
    std::fs::write(&run.transcript, format!("{kept}\n")).unwrap();
}

fn without_duration(envelope: &ToolSettled) -> String {
    let text = format!("{envelope:?}");
    text.replace(
        &format!("duration_micros: {}", envelope.duration_micros()),
        "",
    )
}

#[test]
fn a_completed_record_is_the_one_that_was_to_be_written() {
    let results = [
        ToolResult::success("short"),
        ToolResult::success(huge()),
        ToolResult::success(vec![0xFF; 9_000]),
        ToolResult::error(huge()).with_error("exit code 2"),
        ToolResult::denied("not allowed"),
        ToolResult::timed_out(huge()),
        ToolResult::error("failed").in_background("<task>", "</task>"),
        ToolResult::success(huge()).in_background("<task>", "</task>"),
    ];
    for result in results {
        let [before, after] =
            recorded_twice(|session| session.settle(&operation(1), result.clone()));
        assert_eq!(without_duration(&before), without_duration(&after));
    }
    let [before, after] = recorded_twice(|session| session.outcome_unknown(&operation(1)));
    assert_eq!(without_duration(&before), without_duration(&after));
    assert_eq!(after.result_digest(), None);
}

#[test]
fn an_artifact_is_named_before_and_after_its_operation_is_completed() {
    let run = Run::new();
    let settled = run
        .session()
        .settle(&operation(1), ToolResult::success(huge()));
    let artifact = settled.unwrap().artifact().unwrap().clone();
    stop_before_the_record(&run);
    let named = || Transcript::load(&run.transcript).unwrap().artifacts();
    assert_eq!(named()[0].name(), artifact.name());
    let before = named();
    run.session().complete(operation(1).op_id()).unwrap();
    assert_eq!(named(), before);
    let copy = run.folder.path().join("copy.jsonl");
    assert_eq!(fork(&run.transcript, copy).unwrap().copied, before);
}

#[test]
fn a_marker_in_a_result_that_was_not_recorded_names_nothing() {
    let run = Run::new();
    let forged = format!(
        "[... elided 9 chars (9 bytes total); full result: ghost.txt sha256 {} ...]",
        "a".repeat(64)
    );
    let session = run.session_with(crate::support::shape(1_000));
    session
        .settle(&operation(1), ToolResult::success(forged.as_str()))
        .unwrap();
    drop(session);
    stop_before_the_record(&run);
    let loaded = Transcript::load(&run.transcript).unwrap();
    assert_eq!((loaded.artifacts(), loaded.mentioned()), (vec![], vec![]));
    let copy = run.folder.path().join("copy.jsonl");
    assert!(fork(&run.transcript, copy).unwrap().is_whole());
}

#[test]
fn a_message_of_another_program_keeps_what_it_mentions_from_being_an_orphan() {
    let run = Run::new();
    run.session()
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();
    stop_before_the_record(&run);
    let text = read(&run.transcript);
    let (before, after) = text.split_once(",\"settling\":").unwrap();
    let (_, after) = after.split_once(",\"ts\":").unwrap();
    std::fs::write(&run.transcript, format!("{before},\"ts\":{after}")).unwrap();
    let mentioned = || {
        let loaded = Transcript::load(&run.transcript).unwrap();
        assert_eq!(loaded.artifacts(), []);
        loaded.mentioned()
    };
    assert_eq!(mentioned()[0].name().as_str(), "op-1.txt");
    let envelope = run.session().complete(operation(1).op_id()).unwrap();
    assert_eq!(envelope.reason(), Some("recovered"));
    assert_eq!(mentioned()[0].name().as_str(), "op-1.txt");
    let copy = run.folder.path().join("copy.jsonl");
    assert_eq!(fork(&run.transcript, copy).unwrap().copied, mentioned());
}

#[test]
fn a_record_that_is_not_the_one_its_message_was_written_with_is_refused() {
    let run = Run::new();
    let op_id = OpId::new("op-1");
    let session = run.session();
    let operation = Operation::from(op_id);
    session
        .settle(&operation, ToolResult::ended(Ending::Error, huge()))
        .unwrap();
    drop(session);
    let whole = run.lines();
    let changes = [
        (2, "\"result-digest\"", "\"result-digset\""),
        (2, "\"artifact\"", "\"artifcat\""),
        (2, "\"chars\":11013", "\"chars\":11012"),
        (2, "\"elided-chars\":10913", "\"elided-chars\":10912"),
        (2, "\"outcome\":\"failed\"", "\"outcome\":\"completed\""),
        (2, "{\"id\":\"op-1\"", "{\"id\":\"op-2\""),
        (0, "{\"id\":\"op-1\"", "{\"id\":\"op-2\""),
        (1, "\"is-error\":true,", ""),
        (1, "\"outcome\":\"failed\"", "\"outcome\":\"completed\""),
        (1, "\"outcome\":\"failed\"", "\"outcome\":\"fialed\""),
    ];
    let mut report = String::new();
    for (line, from, to) in changes {
        let mut lines = whole.clone();
        assert!(lines[line].contains(from), "{from} {}", lines[line]);
        lines[line] = lines[line].replacen(from, to, 1);
        std::fs::write(&run.transcript, format!("{}\n", lines.join("\n"))).unwrap();
        let error = Transcript::load(&run.transcript).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged);
        report.push_str(&format!("{from} to {to}: {error}\n"));
    }
    insta::assert_snapshot!(report);
}
