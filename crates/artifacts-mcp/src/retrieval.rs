//! The tools added to the server's, under the names one client knows them by.

use std::sync::Arc;

use artifacts_core::{Hint, Limit};
use artifacts_search::Embedder;
use loop_integration::{ArtifactTools, EmbeddingExpander, Expander, LexicalExpander, ToolAnswer};
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
    embedder: Option<Arc<dyn Embedder>>,
}

impl Retrieval {
    /// Tools whose answers are within `limit`, each named with `prefix` before its own name. With an
    /// `embedder` questions in other words are answered, too.
    pub(crate) fn new(
        kept: Kept,
        limit: Limit,
        prefix: &str,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Self {
        let store = Arc::new(kept.store().clone());
        let budget = limit.amount() / 2;
        let expander: Arc<dyn Expander> = match embedder.clone() {
            Some(embedder) => Arc::new(
                EmbeddingExpander::new(embedder)
                    .with_cache(kept.store().clone())
                    .with_budget(budget),
            ),
            None => Arc::new(LexicalExpander::with_budget(budget)),
        };
        let tools = ArtifactTools::new(store, kept.index_as_it_is(), limit)
            .map(|tools| tools.with_prefix(prefix).with_expander(expander));
        Self {
            tools: tools.ok(),
            kept,
            limit,
            embedder,
        }
    }

    /// The same tools with `embedder` for questions in other words.
    pub(crate) fn with_embedder(&self, embedder: Arc<dyn Embedder>) -> Self {
        Self::new(self.kept.clone(), self.limit, "", Some(embedder))
    }

    pub(crate) fn with_prefix(&self, prefix: &str) -> Self {
        let embedder = self.embedder.clone();
        Self::new(self.kept.clone(), self.limit, prefix, embedder)
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
        let found = self.kept.find(handle).ok()?;
        Some(found.artifact().name().as_str().to_owned())
    }

    pub(crate) fn call(&self, name: &str, arguments: &Value) -> Option<ToolAnswer> {
        // The tools look in the index alone.
        match arguments.get("name").and_then(Value::as_str) {
            Some(handle) => drop(self.kept.find(handle)),
            None => self.kept.refresh(),
        }
        Some(self.tools.as_ref()?.call(name, arguments))
    }
}

/// The `result` of a tool's call.
pub(crate) fn result(answer: &ToolAnswer) -> Box<RawValue> {
    let content = json!([{"type": "text", "text": answer.text()}]);
    // Not in `structuredContent`, for which clients leave the text out.
    let passages = answer.passages().iter().map(|passage| {
        let bytes = [passage.bytes.start, passage.bytes.end];
        json!({"bytes": bytes, "score": passage.score})
    });
    let passages = passages.collect::<Vec<_>>();
    json::value(&match (answer.is_error(), passages.is_empty()) {
        (true, _) => json!({"content": content, "isError": true}),
        (false, true) => json!({"content": content}),
        (false, false) => json!({"content": content, "_meta": {PASSAGES_KEY: passages}}),
    })
}

/// Where the passages of an answer are in the artifact, in bytes, and how well each fits.
const PASSAGES_KEY: &str = "dev.tool-artifacts/passages";
