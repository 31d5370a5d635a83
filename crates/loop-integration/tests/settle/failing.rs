//! A store that fails is never an error (I9, P4); a transcript that fails always is.

use std::sync::Arc;

use artifacts_fs::ArtifactDir;
use loop_integration::{ErrorKind, Pending, Session, Settler, ToolResult};

use crate::support::{Run, huge, operation, read, shape, ticking};

#[test]
fn a_failing_store_never_fails_the_call() {
    let run = Run::new();
    std::fs::write(run.folder.path().join("run.artifacts"), "in the way").unwrap();
    let session = run.session();
    let settled = session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();
    insta::assert_snapshot!(settled.observation());
    assert!(!read(&run.transcript).contains("MIDDLE-TOKEN"));
    assert!(!read(&run.transcript).contains(run.folder.path().to_str().unwrap()));
    assert!(read(&run.transcript).contains("\"not-stored\":\"could not be stored\""));
    let batch = (2..6).map(|n| (operation(n), ToolResult::success(huge())));
    for settled in session.settle_batch(batch.collect()).unwrap() {
        assert!(settled.observation().contains("could not be stored"));
    }
    let mut stream = session.stream(&operation(7)).unwrap();
    stream.write(huge().as_bytes());
    let settled = stream.finish(loop_integration::Ending::Success).unwrap();
    assert!(settled.observation().contains("could not be stored"));
}

#[test]
fn a_transcript_that_is_gone_is_an_error_and_the_operation_stays_open() {
    let run = Run::new();
    let session = run.session();
    session.dispatch(&operation(1)).unwrap();
    std::fs::remove_file(&run.transcript).unwrap();
    let error = session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Transcript);
    assert_eq!(session.pending(), [Pending::Unanswered(operation(1))]);
    insta::assert_snapshot!(error.to_string());
}

#[cfg(target_os = "linux")]
#[test]
fn a_transcript_on_a_full_device_is_an_error_that_names_no_path() {
    let settler = Settler::new(shape(100)).with_store(Arc::new(ArtifactDir::at("/nowhere/x")));
    let error = Session::open("/dev/full", settler, ticking()).unwrap_err();
    insta::assert_snapshot!(error.to_string());
}
