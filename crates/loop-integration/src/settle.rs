//! The seam: the one function through which every tool result becomes an observation.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use artifacts_core::{Cut, Hint, Marker, Measured, NotStored, Shape};
use artifacts_fs::ArtifactStore;

use crate::policy::Treatment;
use crate::tool_result::{Body, Framing};
use crate::{Kept, Operation, Policy, Settled, SettledResult, ToolResult};

/// Turns every tool result into the one string the model sees (SPEC 5.1).
///
/// The observation depends on the result, the policy, the op id and whether the store could keep
/// the bytes, and on nothing else (I2). A store that fails never fails the call (I9).
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::{Limit, Shape};
/// use artifacts_fs::MemoryStore;
/// use loop_integration::{Operation, Settler, ToolResult};
///
/// let settler = Settler::new(Shape::new(Limit::graphemes(100)?))
///     .with_store(Arc::new(MemoryStore::default()));
/// let huge = "0123456789\n".repeat(1_000);
/// let settled = settler.settle(&Operation::new("op-1"), ToolResult::success(huge));
/// assert!(settled.observation().contains("full result: op-1.txt sha256 "));
/// assert!(settled.artifact().is_some());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Settler {
    policy: Policy,
    tools: BTreeMap<Arc<str>, Policy>,
    store: Option<Arc<dyn ArtifactStore>>,
    hint: Option<Hint>,
}

impl Settler {
    /// Cuts what is over the shape's limit. Nothing is stored until there is a
    /// [store](Self::with_store).
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self::with_policy(Policy::limited(shape))
    }

    /// Treats every tool's results by `policy`. The default passes every byte (SPEC 1.5).
    #[must_use]
    pub fn with_policy(policy: Policy) -> Self {
        Self {
            policy,
            ..Self::default()
        }
    }

    /// Stores full results in `store`.
    #[must_use]
    pub fn with_store(self, store: Arc<dyn ArtifactStore>) -> Self {
        Self {
            store: Some(store),
            ..self
        }
    }

    /// Treats the results of `tool` by a policy of its own.
    #[must_use]
    pub fn with_tool(mut self, tool: impl Into<Arc<str>>, policy: Policy) -> Self {
        self.tools.insert(tool.into(), policy);
        self
    }

    /// Names the tools that read more, under every marker that names a file. Give it only where
    /// these tools are registered for this very agent (SPEC 3.6).
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Self {
        Self {
            hint: Some(hint),
            ..self
        }
    }

    /// The policy of the operation's tool.
    #[must_use]
    pub fn policy(&self, operation: &Operation) -> Policy {
        let of_tool = operation.tool().and_then(|tool| self.tools.get(tool));
        of_tool.copied().unwrap_or(self.policy)
    }

    /// The store, if there is one.
    #[must_use]
    pub fn store(&self) -> Option<&Arc<dyn ArtifactStore>> {
        self.store.as_ref()
    }

    /// Settles one result. Blocks while the store writes.
    #[must_use = "the observation is what the model must be shown"]
    pub fn settle(&self, operation: &Operation, result: ToolResult) -> Settled {
        let treatment = self.policy(operation).treatment();
        let text = match &result.body {
            Body::Text(text) => Cow::Borrowed(text.as_str()),
            Body::Bytes(bytes) => String::from_utf8_lossy(bytes),
        };
        match treatment {
            Treatment::Limited(shape) => match shape.shorten(&text) {
                Some(cut) => self.cut(operation, &result, &shape, &cut),
                None => whole(operation, &result, &text, None),
            },
            Treatment::Raw(shape) if !shape.limit().fits(&text) => {
                let kept = self.keep(operation, &result);
                whole(operation, &result, &text, Some(kept))
            }
            Treatment::Raw(_) | Treatment::Exempt => whole(operation, &result, &text, None),
        }
    }

    fn cut(
        &self,
        operation: &Operation,
        result: &ToolResult,
        shape: &Shape,
        cut: &Cut<'_>,
    ) -> Settled {
        let (kept, measured) = self.keep(operation, result);
        let elided = cut.elided(&measured);
        let marker = match &kept {
            Kept::Stored(artifact) => Marker::stored(artifact, &measured, elided),
            Kept::NotStored(why) => Marker::not_stored(*why, &measured, elided),
            Kept::Whole => Marker::not_stored(NotStored::Other, &measured, elided),
        };
        let marker = marker.with_capture(result.capture);
        let body = shape.render_with_hint(cut, &marker, self.hint.as_ref());
        Settled {
            kept,
            measured: Some(measured),
            elided,
            ..whole(operation, result, &body, None)
        }
    }

    /// Stores the full bytes. Whatever goes wrong becomes a reason in the marker (I9).
    fn keep(&self, operation: &Operation, result: &ToolResult) -> (Kept, Measured) {
        let bytes = result.bytes();
        let not_stored = |why| (Kept::NotStored(why), Measured::of(bytes));
        let Some(store) = &self.store else {
            return not_stored(NotStored::NoSession);
        };
        match store.store(operation.op_id(), result.content, bytes) {
            Ok(artifact) => {
                let measured = *artifact.measured();
                (Kept::Stored(artifact), measured)
            }
            Err(_) => not_stored(NotStored::Failed),
        }
    }
}

fn whole(
    operation: &Operation,
    result: &ToolResult,
    text: &str,
    kept: Option<(Kept, Measured)>,
) -> Settled {
    let (kept, measured) = kept.unzip();
    Settled {
        operation: operation.clone(),
        result: SettledResult::new(framed(&result.framing, text)),
        parts: result.parts.as_slice().into(),
        ending: result.ending,
        kept: kept.unwrap_or(Kept::Whole),
        measured,
        elided: 0,
        capture: result.capture,
        replaced: replaced(result),
        is_background: result.framing.is_background,
    }
}

fn framed(framing: &Framing, text: &str) -> Arc<str> {
    if framing.before.is_empty() && framing.after.is_empty() {
        return text.into();
    }
    [framing.before.as_str(), text, framing.after.as_str()]
        .concat()
        .into()
}

/// Only bytes that are no UTF-8 are kept as bytes.
fn replaced(result: &ToolResult) -> u64 {
    match &result.body {
        Body::Text(_) => 0,
        Body::Bytes(bytes) => bytes
            .utf8_chunks()
            .filter(|chunk| !chunk.invalid().is_empty())
            .count() as u64,
    }
}
