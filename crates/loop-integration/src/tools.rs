//! The tools with which a model reads stored results back.

mod answer;
mod arguments;
mod definitions;
mod expand;
#[cfg(feature = "artifacts-search")]
mod lexical;
mod list;
mod open;
mod read;
mod search;
#[cfg(feature = "artifacts-search")]
mod similar;
mod store;

use std::sync::Arc;

use artifacts_core::{Hint, Limit};
use artifacts_fs::{ArtifactRef, ArtifactStore, Index, OpenArtifact};
use serde_json::Value;

pub use self::answer::ToolAnswer;
pub use self::definitions::{Naming, ToolDefinition};
pub use self::expand::{Expander, FoundPassage};
#[cfg(feature = "artifacts-search")]
pub use self::lexical::LexicalExpander;
#[cfg(feature = "artifacts-search")]
pub use self::similar::EmbeddingExpander;

use self::answer::{Refusal, Room};
use self::definitions::Tool;
use self::open::OpenArtifacts;
use crate::{Error, References, resolve};

/// The tools for one agent: definitions to register, and one function that answers every call.
///
/// An answer is at most as large as the agent's limit, whatever it is asked for, so it passes the
/// settle path whole and no artifact is ever made of one. The number of tools does not depend on
/// what is stored. A mistake in a call is an answer that says what to do instead.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::Limit;
/// use artifacts_fs::{Index, MemoryStore};
/// use loop_integration::{ArtifactTools, Operation, Settler, ToolResult};
/// use serde_json::json;
///
/// let limit = Limit::graphemes(1_000)?;
/// let store = Arc::new(MemoryStore::default());
/// let tools = ArtifactTools::new(store.clone(), Index::default(), limit)?;
/// let settler = Settler::new(artifacts_core::Shape::new(limit))
///     .with_store(store)
///     .with_hint(tools.hint());
///
/// let huge = "0123456789\n".repeat(1_000);
/// let settled = settler.settle(&Operation::new("op-1"), ToolResult::success(huge));
/// tools.admit(&settled);
///
/// let answer = tools.call("read_artifact", &json!({"name": "op-1.txt", "lines": "2-3"}));
/// let (line, text) = answer.text().split_once('\n').unwrap_or_default();
/// assert_eq!(line, "[op-1.txt: bytes 11-32 of 11000; end of the range]");
/// assert_eq!(text, "0123456789\n0123456789\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArtifactTools {
    store: Arc<dyn ArtifactStore>,
    index: Index,
    room: Room,
    naming: Naming,
    prefix: String,
    expander: Option<Arc<dyn Expander>>,
    opened: OpenArtifacts,
}

impl ArtifactTools {
    /// Tools over `store` for what `index` holds, whose answers fit `limit`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](crate::ErrorKind::Limit) if the limit is below 512 bytes, which is
    /// what an answer may need besides the bytes that were asked for.
    pub fn new(store: Arc<dyn ArtifactStore>, index: Index, limit: Limit) -> Result<Self, Error> {
        Ok(Self {
            store,
            index,
            room: Room::of(limit)?,
            naming: Naming::default(),
            prefix: String::new(),
            expander: None,
            opened: OpenArtifacts::default(),
        })
    }

    /// Spells the tools' names in another way.
    #[must_use]
    pub fn with_naming(self, naming: Naming) -> Self {
        Self { naming, ..self }
    }

    /// Puts `prefix` before every tool's name. What can't stand in a tool's name is left out, and
    /// so is what is beyond 32 bytes.
    #[must_use]
    pub fn with_prefix(self, prefix: &str) -> Self {
        let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let prefix = prefix.chars().filter(plain).take(32).collect();
        Self { prefix, ..self }
    }

    /// Adds `expand_artifact`, which answers with the passages that `expander` finds.
    #[must_use]
    pub fn with_expander(self, expander: Arc<dyn Expander>) -> Self {
        Self {
            expander: Some(expander),
            ..self
        }
    }

    /// The tools to register, always the same for these settings.
    #[must_use]
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools()
            .map(|tool| tool.define(self.name(tool), self.naming))
            .collect()
    }

    /// The hint line that names the tools which read more of an artifact (SPEC 3.6).
    #[must_use]
    pub fn hint(&self) -> Hint {
        let names = [self.name(Tool::Read), self.name(Tool::Search)];
        Hint::new(names.iter().map(String::as_str))
            .expect("two names of at most 48 plain characters fit in a hint")
    }

    /// Whether one of these tools has this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.tool(name).is_some()
    }

    /// Answers a call. It never fails: what is wrong with the call or the store is the answer.
    pub fn call(&self, name: &str, arguments: &Value) -> ToolAnswer {
        let Some(tool) = self.tool(name) else {
            let names = self.tools().map(|tool| self.name(tool)).collect::<Vec<_>>();
            let text = format!("no such tool: call one of {}", names.join(", "));
            return ToolAnswer::refused(self.room, &text);
        };
        self.expire();
        let answer = match tool {
            Tool::Store => store::call(self, arguments),
            Tool::Get => read::get(self, arguments),
            Tool::List => list::call(self, arguments),
            Tool::Read => read::call(self, arguments),
            Tool::Search => search::call(self, arguments),
            Tool::Expand => expand::call(self, arguments),
        };
        answer.unwrap_or_else(|refusal| refusal.into_answer(self.room))
    }

    /// Makes the artifact of a settled result, if it has one, reachable.
    pub fn admit(&self, settled: &crate::Settled) {
        if let Some(artifact) = settled.artifact() {
            self.index.add_stored(artifact, settled.operation().tool());
        }
    }

    /// Makes every artifact that a settle record of `transcript` names reachable, in the order of
    /// the operations. Those that are reachable already keep their place.
    pub fn admit_recorded(&self, transcript: &crate::Transcript) {
        for state in transcript.operations() {
            let recorded = state.settled().and_then(|settled| settled.artifact());
            if let Some(recorded) = recorded {
                self.index
                    .add(recorded.reference(), state.operation().tool());
            }
        }
    }

    /// References to the same artifacts, for the arguments of other tools.
    #[must_use]
    pub fn references(&self) -> References {
        References::new(Arc::clone(&self.store), self.index.clone())
    }

    /// What can be reached.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Lets go of what is older than it is kept.
    pub(crate) fn expire(&self) {
        self.store.expire();
    }

    /// Opens an artifact, or finds it open.
    pub(crate) fn open(
        &self,
        artifact: &ArtifactRef,
    ) -> Result<Arc<OpenArtifact>, artifacts_fs::Error> {
        self.opened.open(&*self.store, artifact)
    }

    /// Opens what `handle` means and lets `answer` read it.
    fn with_open(
        &self,
        handle: &str,
        answer: impl FnOnce(&OpenArtifact) -> Result<ToolAnswer, Refusal>,
    ) -> Result<ToolAnswer, Refusal> {
        let found = resolve(&self.index, handle)?;
        let artifact = found.artifact();
        let opened = self.open(artifact)?;
        answer(&opened).inspect_err(|_| self.opened.close(artifact))
    }

    fn tools(&self) -> impl Iterator<Item = Tool> {
        let expands = self.expander.is_some();
        let tools = Tool::ALL.into_iter();
        tools.filter(move |tool| expands || *tool != Tool::Expand)
    }

    fn tool(&self, name: &str) -> Option<Tool> {
        self.tools().find(|tool| self.name(*tool) == name)
    }

    /// The name under which a tool is registered.
    fn name(&self, tool: Tool) -> String {
        format!("{}{}", self.prefix, tool.name(self.naming))
    }
}
