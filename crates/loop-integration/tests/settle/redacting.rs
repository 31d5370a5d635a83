//! The redactor: it sees every text of a result before anything is stored, cut, shown or recorded.

use std::sync::Arc;

use artifacts_fs::{ArtifactDir, ArtifactStore as _};
use loop_integration::{Ending, Redacted, Redactor, Session, Settler, ToolResult};
use serde_json::{Value, json};

use crate::support::{Run, huge, operation, read, shape, ticking};

#[derive(Debug)]
struct Stars;

impl Redactor for Stars {
    fn redact(&self, bytes: Vec<u8>) -> Redacted {
        let text = String::from_utf8(bytes).unwrap();
        let places = text.matches("MIDDLE-TOKEN").count() as u64;
        Redacted::new(
            text.replace("MIDDLE-TOKEN", "************").into_bytes(),
            places,
        )
    }
}

#[test]
fn a_redactor_runs_before_file_and_excerpt() {
    let run = Run::new();
    let settler = Settler::new(shape(100))
        .with_store(Arc::new(ArtifactDir::beside(&run.transcript)))
        .with_redactor(Arc::new(Stars));
    let session = Session::open(&run.transcript, settler, ticking()).unwrap();
    let settled = session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();
    let artifact = settled.artifact().unwrap();
    let stored = ArtifactDir::beside(&run.transcript)
        .read(&artifact.into())
        .unwrap();
    assert_eq!(
        stored,
        huge().replace("MIDDLE-TOKEN", "************").into_bytes()
    );
    assert!(read(&run.transcript).contains("\"redacted\":1"));

    let mut stream = session.stream(&operation(2)).unwrap();
    huge()
        .as_bytes()
        .chunks(7)
        .for_each(|piece| stream.write(piece));
    let streamed = stream.finish(Ending::Success).unwrap();
    assert_eq!(streamed.artifact().unwrap().digest(), artifact.digest());
}

fn redacting() -> Settler {
    Settler::new(shape(2_000)).with_redactor(Arc::new(Stars))
}

fn resource(text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": "file:///x", "text": text}})
}

#[test]
fn the_texts_inside_parts_are_redacted_and_media_is_not() {
    let image = json!({"type": "image", "data": "MIDDLE-TOKEN", "mimeType": "image/png"});
    let unknown =
        json!({"type": "hologram", "frames": [{"MIDDLE-TOKEN": "a MIDDLE-TOKEN", "n": 1}]});
    let parts = [resource("\"MIDDLE-TOKEN\""), image.clone(), unknown];
    let result = ToolResult::of_parts(Ending::Success, parts);
    let settled = redacting().settle(&operation(1), result);
    let stars = "************";
    assert_eq!(
        settled.parts(),
        [
            resource(&format!("\"{stars}\"")),
            image,
            // The name of a field is the producer's, not its text.
            json!({"type": "hologram", "frames": [{"MIDDLE-TOKEN": format!("a {stars}"), "n": 1}]}),
        ]
    );
    assert_eq!((settled.redacted(), settled.envelope(0).redacted()), (2, 2));
}

/// What is beside the bytes of media is text as any other: a name, a link, a document in words.
#[test]
fn the_texts_of_media_are_redacted_and_their_bytes_are_not() {
    let bytes = "MIDDLE-TOKEN";
    let url = format!("data:image/png;base64,{bytes}");
    let part = |text: &str| {
        json!([
            {"type": "document", "title": text, "context": text,
             "source": {"type": "text", "media_type": "text/plain", "data": text}},
            {"type": "document", "source": {"type": "content", "content": [
                {"type": "text", "text": text},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": bytes}},
            ]}},
            {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": bytes}},
            {"type": "document", "source": {"type": "url", "url": text}},
            {"type": "resource", "resource": {"uri": text, "text": text, "blob": bytes}},
            {"type": "image", "data": bytes, "mimeType": "image/png", "_meta": {"caption": text}},
            {"type": "image_url", "image_url": {"url": text}},
            {"type": "image_url", "image_url": {"url": url}},
            {"type": "input_image", "image_url": url},
            {"type": "input_audio", "input_audio": {"data": bytes, "format": "mp3"}},
            {"type": "file", "file": {"filename": text, "file_data": bytes}},
        ])
    };
    let parts = |text: &str| part(text).as_array().unwrap().clone();
    let result = ToolResult::success("").with_parts(parts("a MIDDLE-TOKEN"));
    let settled = redacting().settle(&operation(1), result);
    assert_eq!(settled.parts(), parts("a ************"));
    assert_eq!(settled.redacted(), 10);
}

/// Where embedded texts join the text, they are redacted as they were, not as JSON escapes them.
#[test]
fn an_embedded_text_is_redacted_before_it_is_stored_as_json() {
    #[derive(Debug)]
    struct Quoted;

    impl Redactor for Quoted {
        fn redact(&self, bytes: Vec<u8>) -> Redacted {
            let text = String::from_utf8(bytes).unwrap();
            let places = text.matches("pass=\"x\"").count() as u64;
            Redacted::new(text.replace("pass=\"x\"", "pass=*").into_bytes(), places)
        }
    }

    let run = Run::new();
    let settler = Settler::new(shape(100))
        .with_store(Arc::new(ArtifactDir::beside(&run.transcript)))
        .with_redactor(Arc::new(Quoted));
    let text = format!("{}pass=\"x\"{}", "a".repeat(4_000), "b".repeat(4_000));
    let result = ToolResult::of_parts(Ending::Success, [resource(&text)]);
    let settled = settler.settle(&operation(1), result);
    let stored = ArtifactDir::beside(&run.transcript)
        .read(&settled.artifact().unwrap().into())
        .unwrap();
    let stored = String::from_utf8(stored).unwrap();
    assert!(
        stored.contains("apass=*b") && !stored.contains("pass=\\\""),
        "{stored}"
    );
    assert_eq!(settled.redacted(), 1);
}

#[test]
fn the_name_of_an_error_is_redacted_before_it_is_cut() {
    let cut = ToolResult::ERROR_BYTES;
    for before in (cut - 14)..=cut {
        let name = format!("{}MIDDLE-TOKEN", "e".repeat(before));
        let settled = redacting().settle(&operation(1), ToolResult::error("no").with_error(&name));
        let envelope = settled.envelope(0);
        let recorded = envelope.error().unwrap();
        assert_eq!(recorded.trim_matches(['e', '*']), "", "{before}");
        assert_eq!(recorded.len(), cut.min(before + 12));
        assert_eq!(settled.redacted(), 1);
    }
}

#[test]
fn the_framing_of_a_background_completion_is_redacted_and_stays_whole() {
    let result = ToolResult::success("done MIDDLE-TOKEN")
        .in_background("[task 'curl MIDDLE-TOKEN' ended]\n", "\n[end]");
    let settled = redacting().settle(&operation(1), result);
    assert_eq!(
        settled.observation(),
        "[task 'curl ************' ended]\ndone ************\n[end]"
    );
    assert_eq!(settled.redacted(), 2);
}
