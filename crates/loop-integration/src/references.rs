//! Stored results as arguments of other tools: `{"$artifact": "<name>", "lines": "10-20"}`.

use std::fmt;
use std::sync::Arc;

use artifacts_fs::{ArtifactStore, Index, Selection};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde::Deserialize;
use serde_json::Value;

use crate::clean::Clean;
use crate::span::{Part, Span};
use crate::{ToolResult, resolve};

/// Puts the bytes of stored results into the arguments of a call, before it is dispatched, so that
/// they never pass through the model (SPEC 6.5).
///
/// An object with the key `$artifact`, at any depth, stands for the text of the artifact it names,
/// whole or by `lines`, `bytes` or `chars`, counted from the end with `from_end`; bytes that are
/// no text need `"encoding": "base64"`. What is put in is not looked at again.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactStore as _, Index, MemoryStore};
/// use loop_integration::References;
/// use serde_json::json;
///
/// let store = Arc::new(MemoryStore::default());
/// let index = Index::default();
/// let stored = store.store(&OpId::new("op-1"), ContentType::Text, b"one\ntwo\nthree\n")?;
/// index.add((&stored).into(), None);
///
/// let references = References::new(store, index);
/// let arguments = json!({"files": [{"body": {"$artifact": "op-1.txt", "lines": "2-3"}}]});
/// let arguments = references.fill_in(arguments)?;
/// assert_eq!(arguments, json!({"files": [{"body": "two\nthree\n"}]}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct References {
    store: Arc<dyn ArtifactStore>,
    index: Index,
    max_total_bytes: u64,
}

/// Why a call can't be dispatched: one line for the model, which becomes the tool's result.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_fs::{Index, MemoryStore};
/// use loop_integration::{References, ToolResult};
/// use serde_json::json;
///
/// let references = References::new(Arc::new(MemoryStore::default()), Index::default());
/// let refused = references.fill_in(json!({"body": {"$artifact": "op-1.txt"}})).unwrap_err();
/// let result = ToolResult::from(refused);
/// assert_eq!(result.bytes(), b"[no artifact found for 'op-1.txt']");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadReference {
    message: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reference {
    #[serde(rename = "$artifact")]
    handle: String,
    #[serde(default)]
    lines: Option<Span>,
    #[serde(default)]
    bytes: Option<Span>,
    #[serde(default)]
    chars: Option<Span>,
    #[serde(default)]
    from_end: bool,
    #[serde(default)]
    encoding: Option<Encoding>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Encoding {
    Text,
    Base64,
}

impl References {
    /// References to what `index` holds, of at most 4 MiB together in one call.
    #[must_use]
    pub fn new(store: Arc<dyn ArtifactStore>, index: Index) -> Self {
        Self {
            store,
            index,
            max_total_bytes: 4 << 20,
        }
    }

    /// Bounds what the references of one call bring in together, in bytes of the artifacts.
    #[must_use]
    pub fn with_max_total_bytes(self, max_total_bytes: u64) -> Self {
        Self {
            max_total_bytes,
            ..self
        }
    }

    /// The arguments with every reference replaced; without one they are as they were.
    ///
    /// # Errors
    ///
    /// [`BadReference`] for the first reference that leads nowhere, to altered bytes, to bytes
    /// that are no text, or beyond the bound. The call must not be dispatched then.
    pub fn fill_in(&self, mut arguments: Value) -> Result<Value, BadReference> {
        self.store.expire();
        let mut rest = self.max_total_bytes;
        self.visit(&mut arguments, &mut rest)?;
        Ok(arguments)
    }

    fn visit(&self, value: &mut Value, rest: &mut u64) -> Result<(), BadReference> {
        match value {
            Value::Array(items) => items.iter_mut().try_for_each(|item| self.visit(item, rest)),
            Value::Object(fields) if fields.contains_key(KEY) => {
                let reference = serde_json::from_value::<Reference>(value.take());
                let reference = reference.map_err(|error| {
                    let error = error.to_string();
                    BadReference::new(format!("a reference is wrong: {}", Clean::long(&error)))
                })?;
                *value = Value::String(self.read(&reference, rest)?);
                Ok(())
            }
            Value::Object(fields) => fields
                .values_mut()
                .try_for_each(|field| self.visit(field, rest)),
            _ => Ok(()),
        }
    }

    fn read(&self, reference: &Reference, rest: &mut u64) -> Result<String, BadReference> {
        let part = Part {
            lines: reference.lines,
            bytes: reference.bytes,
            chars: reference.chars,
            from_end: reference.from_end,
        };
        let Some(selection) = part.selection() else {
            return Err(BadReference::new("give only one of lines, bytes and chars"));
        };
        let found = resolve(&self.index, &reference.handle).map_err(|unresolved| BadReference {
            message: unresolved.to_string(),
        })?;
        let name = found.artifact().name();
        let refused = |error: artifacts_fs::Error| BadReference::new(error.to_string());
        let artifact = self.store.open(found.artifact()).map_err(refused)?;
        let range = artifact.locate(&selection).map_err(refused)?;
        let length = range.end - range.start;
        if length == 0 && selection != Selection::all() {
            let bytes = artifact.bytes();
            return Err(BadReference::new(format!(
                "the range of {name} is empty: it has {bytes} bytes, ranges are first-last, and lines \
                 are counted from 1"
            )));
        }
        let Some(left) = rest.checked_sub(length) else {
            let most = self.max_total_bytes;
            return Err(BadReference::new(format!(
                "{name} would bring in {length} bytes, and the references of a call at most {most} \
                 together: name a part with lines or bytes"
            )));
        };
        *rest = left;
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
        let filled = artifact.read_at(&mut bytes, range.start).map_err(refused)?;
        bytes.truncate(filled);
        if reference.encoding == Some(Encoding::Base64) {
            return Ok(BASE64.encode(&bytes));
        }
        String::from_utf8(bytes).map_err(|_| {
            BadReference::new(format!(
                "what is asked of {name} is not UTF-8: name another part or add \"encoding\":\"base64\""
            ))
        })
    }
}

impl BadReference {
    fn new(message: impl fmt::Display) -> Self {
        Self {
            message: format!("[{message}]"),
        }
    }
}

impl fmt::Display for BadReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadReference {}

/// The result of the call that was not dispatched.
impl From<BadReference> for ToolResult {
    fn from(refused: BadReference) -> Self {
        Self::malformed_arguments(refused.message)
    }
}

const KEY: &str = "$artifact";
