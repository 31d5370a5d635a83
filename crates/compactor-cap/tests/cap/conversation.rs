//! Conversations to test with.

use artifacts_core::{ArtifactName, ContentDigest, Limit, MarkerLine, SettledDigest, Shape};
use compactor_cap::{ArtifactRecord, Records};
use serde_json::{Value, json};

/// A text of `lines` numbered lines.
pub(super) fn log(lines: usize) -> String {
    (1..=lines)
        .map(|line| format!("line {line} of the log\n"))
        .collect()
}

/// A shape that shows 100 characters.
pub(super) fn shape() -> Shape {
    Shape::new(Limit::graphemes(100).unwrap())
}

/// The digest of a conversation, to see that it stays.
pub(super) fn digest(messages: &[Value]) -> ContentDigest {
    ContentDigest::of(serde_json::to_string(messages).unwrap().as_bytes())
}

/// The observation of `text` under `limit`, settled into `<stem>.txt`, and its record.
pub(super) fn settled(stem: &str, text: &str, limit: u64) -> (String, ArtifactRecord) {
    settled_as(stem, text, Shape::new(Limit::graphemes(limit).unwrap()))
}

/// The same under `shape`.
pub(super) fn settled_as(stem: &str, text: &str, shape: Shape) -> (String, ArtifactRecord) {
    let cut = shape.shorten(text).expect("a text over the limit");
    let whole = artifacts_core::Measured::of(text.as_bytes());
    let name = ArtifactName::parse(&format!("{stem}.txt")).unwrap();
    let (bytes, elided) = (text.len() as u64, cut.elided(&whole));
    let line = MarkerLine::recorded(name.clone(), *whole.digest(), bytes, elided);
    let record = ArtifactRecord::new(
        name,
        *whole.digest(),
        bytes,
        whole.measure().graphemes(),
        elided,
    );
    (shape.render_recorded(&cut, &line), record)
}

/// A conversation of `count` settled results, `op-1` to `op-<count>`, and their records.
pub(super) fn run(count: usize, limit: u64) -> (Vec<Value>, Records) {
    let mut records = Records::default();
    let messages = (1..=count)
        .map(|number| {
            let (observation, record) = settled(&format!("op-{number}"), &log(200 + number), limit);
            let call = format!("call-{number}");
            records.insert(&call, SettledDigest::of(observation.as_bytes()), record);
            json!({"role": "tool", "tool_call_id": call, "content": observation})
        })
        .collect();
    (messages, records)
}
