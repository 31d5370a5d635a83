//! Policies per tool, the redactor, the transform, bytes that are no text.

use std::sync::Arc;

use artifacts_core::{ContentDigest, Hint};
use artifacts_fs::{ArtifactDir, ArtifactStore as _};
use loop_integration::{Kept, Operation, Policy, Session, Settler, ToolResult};

use crate::support::{Run, huge, operation, read, shape, ticking};

#[test]
fn each_tool_has_its_own_policy_and_the_dispatch_records_it() {
    let run = Run::new();
    let settler = Settler::new(shape(100))
        .with_store(Arc::new(ArtifactDir::beside(&run.transcript)))
        .with_tool("read_artifact", Policy::exempt())
        .with_tool("query", Policy::raw(shape(100)));
    let session = Session::open(&run.transcript, settler, ticking()).unwrap();
    let settle = |tool: &'static str| {
        let operation = Operation::new(tool).of_tool(tool);
        session
            .settle(&operation, ToolResult::success(huge()))
            .unwrap()
    };
    assert_eq!(settle("bash").elided(), 10_913);
    let exempt = settle("read_artifact");
    assert_eq!(
        (exempt.observation(), exempt.kept()),
        (&*huge(), &Kept::Whole)
    );
    let raw = settle("query");
    assert_eq!(raw.observation(), huge());
    assert_eq!(
        *raw.artifact().unwrap().digest(),
        ContentDigest::of(huge().as_bytes())
    );
    let policies = run
        .lines()
        .into_iter()
        .filter(|line| line.contains("tool-dispatched"));
    insta::assert_snapshot!(policies.collect::<Vec<_>>().join("\n"));
    let store = ArtifactDir::beside(&run.transcript);
    let audit = loop_integration::audit(session.transcript().places(), Some(&store));
    assert!(audit.is_clean(), "{audit:?}");
}

#[test]
fn a_transform_comes_before_the_measuring() {
    let settler = Settler::new(shape(100)).with_transform("bash", |result| {
        let lines = result.bytes().split(|byte| *byte == b'\n').count();
        ToolResult::ended(result.ending(), format!("{lines} lines"))
    });
    let settled = settler.settle(&operation(1), ToolResult::error(huge()));
    assert_eq!(settled.observation(), "1002 lines");
    assert!(settled.ending().is_error());
}

#[test]
fn a_hint_stands_under_markers_that_name_a_file_only() {
    let run = Run::new();
    let settler = Settler::new(shape(100)).with_hint(Hint::new(["read_artifact"]).unwrap());
    let bare = settler.settle(&operation(1), ToolResult::success(huge()));
    assert!(!bare.observation().contains("read_artifact"));
    let settler = settler.with_store(Arc::new(ArtifactDir::beside(&run.transcript)));
    let hinted = settler.settle(&operation(1), ToolResult::success(huge()));
    insta::assert_snapshot!(hinted.observation());
}

#[test]
fn bytes_that_are_no_text_are_stored_raw_and_shown_decoded() {
    let run = Run::new();
    let session = run.session();
    let raw = [
        b"ab\xFF\0\x1b".as_slice(),
        &[b'x'; 3_000],
        b"\xF0\x9F".as_slice(),
    ]
    .concat();
    let settled = session
        .settle(&operation(1), ToolResult::success(raw.clone()))
        .unwrap();
    let artifact = settled.artifact().unwrap();
    assert_eq!(
        ArtifactDir::beside(&run.transcript)
            .read(&artifact.into())
            .unwrap(),
        raw
    );
    assert!(settled.observation().starts_with("ab\u{FFFD}\0\x1b"));
    assert_eq!(settled.replaced(), 2);
    let short = session
        .settle(&operation(2), ToolResult::success(b"ok\xFF".to_vec()))
        .unwrap();
    assert_eq!((short.observation(), short.replaced()), ("ok\u{FFFD}", 1));
    // In the line of the message and in the record, of each.
    assert_eq!(read(&run.transcript).matches("\"replaced\":").count(), 4);
}
