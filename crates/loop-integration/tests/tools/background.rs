//! Late results and sub-agents' digests (SPEC 5.3, 6.6).

use artifacts_core::{Limit, TokenEstimator as _, TokenWeights};
use loop_integration::{Background, ErrorKind, Operation, ToolResult, resolve};

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
    for poll in ["op-2", "op-3"] {
        let polled = agent.settle(poll, calls.poll("op-1"));
        // The record of the poll names what its observation names.
        let envelope = polled.envelope(0);
        let recorded = envelope.artifact().unwrap();
        assert_eq!(recorded.file(), late.artifact().unwrap().name());
        assert_eq!(recorded.elided_chars(), late.elided());
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

/// What stands around it is not cut when it is settled, nor when it is polled.
#[test]
fn a_late_result_in_a_long_framing_is_polled_whole() {
    let agent = Agent::new(Limit::graphemes(600).unwrap());
    let calls = Background::new(agent.settler.clone());
    let build = Operation::new("op-1");
    let _ = calls.begin(&build).unwrap();
    let part = serde_json::json!({"type": "unknown", "data": "d".repeat(2_000)});
    let late = ToolResult::success("compiling\n".repeat(1_000)).with_parts([part]);
    let late = late.in_background("[build] ".repeat(1_000), "");
    let late = calls.finish(build.op_id(), late).unwrap();
    let polled = agent.settle("op-2", calls.poll("op-1"));
    assert_eq!(polled.observation(), late.observation());
    assert_eq!(polled.parts(), late.parts());
    assert_eq!(agent.files(), ["op-1.txt"]);
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
fn a_text_that_the_model_stored_is_in_the_record_of_the_call() {
    let agent = Agent::new(Limit::graphemes(600).unwrap());
    let arguments = serde_json::json!({"content": "kept by the model\n".repeat(100)});
    let answer = agent.tools.call("store_artifact", &arguments);
    let settled = agent.settle("op-1", answer.into());
    let envelope = settled.envelope(0);
    let recorded = envelope.artifact().unwrap();
    assert_eq!(agent.files(), [recorded.file().as_str()]);
    assert_eq!((recorded.bytes(), recorded.elided_chars()), (1_800, 0));
}

#[test]
fn a_turn_budget_leaves_answers_whole() {
    let limit = Limit::graphemes(8_192).unwrap();
    let agent = Agent::new(limit);
    let _ = agent.settle("op-1", ToolResult::success("word and more\n".repeat(9_000)));
    let settler = agent.settler.clone().with_turn_budget(10_000);
    let page = |start: u64| {
        let arguments = serde_json::json!({"name": "op-1", "bytes": format!("{start}-")});
        agent.tools.call("read_artifact", &arguments).into()
    };
    let other = ToolResult::success("x".repeat(8_000));
    let results = [page(0), other, page(8_000)];
    let calls = ["r-1", "o-1", "r-2"].map(Operation::new);
    let settled = settler.settle_batch(calls.into_iter().zip(results).collect());
    assert!(settled[0].artifact().is_none() && settled[2].artifact().is_none());
    assert!(settled[1].artifact().is_some(), "others make room");
    assert_eq!(agent.files(), ["o-1.txt", "op-1.txt"]);
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
    let family = "👩\u{200d}👩\u{200d}👧\u{200d}👦";
    let _ = agent.settle("family", ToolResult::success(family.repeat(1_000)));
    let _ = agent.settle(
        "thai",
        ToolResult::success("ภาษาไทยไม่มีช่องว่าง".repeat(1_000)),
    );
    let _ = agent.settle(
        "marks",
        ToolResult::success(format!("a{}", "\u{301}".repeat(9_000))),
    );
    let digests = agent.tools.digests();
    for digest in &digests {
        let values = [
            &digest.handle,
            &digest.source,
            &digest.preview,
            &digest.tokens.to_string(),
        ];
        let tokens = values.map(|value| TokenWeights::default().tokens(value));
        assert!(tokens.into_iter().sum::<u64>() <= 40, "{digest:?}");
        let found = resolve(agent.tools.index(), &digest.handle);
        assert!(found.is_ok(), "{digest:?}");
    }
    let of_family = digests.iter().find(|digest| digest.handle == "family.txt");
    let preview = &of_family.unwrap().preview;
    assert_eq!(preview.replace(family, ""), "", "no cut inside a cluster");
    insta::assert_snapshot!(serde_json::to_string_pretty(&digests).unwrap());
}
