//! The savings report: what tools returned, what the model was shown of it, what was read back.

mod html;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use loop_integration::Transcript;
use serde::Deserialize;
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
        self.returned.add(returned);
        self.shown.add(shown);
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

impl TextSize {
    fn add(&mut self, other: Self) {
        *self = (*self).plus(other);
    }

    /// The size of a text of `bytes` bytes of which a part is shown: as many tokens to a byte as
    /// that part has.
    fn like(shown: Self, bytes: u64) -> Self {
        let tokens = u128::from(shown.tokens) * u128::from(bytes);
        let tokens = tokens.div_ceil(u128::from(shown.bytes.max(1)));
        Self {
            bytes,
            tokens: u64::try_from(tokens).unwrap_or(u64::MAX),
        }
    }
}

/// A line of a call log.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
struct Line {
    r#type: String,
    tool: String,
    bytes_in: u64,
    tokens_in: u64,
    bytes_out: u64,
    tokens_out: u64,
    over: bool,
    artifact: Option<String>,
}

impl Stats {
    /// Adds the lines of a call log. A line that is none, the torn last one for instance, is
    /// counted and left out.
    pub fn add_log(&mut self, text: &str) {
        for line in text.lines().filter(|line| !line.is_empty()) {
            let Ok(line) = serde_json::from_str::<Line>(line) else {
                self.unread_lines += 1;
                continue;
            };
            let shown = TextSize {
                bytes: line.bytes_out,
                tokens: line.tokens_out,
            };
            match line.r#type.as_str() {
                "tool-call" => {
                    let returned = TextSize {
                        bytes: line.bytes_in,
                        tokens: line.tokens_in,
                    };
                    let tool = self.tools.entry(line.tool).or_default();
                    tool.call(returned, shown, line.over, line.artifact);
                }
                "artifact-read" => self.read(line.artifact, shown),
                _ => self.unread_lines += 1,
            }
        }
    }

    /// Adds the settled operations of a transcript.
    pub fn add_transcript(&mut self, transcript: &Transcript) {
        for state in transcript.operations() {
            let operation = state.operation();
            let observation = transcript.answer(operation.op_id());
            let observation = observation.and_then(|answer| answer.observation());
            let Some(observation) = observation else {
                continue;
            };
            let shown = TextSize::of(observation.as_str());
            let tool = operation.tool().unwrap_or("(unnamed)");
            if READING.contains(&tool) {
                let call = operation.tool_call_id();
                self.read(argument(transcript, call), shown);
                continue;
            }
            let artifact = state.settled().and_then(|settled| settled.artifact());
            let returned =
                artifact.map_or(shown, |artifact| TextSize::like(shown, artifact.bytes()));
            let over = state.settled().is_some_and(|settled| {
                settled.artifact().is_some() || settled.not_stored().is_some()
            });
            let file = artifact.map(|artifact| artifact.file().as_str().to_owned());
            let tool = self.tools.entry(tool.to_owned()).or_default();
            tool.call(returned, shown, over, file);
        }
    }

    fn read(&mut self, artifact: Option<String>, shown: TextSize) {
        self.read_shown.add(shown);
        *self.reads.entry(artifact.unwrap_or_default()).or_default() += 1;
    }

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
            total.returned.add(tool.returned);
            total.shown.add(tool.shown);
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

/// The table for a terminal.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total();
        let mut rows = vec![HEADINGS.map(str::to_owned)];
        rows.extend(self.tools().iter().map(|(name, tool)| row(name, tool)));
        rows.push(row("total", &total));
        let mut widths = [0; HEADINGS.len()];
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for row in &rows {
            for (index, (cell, width)) in row.iter().zip(widths).enumerate() {
                match index {
                    0 => write!(f, "{cell:width$}")?,
                    _ => write!(f, "  {cell:>width$}")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "\n{} of {} artifacts were read back, {} times, {} tokens. Tokens are estimates.",
            thousands(total.artifacts_read),
            thousands(total.artifacts()),
            thousands(total.reads),
            thousands(self.read_shown.tokens),
        )
    }
}

const HEADINGS: [&str; 9] = [
    "tool",
    "calls",
    "over",
    "bytes in",
    "bytes out",
    "tokens in",
    "tokens out",
    "saved",
    "reads",
];

fn row(name: &str, tool: &ToolStats) -> [String; HEADINGS.len()] {
    let name = name
        .chars()
        .map(|c| if c.is_control() { '\u{FFFD}' } else { c });
    [
        name.take(LONGEST_NAME).collect(),
        thousands(tool.calls),
        thousands(tool.over),
        thousands(tool.returned.bytes),
        thousands(tool.shown.bytes),
        thousands(tool.returned.tokens),
        thousands(tool.shown.tokens),
        percent(tool),
        thousands(tool.reads),
    ]
}

/// How much of the tokens the model was not shown.
fn percent(tool: &ToolStats) -> String {
    match tool.returned.tokens {
        0 => "0 %".to_owned(),
        tokens => format!("{} %", tool.tokens_saved().saturating_mul(100) / tokens),
    }
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The artifact that a retrieval tool was asked for.
fn argument(transcript: &Transcript, call: &str) -> Option<String> {
    let calls = transcript
        .messages()
        .iter()
        .flat_map(|message| message.tool_calls());
    let asked = calls.into_iter().find(|asked| asked.id() == call)?;
    let name = asked.arguments().get("name")?;
    name.as_str().map(str::to_owned)
}

/// The tools whose results are parts of artifacts.
const READING: [&str; 4] = [
    "expand_artifact",
    "get_artifact",
    "read_artifact",
    "search_artifact",
];

const LONGEST_NAME: usize = 40;

/// A short text of a size for people, in units of 1,000.
fn short(number: u64) -> String {
    let scaled =
        |unit: u64, name: &str| format!("{}.{} {name}", number / unit, number % unit / (unit / 10));
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => scaled(1_000, "k"),
        1_000_000..1_000_000_000 => scaled(1_000_000, "M"),
        _ => scaled(1_000_000_000, "G"),
    }
}
