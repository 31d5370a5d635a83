//! SPEC 5.10: the four places of an observation are equal, and what differs is found.

use artifacts_core::SettledDigest;
use artifacts_fs::{ArtifactDir, ArtifactRef};
use loop_integration::{Message, Places, ToolResult, Transcript, audit};
use serde_json::{Value, json};

use crate::support::{Run, huge, operation};

/// A run with a failed operation that has everything a line can have.
fn settled() -> Run {
    let run = Run::in_memory();
    let session = run.session();
    session.push(Message::user("go")).unwrap();
    let part = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    let result = ToolResult::timed_out(huge())
        .with_error("no answer")
        .with_parts([part]);
    session.settle(&operation(1), result).unwrap();
    run
}

#[test]
fn each_place_that_differs_has_its_finding() {
    let run = settled();
    let transcript = Transcript::load(&run.transcript).unwrap();
    let store = ArtifactDir::beside(&run.transcript);
    let places = || transcript.places().next().unwrap();
    let of = |text: &'static str| Places {
        conversation: text,
        transcript: text,
        digest: Some(SettledDigest::of(text.as_bytes())),
        ..places()
    };
    let artifact = places().artifact.unwrap();
    let longer = ArtifactRef::new(
        artifact.name().clone(),
        *artifact.digest(),
        artifact.bytes() + 1,
    );
    let mut report = String::new();
    for (what, places) in [
        ("nothing", places()),
        (
            "the conversation",
            Places {
                conversation: "other",
                ..places()
            },
        ),
        (
            "the event",
            Places {
                event: Some("other"),
                ..places()
            },
        ),
        (
            "the digest",
            Places {
                digest: Some(SettledDigest::of(b"other")),
                ..places()
            },
        ),
        ("the marker", of("no marker")),
        (
            "the artifact",
            Places {
                artifact: Some(longer),
                ..places()
            },
        ),
    ] {
        let audit = audit([places], Some(&store));
        report.push_str(&format!("{what}:\n"));
        for finding in audit.findings() {
            report.push_str(&format!("    {finding}\n"));
        }
    }
    insta::assert_snapshot!(report);
}

/// Whatever is changed in a transcript by hand, field by field: how it is noticed.
#[test]
fn a_field_that_is_changed_is_noticed_or_is_none_of_the_four_places() {
    let run = settled();
    let lines = run.lines();
    let mut report = String::new();
    for (number, line) in lines.iter().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        for field in fields(&line, String::new()) {
            let mut changed = line.clone();
            change(changed.pointer_mut(&field).unwrap());
            let mut lines = lines.clone();
            lines[number] = changed.to_string();
            std::fs::write(&run.transcript, lines.join("\n") + "\n").unwrap();
            let kind = line["type"].as_str().unwrap();
            report.push_str(&format!("{kind} {field}: {}\n", noticed(&run)));
        }
    }
    insta::assert_snapshot!(report);
}

fn noticed(run: &Run) -> String {
    let transcript = match Transcript::load(&run.transcript) {
        Ok(transcript) => transcript,
        Err(error) => return error.to_string(),
    };
    let store = ArtifactDir::beside(&run.transcript);
    let audit = audit(transcript.places(), Some(&store));
    let findings = audit.findings().iter().map(ToString::to_string);
    match findings.collect::<Vec<_>>().as_slice() {
        [] if transcript
            .operations()
            .all(|state| state.settled().is_some()) =>
        {
            "-".into()
        }
        [] => "not settled".into(),
        findings => findings.join("; "),
    }
}

/// The pointers of every value that holds no other.
fn fields(value: &Value, at: String) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), value))
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(n, v)| (n.to_string(), v))
            .collect(),
        _ => return vec![at],
    };
    let fields = inner
        .into_iter()
        .map(|(key, value)| fields(value, format!("{at}/{key}")));
    fields.flatten().collect()
}

/// Another value of the same kind.
fn change(value: &mut Value) {
    *value = match &*value {
        // A digest stays one.
        Value::String(text) if text.len() == 64 => json!(text.chars().rev().collect::<String>()),
        Value::String(text) if text == "failed" => json!("completed"),
        Value::String(text) if text == "op-1.txt" => json!("op-2.txt"),
        Value::String(text) => json!(format!("{text}x")),
        Value::Number(number) => json!(number.as_u64().unwrap() + 1),
        Value::Bool(is) => json!(!is),
        other => unreachable!("no line has {other}"),
    };
}
