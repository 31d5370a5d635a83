//! What a run can put before the measuring: a tool's own shaping, a redaction.

use std::fmt;
use std::sync::Arc;

use crate::ToolResult;
use crate::tool_result::Body;

/// Takes secrets out of the bytes of every result, before they are stored or shown.
///
/// It must depend on its argument alone, so that a result that is settled again gives the same
/// observation (I2). Parts that are no text, and the framing of a background completion, are not
/// shown to it.
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
    /// Redacts the body and tells in how many places.
    pub(crate) fn redact(&mut self, redactor: &dyn Redactor) -> u64 {
        let empty = Body::Text(String::new());
        let bytes = match std::mem::replace(&mut self.body, empty) {
            Body::Text(text) => text.into_bytes(),
            Body::Bytes(bytes) => bytes,
        };
        let Redacted { bytes, places } = redactor.redact(bytes);
        self.body = Body::from(bytes);
        places
    }
}

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
