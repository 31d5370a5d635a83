//! Streams settle as wholes do, in bounded memory, and leave at most an orphan (T14).

use std::sync::Arc;

use artifacts_core::{Capture, ContentDigest, Rendering};
use artifacts_fs::{ArtifactDir, ArtifactStore as _};
use loop_integration::{Ending, Pending, Policy, Redacted, Redactor, Settler, ToolResult};

use crate::support::{Run, huge, operation, read, shape};

#[test]
fn a_stream_settles_as_its_whole_does_whatever_the_pieces() {
    let texts = [
        String::new(),
        "short".into(),
        "é".repeat(100),
        "é".repeat(101),
        huge(),
        huge().repeat(3),
    ];
    for rendering in [
        Rendering::Excerpt,
        Rendering::Pointer,
        Rendering::HeadNote,
        Rendering::Header,
    ] {
        for text in &texts {
            for piece in [1, 3, 4_096, usize::MAX] {
                let run = Run::new();
                let settler = Settler::new(shape(100).with_rendering(rendering))
                    .with_store(Arc::new(ArtifactDir::beside(&run.transcript)));
                let mut stream = settler.stream(operation(1));
                text.as_bytes()
                    .chunks(piece)
                    .for_each(|piece| stream.write(piece));
                let streamed = stream.finish(Ending::Success);
                let whole = settler.settle(&operation(1), ToolResult::success(text.as_str()));
                assert_eq!(streamed.observation(), whole.observation());
                assert_eq!(streamed.envelope(0), whole.envelope(0));
            }
        }
    }
}

#[test]
fn a_hundred_megabytes_are_stored_as_they_come() {
    let run = Run::new();
    let session = run.session();
    let mut stream = session.stream(&operation(1)).unwrap();
    let block = "0123456789abcde\n".repeat(65_536);
    for _ in 0..100 {
        stream.write(block.as_bytes());
    }
    let settled = stream.finish(Ending::Success).unwrap();
    let artifact = settled.artifact().unwrap();
    assert_eq!(artifact.measured().measure().bytes(), 100 << 20);
    assert_eq!(settled.elided(), (100 << 20) - 100);
    assert!(settled.observation().len() < 400);
    let listed = ArtifactDir::beside(&run.transcript).list().unwrap();
    assert_eq!(listed.len(), 1);
}

#[test]
fn a_dropped_stream_leaves_the_operation_unanswered() {
    let run = Run::new();
    let session = run.session();
    let pieces = huge();
    for (step, stop) in (0..pieces.len()).step_by(1_000).enumerate() {
        let operation = operation(step);
        let mut stream = session.stream(&operation).unwrap();
        stream.write(&pieces.as_bytes()[..stop]);
        drop(stream);
        assert!(session.pending().contains(&Pending::Unanswered(operation)));
    }
    let store = ArtifactDir::beside(&run.transcript);
    assert_eq!(store.list().unwrap(), []);
    assert!(!read(&run.transcript).contains("\"message\""));
    let settled = session
        .settle(&operation(0), ToolResult::success("ok"))
        .unwrap();
    assert_eq!(settled.observation(), "ok");
}

#[test]
fn what_went_wrong_may_be_named_when_everything_has_arrived() {
    for text in ["short".to_owned(), huge()] {
        let run = Run::new();
        let session = run.session();
        let mut stream = session.stream(&operation(1)).unwrap();
        stream.write(text.as_bytes());
        let stream = stream.with_error("exit status 4");
        let settled = stream.finish(Ending::Error).unwrap();
        assert!(!settled.observation().contains("exit status"));
        let whole = ToolResult::error(text.as_str()).with_error("exit status 4");
        let settler = Settler::new(shape(100));
        let whole = settler.settle(&operation(1), whole);
        assert_eq!(settled.envelope(0).error(), whole.envelope(0).error());
        assert_eq!(settled.envelope(0).error(), Some("exit status 4"));
    }
}

#[test]
fn an_interrupted_capture_is_labelled_in_marker_and_record() {
    let run = Run::new();
    let session = run.session();
    let mut stream = session.stream(&operation(1)).unwrap();
    stream.write(huge().as_bytes());
    stream.interrupted();
    let settled = stream.finish(Ending::Error).unwrap();
    assert_eq!(settled.capture(), Capture::Interrupted);
    assert!(read(&run.transcript).contains("\"capture\":\"interrupted\""));
    insta::assert_snapshot!("interrupted", settled.observation());
}

#[test]
fn a_capped_capture_keeps_the_first_bytes_and_says_so() {
    let run = Run::new();
    let session = run.session();
    let mut stream = session.stream(&operation(1)).unwrap().with_cap(10_000);
    stream.write(huge().as_bytes());
    let settled = stream.finish(Ending::Success).unwrap();
    let artifact = settled.artifact().unwrap();
    let kept = ArtifactDir::beside(&run.transcript)
        .read(&artifact.into())
        .unwrap();
    assert_eq!(kept, &huge().as_bytes()[..10_000]);
    let envelope = settled.envelope(0);
    assert_eq!(
        envelope.artifact().unwrap().total_bytes(),
        Some(huge().len() as u64)
    );
    let total = ContentDigest::of(huge().as_bytes());
    assert_eq!(envelope.artifact().unwrap().total_digest(), Some(&total));
    insta::assert_snapshot!("capped", settled.observation());
}

/// However the result was taken: piece by piece, or whole because it is short or is redacted.
#[test]
fn a_cap_holds_for_whatever_is_stored() {
    #[derive(Debug)]
    struct Nothing;

    impl Redactor for Nothing {
        fn redact(&self, bytes: Vec<u8>) -> Redacted {
            Redacted::new(bytes, 0)
        }
    }

    let run = Run::new();
    let store = Arc::new(ArtifactDir::beside(&run.transcript));
    let plain = Settler::new(shape(100)).with_store(store.clone());
    let raw = Settler::with_policy(Policy::raw(shape(100))).with_store(store.clone());
    let redacting = plain.clone().with_redactor(Arc::new(Nothing));
    let transformed = plain.clone().with_transform("bash", |result| {
        ToolResult::success(result.bytes().to_vec())
    });
    let settlers = [plain, redacting, transformed, raw];
    for (number, settler) in settlers.into_iter().enumerate() {
        for size in [50, 101, 5_000, 50_000] {
            let text = "x".repeat(size);
            let mut stream = settler
                .stream(operation(number * 100_000 + size))
                .with_cap(60);
            stream.write(text.as_bytes());
            let settled = stream.finish(Ending::Success);
            let Some(artifact) = settled.artifact() else {
                assert_eq!(settled.observation(), text, "{number}");
                continue;
            };
            assert_eq!(store.read(&artifact.into()).unwrap(), [b'x'; 60]);
            let envelope = settled.envelope(0);
            let recorded = envelope.artifact().unwrap();
            assert_eq!(recorded.total_bytes(), Some(size as u64));
            let digest = ContentDigest::of(text.as_bytes());
            assert_eq!(recorded.total_digest(), Some(&digest));
            let says = settled
                .observation()
                .contains("first 60 bytes of the result: ");
            assert_eq!(says, settled.elided() > 0, "{number} {size}");
        }
    }
}
