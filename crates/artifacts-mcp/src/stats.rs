//! The savings report: what tools returned, what the model was shown of it, what was read back.

mod html;
mod sources;
mod table;

pub(crate) use self::sources::is_read;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::calls::TextSize;

/// Counts by tool, from call logs and transcripts.
///
/// ```
/// use artifacts_mcp::Stats;
///
/// let mut stats = Stats::default();
/// stats.add_log(concat!(
///     r#"{"type": "tool-call", "tool": "read", "bytes-in": 5000, "tokens-in": 1250,"#,
///     r#" "bytes-out": 900, "tokens-out": 225, "over": true, "artifact": "read-1.txt"}"#, "\n",
///     r#"{"type": "artifact-read", "tool": "read_artifact", "artifact": "read-1.txt"}"#, "\n",
/// ));
/// assert_eq!(stats.total().calls(), 1);
/// assert_eq!(stats.total().tokens_saved(), 1_025);
/// assert_eq!(stats.total().reads(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    tools: BTreeMap<String, ToolStats>,
    /// Reads of artifacts, by name.
    reads: BTreeMap<String, u64>,
    read_shown: TextSize,
    unread_lines: u64,
}

/// The counts of one tool, or of all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolStats {
    calls: u64,
    over: u64,
    returned: TextSize,
    shown: TextSize,
    artifacts: BTreeSet<String>,
    artifacts_read: u64,
    reads: u64,
}

impl ToolStats {
    /// Tool calls.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Results over their limit.
    #[must_use]
    pub fn over(&self) -> u64 {
        self.over
    }

    /// What the tools returned.
    #[must_use]
    pub fn returned(&self) -> TextSize {
        self.returned
    }

    /// What the model was shown.
    #[must_use]
    pub fn shown(&self) -> TextSize {
        self.shown
    }

    /// Estimated tokens that the model was not shown.
    #[must_use]
    pub fn tokens_saved(&self) -> u64 {
        self.returned.tokens.saturating_sub(self.shown.tokens)
    }

    /// Stored artifacts.
    #[must_use]
    pub fn artifacts(&self) -> u64 {
        self.artifacts.len() as u64
    }

    /// Artifacts of which something was read.
    #[must_use]
    pub fn artifacts_read(&self) -> u64 {
        self.artifacts_read
    }

    /// How often they were read.
    #[must_use]
    pub fn reads(&self) -> u64 {
        self.reads
    }

    fn call(&mut self, returned: TextSize, shown: TextSize, over: bool, artifact: Option<String>) {
        self.calls += 1;
        self.over += u64::from(over);
        self.returned = self.returned.plus(returned);
        self.shown = self.shown.plus(shown);
        self.artifacts.extend(artifact);
    }

    fn to_json(&self) -> Value {
        json!({
            "calls": self.calls,
            "over-limit": self.over,
            "bytes-in": self.returned.bytes,
            "bytes-out": self.shown.bytes,
            "tokens-in": self.returned.tokens,
            "tokens-out": self.shown.tokens,
            "tokens-saved": self.tokens_saved(),
            "artifacts": self.artifacts(),
            "artifacts-read": self.artifacts_read,
            "reads": self.reads,
        })
    }
}

impl Stats {
    /// Each tool with its counts, by the tokens it saved, then by name.
    #[must_use]
    pub fn tools(&self) -> Vec<(&str, ToolStats)> {
        let mut tools = Vec::new();
        for (name, stats) in &self.tools {
            let mut stats = stats.clone();
            for artifact in &stats.artifacts {
                let reads = self.reads.get(artifact).copied().unwrap_or(0);
                stats.artifacts_read += u64::from(reads > 0);
                stats.reads += reads;
            }
            tools.push((name.as_str(), stats));
        }
        tools.sort_by_key(|(_, stats)| std::cmp::Reverse(stats.tokens_saved()));
        tools
    }

    /// The counts of all tools. Reads that name no artifact known here count as well.
    #[must_use]
    pub fn total(&self) -> ToolStats {
        let mut total = ToolStats::default();
        for (_, tool) in self.tools() {
            total.calls += tool.calls;
            total.over += tool.over;
            total.returned = total.returned.plus(tool.returned);
            total.shown = total.shown.plus(tool.shown);
            total.artifacts_read += tool.artifacts_read;
            total.artifacts.extend(tool.artifacts);
        }
        total.reads = self.reads.values().sum();
        total
    }

    /// What was shown of artifacts that were read back.
    #[must_use]
    pub fn read_back(&self) -> TextSize {
        self.read_shown
    }

    /// One JSON object: `tools` by name, `total`, what was read back.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let tools = self.tools().into_iter();
        let tools = tools.map(|(name, tool)| (name.to_owned(), tool.to_json()));
        json!({
            "tools": tools.collect::<serde_json::Map<_, _>>(),
            "total": self.total().to_json(),
            "read-back": {"bytes": self.read_shown.bytes, "tokens": self.read_shown.tokens},
            "unread-lines": self.unread_lines,
        })
    }

    /// One page without scripts or anything from elsewhere, light or dark as the reader has it.
    #[must_use]
    pub fn to_html(&self) -> String {
        html::page(self)
    }
}
