//! The tools added to the server's, under the names one client knows them by.

use std::sync::{Arc, OnceLock};

use artifacts_core::{Hint, Limit};
use artifacts_fs::Index;
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
    prefix: String,
    embedder: Option<Arc<dyn Embedder>>,
    /// The tools as they are listed: with nothing to read.
    listed: Option<ArtifactTools>,
    /// The same over what is kept, from the first call on.
    answering: OnceLock<Option<ArtifactTools>>,
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
        let mut retrieval = Self {
            kept,
            limit,
            prefix: prefix.to_owned(),
            embedder,
            listed: None,
            answering: OnceLock::new(),
        };
        retrieval.listed = retrieval.tools(Index::default());
        retrieval
    }

    fn tools(&self, index: Index) -> Option<ArtifactTools> {
        let store = self.kept.store();
        let budget = self.limit.amount() / 2;
        let expander: Arc<dyn Expander> = match self.embedder.clone() {
            Some(embedder) => Arc::new(
                EmbeddingExpander::new(embedder)
                    .with_cache(store.clone())
                    .with_budget(budget),
            ),
            None => Arc::new(LexicalExpander::with_budget(budget)),
        };
        let tools = ArtifactTools::new(Arc::new(store.clone()), index, self.limit).ok()?;
        Some(tools.with_prefix(&self.prefix).with_expander(expander))
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
        self.listed.as_ref().is_some_and(|tools| tools.has(name))
    }

    /// The definitions as `tools/list` has them.
    pub(crate) fn definitions(&self) -> Vec<Value> {
        let definitions = self.listed.iter().flat_map(ArtifactTools::definitions);
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
        self.listed.as_ref().map(ArtifactTools::hint)
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
        let answering = || self.tools(self.kept.index().clone());
        let tools = self.answering.get_or_init(answering);
        Some(tools.as_ref()?.call(name, arguments))
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
