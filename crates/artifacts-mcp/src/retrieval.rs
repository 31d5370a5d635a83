//! The tools added to the server's, under the names one client knows them by.

use std::sync::Arc;

use artifacts_core::{Hint, Limit};
use loop_integration::{ArtifactTools, LexicalExpander, ToolAnswer, resolve};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::json;
use crate::kept::Kept;

/// The tools that read artifacts. There are none under a limit that is too small for answers.
#[derive(Debug)]
pub(crate) struct Retrieval {
    kept: Kept,
    limit: Limit,
    tools: Option<ArtifactTools>,
}

impl Retrieval {
    /// Tools whose answers are within `limit`, each named with `prefix` before its own name.
    pub(crate) fn new(kept: Kept, limit: Limit, prefix: &str) -> Self {
        let store = Arc::new(kept.store().clone());
        let expander = Arc::new(LexicalExpander::with_budget(limit.amount() / 2));
        let tools = ArtifactTools::new(store, kept.index_as_it_is(), limit)
            .map(|tools| tools.with_prefix(prefix).with_expander(expander));
        Self {
            tools: tools.ok(),
            kept,
            limit,
        }
    }

    pub(crate) fn with_prefix(&self, prefix: &str) -> Self {
        Self::new(self.kept.clone(), self.limit, prefix)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.tools.as_ref().is_some_and(|tools| tools.has(name))
    }

    /// The definitions as `tools/list` has them.
    pub(crate) fn definitions(&self) -> Vec<Value> {
        let definitions = self.tools.iter().flat_map(ArtifactTools::definitions);
        let definition = definitions.map(|tool| {
            json!({
                "name": tool.name(),
                "description": tool.description(),
                "inputSchema": tool.input_schema(),
            })
        });
        definition.collect()
    }

    pub(crate) fn hint(&self) -> Option<Hint> {
        self.tools.as_ref().map(ArtifactTools::hint)
    }

    /// The file that a handle means.
    pub(crate) fn file(&self, handle: &str) -> Option<String> {
        let found = resolve(self.kept.index(), handle).ok()?;
        Some(found.artifact().name().as_str().to_owned())
    }

    pub(crate) fn call(&self, name: &str, arguments: &Value) -> Option<ToolAnswer> {
        self.kept.index();
        Some(self.tools.as_ref()?.call(name, arguments))
    }
}

/// The `result` of a tool's call.
pub(crate) fn result(answer: &ToolAnswer) -> Box<RawValue> {
    let content = json!([{"type": "text", "text": answer.text()}]);
    json::value(&match answer.is_error() {
        true => json!({"content": content, "isError": true}),
        false => json!({"content": content}),
    })
}
