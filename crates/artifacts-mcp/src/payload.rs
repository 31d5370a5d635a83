//! A `tools/call` result: what of it the model reads, and the result that says it shorter.

mod blocks;

use std::borrow::Cow;

use artifacts_fs::DurableArtifact;
use loop_integration::{Ending, Operation, Settled, Settler, ToolResult};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::calls::{CallLog, TextSize};
use crate::json::{self, Members};
use crate::resources::SCHEME;

use self::blocks::Blocks;

/// The `_meta` key that describes the artifact of a result. In `structuredContent` it would hide
/// the excerpt: clients show that instead of `content` where both are there.
pub const META_KEY: &str = "dev.tool-artifacts/artifact";

/// A settled result.
#[derive(Debug)]
pub(crate) struct Settlement {
    /// The `result` or the `error` to send instead, if it is another.
    pub(crate) result: Option<Box<RawValue>>,
    /// The text shown instead, if the result was over its limit.
    pub(crate) observation: Option<String>,
    /// Why the whole of it was not stored, if it was to be.
    pub(crate) store_error: Option<String>,
    returned: TextSize,
    shown: TextSize,
    artifact: Option<DurableArtifact>,
}

impl Settlement {
    /// What became of a text of the size `returned`, without a result to send.
    pub(crate) fn of(settled: &Settled, returned: TextSize) -> Self {
        let is_whole = settled.elided() == 0;
        let observation = (!is_whole).then(|| settled.observation().to_owned());
        Self {
            result: None,
            shown: observation.as_deref().map_or(returned, TextSize::of),
            observation,
            store_error: settled.store_error().map(str::to_owned),
            returned,
            artifact: settled.artifact().cloned(),
        }
    }

    fn with_result(self, result: Option<Box<RawValue>>) -> Self {
        Self { result, ..self }
    }

    /// Whether the text is in an artifact.
    pub(crate) fn is_stored(&self) -> bool {
        self.artifact.is_some()
    }

    /// Notes the call of `tool` that it is of.
    pub(crate) fn log(&self, calls: &CallLog, tool: &str) {
        calls.call(tool, self.returned, self.shown, self.artifact.as_ref());
    }
}

/// Settles a `tools/call` result: its parts are one budget (SPEC 5.4). `None` if there is nothing
/// to settle.
pub(crate) fn settle(
    result: &Members<'_>,
    settler: &Settler,
    operation: &Operation,
) -> Option<Settlement> {
    if result
        .text("resultType")
        .is_some_and(|kind| kind != "complete")
    {
        return None;
    }
    let mut blocks = Blocks::of(result);
    let settler = &*blocks.making_room(settler, operation);
    let body = blocks.take_body();
    let ending = match result.get("isError").map(RawValue::get) {
        Some("true") => Ending::Error,
        _ => Ending::Success,
    };
    // The log names the artifact before the client does, so its line is not for later: but what
    // takes long about it need not wait for the disk.
    let (returned, settled) = TextSize::beside(body.text, |text| {
        let outcome = ToolResult::ended(ending, text).with_content_type(body.content);
        settler.settle(operation, outcome)
    });
    let is_whole = settled.elided() == 0;
    let mut changed = result.clone();
    if !is_whole {
        changed.set("content", blocks.with(settled.observation()));
        changed.remove("structuredContent");
    }
    let is_stored = settled.artifact().is_some();
    let is_described = !is_whole || is_stored || settled.store_error().is_some();
    if is_described {
        changed.set("_meta", with_meta(result.get("_meta"), &describe(&settled)));
    }
    // The text that fits says all of it; spelled out in JSON it may take several times the room.
    let policy = settler.policy(operation);
    let limit = policy.shape().filter(|_| !policy.passes_whole());
    let limit = limit.map(|shape| shape.limit());
    let is_too_long = |json: &&RawValue| limit.is_some_and(|limit| !limit.fits(json.get()));
    let is_unsaid = is_whole
        && !is_stored
        && blocks.structured.as_ref().is_some_and(is_too_long)
        && changed.remove("structuredContent");
    let is_same = !is_described && !is_unsaid;
    let changed = (!is_same).then(|| changed.to_raw());
    Some(Settlement::of(&settled, returned).with_result(changed))
}

/// Settles the text of a JSON-RPC error, which a model reads as well (SPEC 5.3).
pub(crate) fn settle_error(
    error: &Members<'_>,
    settler: &Settler,
    operation: &Operation,
) -> Option<Settlement> {
    let mut text = error.text("message")?.into_owned();
    if let Some(data) = error.get("data") {
        text.push('\n');
        text.push_str(&json::text_of(data).unwrap_or(Cow::Borrowed(data.get())));
    }
    let returned = TextSize::of(&text);
    let settled = settler.settle(operation, ToolResult::error(text));
    let is_whole = settled.elided() == 0;
    let mut changed = error.clone();
    changed.set("message", json::string(settled.observation()));
    changed.set(
        "data",
        json::value(&json!({ META_KEY: describe(&settled) })),
    );
    let changed = (!is_whole).then(|| changed.to_raw());
    Some(Settlement::of(&settled, returned).with_result(changed))
}

/// The machine-readable side of the marker.
fn describe(settled: &Settled) -> Value {
    let Some(measured) = settled.measured() else {
        return Value::Null;
    };
    let (bytes, chars) = (measured.measure().bytes(), measured.measure().graphemes());
    let (elided, sha256) = (settled.elided(), measured.digest().to_string());
    match settled.artifact() {
        Some(artifact) => json!({
            "file": artifact.name().as_str(),
            "uri": format!("{SCHEME}{}", artifact.name().as_str()),
            "bytes": bytes,
            "chars": chars,
            "elided-chars": elided,
            "sha256": sha256,
        }),
        None => json!({
            "stored": false,
            "reason": settled.store_error(),
            "bytes": bytes,
            "chars": chars,
            "elided-chars": elided,
            "sha256": sha256,
        }),
    }
}

/// The `_meta` object with our member added.
fn with_meta(meta: Option<&RawValue>, description: &Value) -> Box<RawValue> {
    let mut meta = meta.and_then(Members::of).unwrap_or_default();
    meta.set(META_KEY, json::value(description));
    meta.to_raw()
}
