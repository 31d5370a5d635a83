//! What is counted: call logs and transcripts.

use loop_integration::Transcript;
use serde::Deserialize;

use super::Stats;
use crate::calls::TextSize;

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
        self.read_shown = self.read_shown.plus(shown);
        *self.reads.entry(artifact.unwrap_or_default()).or_default() += 1;
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

impl TextSize {
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

/// Whether the added tool, whose name may have a prefix, shows a part of an artifact.
pub(crate) fn is_read(tool: &str) -> bool {
    READING.iter().any(|name| tool.ends_with(name))
}

/// The tools whose results are parts of artifacts.
const READING: [&str; 4] = [
    "expand_artifact",
    "get_artifact",
    "read_artifact",
    "search_artifact",
];
