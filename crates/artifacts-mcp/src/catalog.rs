//! The server's tools as the client knows them: the names, the policies, the tools added.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use artifacts_core::Hint;
use artifacts_search::Embedder;
use loop_integration::{Operation, Policy, Settler};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::{self, Members};
use crate::retrieval::Retrieval;
use crate::{Host, PolicyFile};

/// What the client was told of the tools.
#[derive(Debug)]
pub(crate) struct Catalog {
    host: Host,
    policies: PolicyFile,
    /// The settle path with the policies and the hint of the tools listed last.
    settler: Arc<Settler>,
    base: Settler,
    /// The size hints of the server's own tools.
    hints: BTreeMap<Arc<str>, Policy>,
    /// The names in the listing that is being read, page by page.
    seen: BTreeSet<String>,
    retrieval: Arc<Retrieval>,
    /// What the names of the added tools begin with.
    prefix: String,
}

impl Catalog {
    pub(crate) fn new(
        host: Host,
        policies: PolicyFile,
        base: Settler,
        retrieval: Retrieval,
    ) -> Self {
        let mut catalog = Self {
            host,
            policies,
            settler: Arc::default(),
            base,
            hints: BTreeMap::new(),
            seen: BTreeSet::new(),
            retrieval: Arc::new(retrieval),
            prefix: String::new(),
        };
        catalog.build(None);
        catalog
    }

    /// Lets `embedder` help the tools that read artifacts. The client was told of none of them yet.
    pub(crate) fn embed_with(&mut self, embedder: Arc<dyn Embedder>) {
        let retrieval = self.retrieval.with_embedder(embedder);
        self.retrieval = Arc::new(retrieval.with_prefix(&self.prefix));
    }

    /// Begins the names of the added tools with `prefix`.
    pub(crate) fn set_prefix(&mut self, prefix: &str) {
        self.retrieval = Arc::new(self.retrieval.with_prefix(prefix));
        prefix.clone_into(&mut self.prefix);
    }

    /// The settle path.
    pub(crate) fn settler(&self) -> &Arc<Settler> {
        &self.settler
    }

    /// The settle path for a result of `tool`, which may ask for less by a size hint of its own.
    pub(crate) fn settler_of(&self, tool: &Arc<str>, result: &Members<'_>) -> Arc<Settler> {
        let meta = result.get("_meta");
        let meta = meta.and_then(|meta| serde_json::from_str::<Value>(meta.get()).ok());
        let Some(meta) = meta.filter(|_| !self.policies.tools().contains_key(tool)) else {
            return Arc::clone(&self.settler);
        };
        let policy = self
            .settler
            .policy(&Operation::new("").of_tool(Arc::clone(tool)));
        let hinted = Host::lowered(policy, &meta);
        match hinted == policy {
            true => Arc::clone(&self.settler),
            false => Arc::new((*self.settler).clone().with_tool(Arc::clone(tool), hinted)),
        }
    }

    /// The added tools, under the names the client knows them by.
    pub(crate) fn retrieval(&self) -> &Arc<Retrieval> {
        &self.retrieval
    }

    /// Reads one page of the server's tools and returns it as the client gets it: without the
    /// `outputSchema` of results that may be shortened, which could not follow it then, and on the
    /// last page with the tools that read artifacts.
    pub(crate) fn page(&mut self, result: &Members<'_>, is_first: bool) -> Option<Box<RawValue>> {
        if is_first {
            self.seen.clear();
            self.hints.clear();
        }
        let mut tools = Vec::new();
        for raw in json::items(result.get("tools")?)? {
            let mut tool = Members::of(raw)?;
            self.learn(&tool);
            let keeps_schema = tool
                .text("name")
                .is_some_and(|name| self.policies.policy_of(&name).passes_whole());
            match !keeps_schema && tool.remove("outputSchema") {
                true => tools.push(tool.to_raw()),
                false => tools.push(raw.to_owned()),
            }
        }
        if is_last(result) {
            self.rename();
            tools.extend(self.retrieval.definitions().iter().map(json::value));
            self.build(self.retrieval.hint());
        }
        let mut page = result.clone();
        page.set("tools", json::array(tools.iter().map(AsRef::as_ref)));
        Some(page.to_raw())
    }

    /// The tools that have a policy and are not the server's, as of the pages that were read.
    pub(crate) fn unknown(&self) -> Vec<Arc<str>> {
        let named = self.policies.tools().keys();
        let unknown = named.filter(|name| !self.seen.contains(name.as_ref()));
        unknown.map(Arc::clone).collect()
    }

    fn learn(&mut self, tool: &Members<'_>) {
        let Some(name) = tool.text("name") else {
            return;
        };
        let meta = tool.get("_meta");
        if let Some(meta) = meta.and_then(|meta| serde_json::from_str::<Value>(meta.get()).ok()) {
            let policy = self.policies.default_policy();
            let hinted = self.host.with_hint(policy, &meta);
            if hinted != policy {
                self.hints.insert(name.as_ref().into(), hinted);
            }
        }
        self.seen.insert(name.into_owned());
    }

    /// Gives the added tools other names where the server has one of theirs.
    fn rename(&mut self) {
        let prefixes = (1..).map(|number| match number {
            1 => self.prefix.clone(),
            2 => format!("{}artifacts_", self.prefix),
            number => format!("{}artifacts{number}_", self.prefix),
        });
        let is_free = |retrieval: &Retrieval| !self.seen.iter().any(|name| retrieval.has(name));
        let mut renamed = prefixes.map(|prefix| self.retrieval.with_prefix(&prefix));
        if let Some(retrieval) = renamed.find(is_free) {
            self.retrieval = Arc::new(retrieval);
        }
    }

    fn build(&mut self, hint: Option<Hint>) {
        let mut settler = self.base.clone();
        if let Some(hint) = hint {
            settler = settler.with_hint(hint);
        }
        for (name, policy) in self.hints.iter().chain(self.policies.tools()) {
            settler = settler.with_tool(Arc::clone(name), *policy);
        }
        self.settler = Arc::new(settler);
    }
}

/// Whether no page follows.
pub(crate) fn is_last(result: &Members<'_>) -> bool {
    result
        .get("nextCursor")
        .is_none_or(|cursor| matches!(cursor.get(), "null" | "\"\""))
}
