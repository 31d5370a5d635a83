//! `search_artifact`: matches with their lines and offsets, and the total.

use artifacts_fs::{LetterCase, Match, OpenArtifact, Pattern};
use serde::Deserialize;
use serde_json::Value;

use super::ArtifactTools;
use super::answer::{Refusal, ToolAnswer};
use super::arguments::{self, Number};
use crate::span::Span;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    pattern: String,
    #[serde(default, alias = "ignoreCase")]
    ignore_case: bool,
    #[serde(default)]
    context: Option<Number>,
    #[serde(default, alias = "maxMatches")]
    max_matches: Option<Number>,
    #[serde(default)]
    bytes: Option<Span>,
}

pub(super) fn call(tools: &ArtifactTools, arguments: &Value) -> Result<ToolAnswer, Refusal> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let case = match arguments.ignore_case {
        true => LetterCase::Ignored,
        false => LetterCase::Exact,
    };
    let pattern = Pattern::new(&arguments.pattern, case)?;
    let lines = clamp(arguments.context, 0, 0, MOST_CONTEXT_LINES);
    let max_matches = clamp(arguments.max_matches, 20, 1, 200);
    if let Some(reversed) = arguments.bytes.filter(|bytes| bytes.is_reversed()) {
        return Err(Refusal::reversed(reversed));
    }
    let range = arguments.bytes.map_or(0..u64::MAX, Span::offsets);
    tools.with_open(&arguments.name, |artifact| {
        let found = artifact.search(&pattern, range.clone(), max_matches)?;
        let name = artifact.artifact().name();
        if found.total == 0 {
            let all = artifact.bytes();
            let text = match arguments.bytes {
                Some(_) => {
                    let (start, end) = (range.start, range.end);
                    let last = match end < all {
                        true => (end - 1).to_string(),
                        false => String::new(),
                    };
                    format!("[{name}: no match in bytes {start}-{last} of {all}]")
                }
                None => format!("[{name}: no match in {all} bytes]"),
            };
            return Ok(ToolAnswer::new(tools.room, text));
        }
        let room = tools.room.beside(LINE_BYTES);
        let (mut body, mut shown, mut next) = (String::new(), 0, found.next);
        for one in &found.first {
            let text = describe(artifact, one, lines, room)?;
            if body.len() + SEPARATOR.len() + text.len() > room {
                next = Some(one.range.start);
                break;
            }
            if shown > 0 && lines > 0 {
                body.push_str(SEPARATOR);
            }
            body.push_str(&text);
            shown += 1;
        }
        let mut line = match shown == found.total {
            true if shown == 1 => format!("[{name}: 1 match"),
            true => format!("[{name}: {shown} matches"),
            false => format!("[{name}: {shown} of {} matches", found.total),
        };
        if let Some(next) = next {
            let last = match range.end < artifact.bytes() {
                true => (range.end - 1).to_string(),
                false => String::new(),
            };
            line.push_str(&format!(
                "; for the rest repeat the call with \"bytes\":\"{next}-{last}\""
            ));
        }
        Ok(ToolAnswer::new(
            tools.room,
            format!("{line}]\n{}", body.trim_end_matches('\n')),
        ))
    })
}

/// A line with the place, then the lines around it: together surely less than `room`.
fn describe(
    artifact: &OpenArtifact,
    found: &Match,
    lines: usize,
    room: usize,
) -> Result<String, Refusal> {
    let (start, end) = (found.range.start, found.range.end);
    // The match takes as much as both sides, and U+FFFD is three times as long as a byte.
    let side = match lines {
        0 => LINE_SIDE_BYTES,
        _ => CONTEXT_SIDE_BYTES,
    };
    let side = side.min(room.saturating_sub(PLACE_BYTES) / (4 * 3));
    let mut shown = artifact.around(found.range.clone(), lines, side)?;
    let most = start + 2 * side as u64;
    if end > most {
        shown.end = most;
    }
    let before = shown.start.saturating_sub(1)..shown.start;
    let before = artifact.page(before, 1)?;
    let starts_inside = before.bytes().last().is_some_and(|byte| *byte != b'\n');
    let page = artifact.page(shown.clone(), 4 * side.max(1))?;
    let text = String::from_utf8_lossy(page.bytes());
    let is_whole = text.ends_with('\n') || shown.end == artifact.bytes();
    Ok(format!(
        "line {}, bytes {start}-{}:{}{}{}{}\n",
        found.line + 1,
        end.max(start + 1) - 1,
        if lines == 0 { ' ' } else { '\n' },
        if starts_inside { "…" } else { "" },
        text.strip_suffix('\n').unwrap_or(&text),
        if is_whole { "" } else { "…" },
    ))
}

fn clamp(number: Option<Number>, default: usize, least: usize, most: usize) -> usize {
    number.map_or(default, |Number(number)| {
        usize::try_from(number)
            .unwrap_or(usize::MAX)
            .clamp(least, most)
    })
}

const MOST_CONTEXT_LINES: usize = 20;

/// How much of a line is shown on either side of a match.
const LINE_SIDE_BYTES: usize = 160;

/// How much is shown on either side of a match with its context lines.
const CONTEXT_SIDE_BYTES: usize = 1_200;

/// How long the first line of an answer can be: a name, four numbers and the words.
const LINE_BYTES: usize = 300;

/// How long the place of a match can be.
const PLACE_BYTES: usize = 100;

/// Between two matches with context.
const SEPARATOR: &str = "--\n";
