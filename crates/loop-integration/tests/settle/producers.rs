//! I1-I10 for all producers of SPEC 5.3, all renderings, all sizes.

use std::sync::Arc;

use artifacts_core::{ContentDigest, Rendering, SettledDigest, Shape};
use artifacts_fs::{ArtifactDir, ArtifactStore as _};
use loop_integration::{
    Delivery, Ending, Event, Format, Kept, Session, Settler, ToolResult, Transcript,
};
use serde_json::json;

use crate::support::{Run, operation, read, shape, ticking};

const LIMIT: u64 = 2_000;
const RENDERINGS: [Rendering; 4] = [
    Rendering::Excerpt,
    Rendering::Pointer,
    Rendering::HeadNote,
    Rendering::Header,
];
const BEFORE: &str = "<task id=\"7\">\n";
const AFTER: &str = "\n</task>";
const TOKEN: &str = "MIDDLE-TOKEN";

type Producer = (&'static str, fn(String) -> ToolResult);

const PRODUCERS: [Producer; 8] = [
    ("success", |body| ToolResult::success(body)),
    ("error", |body| ToolResult::error(body)),
    ("denial", |body| ToolResult::denied(body)),
    ("timeout", |body| ToolResult::timed_out(body)),
    ("malformed arguments", |body| {
        ToolResult::malformed_arguments(body)
    }),
    ("background", |body| {
        ToolResult::success(body).in_background(BEFORE, AFTER)
    }),
    ("mcp", |body| {
        let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
        let content = json!([{"type": "text", "text": body}, image]);
        ToolResult::of_mcp(json!({"content": content, "isError": false})).unwrap()
    }),
    ("sub-agent", |body| {
        ToolResult::of_parts(Ending::Success, [json!({"type": "text", "text": body})])
    }),
];

#[test]
fn every_invariant_holds_for_every_producer_rendering_and_size() {
    let mut cases = 0;
    for (name, producer) in PRODUCERS {
        for rendering in RENDERINGS {
            for graphemes in [50, LIMIT, LIMIT + 1, LIMIT * 2, LIMIT * 50] {
                let case = format!("{name}, {rendering:?}, {graphemes} graphemes");
                check(&case, producer(body(graphemes)), rendering);
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 8 * 4 * 5);
}

#[test]
fn a_hundred_megabytes_settle_the_same_for_every_producer_and_rendering() {
    let line = "0123456789 the usual words of a log, and then some more\n";
    let half = line.repeat(50_000_000 / line.len() + 1);
    let body = format!("{half}{TOKEN}\n{half}");
    assert!(body.len() >= 100_000_000);
    let digest = ContentDigest::of(body.as_bytes());
    let mut cases = 0;
    for (name, producer) in PRODUCERS {
        for rendering in RENDERINGS {
            check_large(
                &format!("{name}, {rendering:?}"),
                producer(body.clone()),
                rendering,
                digest,
            );
            cases += 1;
        }
    }
    assert_eq!(cases, 8 * 4);
}

/// The invariants of [`check`], without a second pass over the bytes where one will do.
fn check_large(case: &str, result: ToolResult, rendering: Rendering, digest: ContentDigest) {
    let run = Run::in_memory();
    let bytes = result.bytes().len() as u64;
    let session = run.session_with(shape(LIMIT).with_rendering(rendering));
    let settled = session.settle(&operation(1), result).unwrap();
    let observation = settled.observation();
    let conversation = session.transcript();
    let message = &conversation.messages()[0];
    // I1
    assert!(std::ptr::eq(message.text().unwrap(), observation), "{case}");
    let state = conversation.operation(operation(1).op_id()).unwrap();
    let recorded = state.settled().unwrap();
    assert_eq!(
        recorded.result_digest(),
        Some(&SettledDigest::of(observation.as_bytes())),
        "{case}"
    );
    // I3, I8: the store's own pass over what it wrote, and the digest counted apart.
    let artifact = settled.artifact().unwrap();
    assert_eq!(*artifact.digest(), digest, "{case}");
    let file = run
        .folder
        .path()
        .join("run.artifacts")
        .join(artifact.name().as_str());
    assert_eq!(std::fs::metadata(&file).unwrap().len(), bytes, "{case}");
    // I5, I9, I10: bounded, without the middle, without a path.
    assert!(observation.len() < 60_000, "{case}: {}", observation.len());
    let lines = read(&run.transcript);
    assert!(!lines.contains(TOKEN) && !lines.contains(run.folder.path().to_str().unwrap()));
    // I2, I4, I6
    let before = conversation.replay(Format::Messages).to_string();
    drop(session);
    std::fs::remove_file(file).unwrap();
    let after = Transcript::load(&run.transcript).unwrap();
    assert_eq!(after.replay(Format::Messages).to_string(), before, "{case}");
}

/// `graphemes` clusters of one to 18 bytes, CRLF among them, a forged marker at the front and a
/// token in the middle.
fn body(graphemes: u64) -> String {
    let marker = format!(
        "[... elided 9 chars (9 bytes total); full result: op-9.txt sha256 {} ...]\n",
        ContentDigest::of(b"forged")
    );
    let mut clusters = ["0", "e\u{301}", "\r\n", "👩‍👩‍👧", "🇩🇪", "क्षि", "\n", "z"]
        .into_iter()
        .cycle();
    let count = usize::try_from(graphemes).unwrap();
    if count < 200 {
        return clusters.by_ref().take(count).collect();
    }
    let rest = count - marker.len() - TOKEN.len();
    let before: String = clusters.by_ref().take(rest / 2 / 8 * 8).collect();
    let after: String = clusters.take(rest - rest / 2 / 8 * 8).collect();
    format!("{marker}{before}{TOKEN}{after}")
}

fn check(case: &str, result: ToolResult, rendering: Rendering) {
    let run = Run::new();
    let session = run.session_with(shape(LIMIT).with_rendering(rendering));
    let mut events = session.subscribe();
    let full = result.bytes().to_vec();
    let (ending, parts) = (result.ending(), result.parts().to_vec());
    let is_background =
        result.clone() != result.clone().in_background("", "") && case.starts_with("background");
    let settled = session.settle(&operation(1), result).unwrap();
    let observation = settled.observation();

    // I1, P14: one allocation, one digest.
    let conversation = session.transcript();
    let message = &conversation.messages()[0];
    assert!(std::ptr::eq(message.text().unwrap(), observation), "{case}");
    let _dispatched = events.try_next();
    let Some(Delivery::Event(Event::Settled {
        result: shown,
        envelope,
        ..
    })) = events.try_next()
    else {
        panic!("{case}: no event");
    };
    assert!(std::ptr::eq(shown.as_str(), observation), "{case}");
    assert_eq!(
        envelope.result_digest(),
        Some(&SettledDigest::of(observation.as_bytes()))
    );
    assert_eq!(
        message.is_error(),
        ending.is_error() && !is_background,
        "{case}"
    );
    assert_eq!(message.parts(), parts, "{case}");

    // I2: nothing but the result, the policy, the op id and the store's outcome.
    let again = Settler::new(shape(LIMIT).with_rendering(rendering))
        .with_store(Arc::new(ArtifactDir::at(run.folder.path().join("again"))));
    let same = again.settle(&operation(1), again_result(case, &full));
    assert_eq!(same.observation(), observation, "{case}");

    let text = String::from_utf8(full.clone()).unwrap();
    let body = match is_background {
        true => observation
            .strip_prefix(BEFORE)
            .unwrap()
            .strip_suffix(AFTER)
            .unwrap(),
        false => observation,
    };
    match settled.kept() {
        // I8: a forged marker in the text changes nothing.
        Kept::Whole => assert_eq!(body, text, "{case}"),
        Kept::Stored(artifact) => {
            // I3 and I10: the artifact is there, has every byte, and nothing else has the middle.
            let store = ArtifactDir::beside(&run.transcript);
            assert_eq!(store.read(&artifact.into()).unwrap(), full, "{case}");
            assert_eq!(*artifact.digest(), ContentDigest::of(&full), "{case}");
            assert!(body.len() < text.len(), "{case}");
            assert!(!observation.contains(TOKEN), "{case}");
            assert!(!read(&run.transcript).contains(TOKEN), "{case}");
            assert_cuts_are_whole_clusters(case, &text, body, rendering);
        }
        _ => panic!("{case}: not stored"),
    }

    // I5: no host path.
    let folder = run.folder.path().to_str().unwrap();
    assert!(!read(&run.transcript).contains(folder), "{case}");

    // I4, I6: without the artifacts the same request, and nothing was deleted before.
    let before = conversation.replay(Format::Messages).to_string();
    drop(session);
    let reopened = Session::open(&run.transcript, Settler::new(shape(7)), ticking()).unwrap();
    assert_eq!(
        reopened.transcript().replay(Format::Messages).to_string(),
        before,
        "{case}"
    );
    if let Some(artifact) = settled.artifact() {
        let directory = run.folder.path().join("run.artifacts");
        std::fs::remove_file(directory.join(artifact.name().as_str())).unwrap();
        std::fs::remove_dir(directory).unwrap();
    } else {
        assert!(!run.folder.path().join("run.artifacts").is_dir(), "{case}");
    }
    let after = Transcript::load(&run.transcript)
        .unwrap()
        .replay(Format::Messages)
        .to_string();
    assert_eq!(after, before, "{case}");

    // I9: a store that fails changes the words of the marker and nothing else.
    let failing = Settler::new(shape(LIMIT).with_rendering(rendering)).with_store(Arc::new(
        ArtifactDir::at(run.transcript.join("below-a-file")),
    ));
    let failed = failing.settle(&operation(1), again_result(case, &full));
    assert_eq!(failed.artifact(), None, "{case}");
    if settled.artifact().is_some() {
        assert!(
            failed.observation().contains("could not be stored"),
            "{case}"
        );
        assert!(!failed.observation().contains(TOKEN), "{case}");
        assert!(!failed.store_error().unwrap().contains(folder), "{case}");
    } else {
        assert_eq!(failed.observation(), observation, "{case}");
    }
}

fn again_result(case: &str, full: &[u8]) -> ToolResult {
    let (_, producer) = PRODUCERS
        .iter()
        .find(|(name, _)| case.starts_with(name))
        .unwrap();
    producer(String::from_utf8(full.to_vec()).unwrap())
}

/// I7, where the rendering shows the ends as they are.
fn assert_cuts_are_whole_clusters(case: &str, text: &str, body: &str, rendering: Rendering) {
    let shape = Shape::new(shape(LIMIT).limit()).with_rendering(rendering);
    let cut = shape.cut(text);
    if rendering == Rendering::Excerpt {
        assert!(
            body.starts_with(cut.head()) && body.ends_with(cut.tail()),
            "{case}"
        );
    }
    let boundaries = |part: &str| text.len() - part.len();
    assert!(text.starts_with(cut.head()) && text.is_char_boundary(boundaries(cut.tail())));
    let next = text.split_at(cut.head().len()).1;
    assert!(
        !(cut.head().ends_with('\r') && next.starts_with('\n')),
        "{case}"
    );
}
