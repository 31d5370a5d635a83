//! Late results and sub-agents' digests.

use artifacts_core::Limit;
use loop_integration::{Background, ErrorKind, Operation, ToolResult};

use super::Agent;

#[test]
fn a_late_result_passes_the_seam_once() {
    let agent = Agent::new(Limit::graphemes(600).unwrap());
    let calls = Background::new(agent.settler.clone());
    let build = Operation::new("op-1").of_tool("build");
    let told = calls.begin(&build).unwrap();
    let settled = agent.settle("op-1", told);
    assert!(settled.artifact().is_none());

    let huge = "compiling\n".repeat(1_000);
    let late = calls
        .finish(build.op_id(), ToolResult::error(huge.clone()))
        .unwrap();
    agent.tools.admit(&late);
    for poll in ["op-2", "op-3"] {
        let polled = agent.settle(poll, calls.poll("op-1"));
        assert_eq!(polled.observation(), late.observation());
        assert!(polled.ending().is_error());
    }
    assert_eq!(agent.files(), ["op-1.txt"]);
    let read = agent.call(
        "read_artifact",
        &serde_json::json!({"name": "op-1", "lines": "1"}),
    );
    assert!(read.ends_with("\ncompiling\n"));
}

#[test]
fn a_call_is_begun_and_finished_once() {
    let agent = Agent::new(Limit::graphemes(600).unwrap());
    let calls = Background::new(agent.settler.clone());
    let build = Operation::new("op-1");
    let finish = || calls.finish(build.op_id(), ToolResult::success("built"));
    assert_eq!(finish().unwrap_err().kind(), ErrorKind::UnknownOperation);
    assert!(calls.begin(&build).is_ok());
    assert_eq!(
        calls.begin(&build).unwrap_err().kind(),
        ErrorKind::AlreadyDispatched
    );
    assert!(finish().is_ok());
    assert_eq!(finish().unwrap_err().kind(), ErrorKind::AlreadySettled);
    let unknown = calls.poll("../op-9\n");
    assert!(unknown.ending().is_error());
    assert_eq!(
        unknown.bytes(),
        "[no call was begun as '../op-9\u{fffd}']".as_bytes()
    );
}

#[test]
fn a_digest_takes_about_forty_tokens_whatever_the_artifact_is() {
    let agent = Agent::new(Limit::graphemes(600).unwrap());
    let _ = agent.settle(
        "op-1",
        ToolResult::success("{\"id\": 1,\n \"name\": \"Ada\"}\n".repeat(1_000)),
    );
    let _ = agent.settle(
        "Ünsafe \n op id",
        ToolResult::success(b"\xFF\0\x1b[2J\r\n".repeat(1_000)),
    );
    let digests = agent.tools.digests();
    for digest in &digests {
        let json = serde_json::to_string(digest).unwrap();
        assert!(json.chars().count() / 4 <= 60, "{json}");
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&digests).unwrap());
}
