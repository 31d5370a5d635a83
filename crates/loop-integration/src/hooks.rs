//! What a run can put before the measuring: a tool's own shaping, a redaction.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::parts::is_media;
use crate::tool_result::{Body, Framing};
use crate::{Ending, ToolResult};

/// Takes secrets out of every result, before anything of it is stored, cut, shown or recorded.
///
/// It is asked once for each text: the body, every string inside a part (the text of an embedded
/// resource or a document, the name or the link of a file, a field of a part of an unknown type),
/// the framing of a background completion, and the [name of an error](ToolResult::with_error),
/// before that is cut to its length. It does not see the bytes of images, sound and files: in a
/// part of their types a `data`, `blob` or `file_data` that is no text, and a `data:` URL. Nor
/// does it see the names of fields, the fixed words of an unknown outcome, and what comes from the
/// model: the arguments of its calls are part of its own messages.
///
/// It must depend on its argument alone, so that a result that is settled again gives the same
/// observation (I2), and find nothing in what it left, because an observation that is polled is
/// shown to it again.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Shape;
/// use loop_integration::{Operation, Redacted, Redactor, Settler, ToolResult};
///
/// #[derive(Debug)]
/// struct Tokens;
///
/// impl Redactor for Tokens {
///     fn redact(&self, text: Vec<u8>) -> Redacted {
///         let text = String::from_utf8_lossy(&text).into_owned();
///         let places = text.matches("hunter2").count() as u64;
///         Redacted::new(text.replace("hunter2", "*****").into_bytes(), places)
///     }
/// }
///
/// let settler = Settler::new(Shape::excerpt()).with_redactor(Arc::new(Tokens));
/// let settled = settler.settle(&Operation::new("op-1"), ToolResult::success("pass: hunter2"));
/// assert_eq!(settled.observation(), "pass: *****");
/// assert_eq!(settled.redacted(), 1);
/// ```
pub trait Redactor: fmt::Debug + Send + Sync {
    /// The bytes to keep in place of `bytes`.
    fn redact(&self, bytes: Vec<u8>) -> Redacted;
}

/// What a [`Redactor`] leaves of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    bytes: Vec<u8>,
    places: u64,
}

impl Redacted {
    /// The bytes that are left, after a change in `places` places.
    #[must_use]
    pub fn new(bytes: Vec<u8>, places: u64) -> Self {
        Self { bytes, places }
    }
}

impl ToolResult {
    /// Redacts every text and tells in how many places.
    pub(crate) fn redact(&mut self, redactor: &dyn Redactor) -> u64 {
        let mut places = 0;
        if self.ending != Ending::Unknown {
            let empty = Body::Text(String::new());
            let bytes = match std::mem::replace(&mut self.body, empty) {
                Body::Text(text) => text.into_bytes(),
                Body::Bytes(bytes) => bytes,
            };
            let redacted = redactor.redact(bytes);
            self.body = Body::from(redacted.bytes);
            places = redacted.places;
        }
        let Framing { before, after, .. } = &mut self.framing;
        let texts = [before, after].into_iter().chain(&mut self.error);
        let texts = texts.fold(0_u64, |sum, text| sum + redact_text(text, redactor));
        let parts = self.parts.iter_mut().map(|part| match is_media(part) {
            true => redact_value(part, &is_beside_bytes, redactor),
            false => redact_value(part, &|_, _| true, redactor),
        });
        let parts = parts.sum::<u64>();
        places + texts + parts
    }
}

fn redact_text(text: &mut String, redactor: &dyn Redactor) -> u64 {
    if text.is_empty() {
        return 0;
    }
    let Redacted { bytes, places } = redactor.redact(std::mem::take(text).into_bytes());
    *text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    places
}

/// Redacts the strings in `value`, but for the fields of objects that `is_text` says no to.
fn redact_value(
    value: &mut Value,
    is_text: &dyn Fn(&str, &Value) -> bool,
    redactor: &dyn Redactor,
) -> u64 {
    match value {
        Value::String(text) => redact_text(text, redactor),
        Value::Array(items) => items
            .iter_mut()
            .map(|item| redact_value(item, is_text, redactor))
            .sum(),
        Value::Object(fields) => {
            // The source of a document that is text has its text where others have bytes.
            let holds_text = fields.get("type").is_some_and(|kind| kind == "text");
            fields
                .iter_mut()
                .filter(|(key, field)| holds_text || is_text(key, field))
                .map(|(_, field)| redact_value(field, is_text, redactor))
                .sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// Whether a field of a part that is media is something else than its bytes.
fn is_beside_bytes(key: &str, field: &Value) -> bool {
    let is_url = field.as_str().is_some_and(|text| text.starts_with("data:"));
    !BYTES.contains(&key) && !is_url
}

/// The fields that hold the bytes of media.
const BYTES: [&str; 3] = ["data", "blob", "file_data"];

/// A tool's own shaping of its results.
#[derive(Clone)]
pub(crate) struct Transform(Arc<dyn Fn(ToolResult) -> ToolResult + Send + Sync>);

impl Transform {
    pub(crate) fn new(
        transform: impl Fn(ToolResult) -> ToolResult + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(transform))
    }

    pub(crate) fn apply(&self, result: ToolResult) -> ToolResult {
        (self.0)(result)
    }
}

impl fmt::Debug for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transform")
    }
}
