//! `list_artifacts`: what there is, with true totals.

use artifacts_fs::Indexed;
use serde::Deserialize;
use serde_json::Value;

use super::ArtifactTools;
use super::answer::{Refusal, ToolAnswer};
use super::arguments::{self, Number};
use super::definitions::Tool;
use crate::clean::Clean;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    from: Option<Number>,
}

pub(super) fn call(tools: &ArtifactTools, arguments: &Value) -> Result<ToolAnswer, Refusal> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let entries = tools.index.entries();
    let first = arguments.from.map_or(1, |Number(from)| from.max(1));
    let skipped = usize::try_from(first - 1).unwrap_or(usize::MAX);
    let bytes: u64 = entries.iter().map(|entry| entry.artifact().bytes()).sum();
    let total = entries.len();
    let room = tools.room.beside(LINE_BYTES);
    let mut body = String::new();
    let mut last = skipped.min(total);
    for entry in entries.iter().skip(skipped) {
        let line = describe(tools, entry, room);
        if body.len() + line.len() > room {
            break;
        }
        body.push_str(&line);
        last += 1;
    }
    let next = match last < total {
        true => format!(
            "; next: {} {{\"from\":{}}}",
            tools.name(Tool::List),
            last + 1
        ),
        false => String::new(),
    };
    let line = match last > skipped {
        true => format!("[artifacts {first}-{last} of {total}, {bytes} bytes in all{next}]\n"),
        false => format!("[no artifacts from {first} on; {total} in all, with {bytes} bytes]"),
    };
    let text = format!("{line}{}", body.trim_end_matches('\n'));
    Ok(ToolAnswer::new(tools.room, text))
}

/// One line, of `room` bytes at most.
fn describe(tools: &ArtifactTools, entry: &Indexed, room: usize) -> String {
    let artifact = entry.artifact();
    let name = artifact.name();
    let media_type = name.content_type().media_type();
    let mut line = format!("{name}: {} bytes, {media_type}", artifact.bytes());
    let whole = entry.whole();
    let whole = whole.map(|whole| format!(", the first part of {} bytes", whole.bytes));
    let source = entry
        .source()
        .map(|tool| format!(", from {}", Clean::new(tool)));
    let aliases = tools.index.aliases(name);
    let aliases = aliases
        .iter()
        .map(|alias| format!(", named \"{}\"", Clean::new(alias)));
    for part in whole.into_iter().chain(source).chain(aliases) {
        if line.len() + part.len() < room {
            line.push_str(&part);
        }
    }
    line.push('\n');
    line
}

/// How long the first line of an answer can be: four numbers and the words.
const LINE_BYTES: usize = 200;
