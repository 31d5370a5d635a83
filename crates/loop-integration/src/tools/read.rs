//! `read_artifact` and `get_artifact`: a page, and the call that reads on.

use std::ops::Range;

use artifacts_core::ArtifactName;
use artifacts_fs::OpenArtifact;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde::Deserialize;
use serde_json::Value;

use super::ArtifactTools;
use super::answer::{Refusal, ToolAnswer};
use super::arguments;
use super::definitions::Tool;
use crate::Description;
use crate::span::{Part, Span};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    name: String,
    #[serde(default)]
    lines: Option<Span>,
    #[serde(default)]
    bytes: Option<Span>,
    #[serde(default)]
    chars: Option<Span>,
    #[serde(default, alias = "fromEnd")]
    from_end: bool,
    #[serde(default)]
    encoding: Encoding,
    #[serde(default)]
    describe: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GetArguments {
    name: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Encoding {
    #[default]
    Text,
    Base64,
}

pub(super) fn call(tools: &ArtifactTools, arguments: &Value) -> Result<ToolAnswer, Refusal> {
    let arguments: ReadArguments = arguments::parse(arguments)?;
    let part = Part {
        lines: arguments.lines,
        bytes: arguments.bytes,
        chars: arguments.chars,
        from_end: arguments.from_end,
    };
    let Some(selection) = part.selection() else {
        return Err(Refusal::Arguments(
            "give only one of lines, bytes and chars".into(),
        ));
    };
    if let Some(reversed) = part.reversed() {
        return Err(Refusal::reversed(reversed));
    }
    let note = match part.begins_at_line_0() {
        true => LINE_0,
        false => "",
    };
    tools.with_open(&arguments.name, |artifact| {
        if arguments.describe {
            return description(tools, artifact);
        }
        let range = artifact.locate(&selection)?;
        page(tools, artifact, range, arguments.encoding, note)
    })
}

pub(super) fn get(tools: &ArtifactTools, arguments: &Value) -> Result<ToolAnswer, Refusal> {
    let arguments: GetArguments = arguments::parse(arguments)?;
    tools.with_open(&arguments.name, |artifact| {
        page(tools, artifact, 0..artifact.bytes(), Encoding::Text, "")
    })
}

fn description(tools: &ArtifactTools, artifact: &OpenArtifact) -> Result<ToolAnswer, Refusal> {
    let name = artifact.artifact().name();
    let text = format!("[{name}: description]\n{}", Description::of(artifact)?);
    let shown = text.chars().scan(0, |bytes, c| {
        *bytes += c.len_utf8();
        (*bytes <= tools.room.bytes()).then_some(c)
    });
    Ok(ToolAnswer::new(tools.room, shown.collect()))
}

/// A line that tells what follows, with a note, then the bytes up to the end of the answer.
fn page(
    tools: &ArtifactTools,
    artifact: &OpenArtifact,
    range: Range<u64>,
    encoding: Encoding,
    note: &str,
) -> Result<ToolAnswer, Refusal> {
    let name = artifact.artifact().name();
    if range.is_empty() {
        let text = format!(
            "[{name}: nothing there: it ends after {} bytes{note}]",
            artifact.bytes()
        );
        return Ok(ToolAnswer::new(tools.room, text));
    }
    let room = tools.room.beside(line_bytes(&tools.name(Tool::Read), name));
    // The bytes of the artifact come first.
    let (room, note) = match room > 4 * note.len() {
        true => (room - note.len(), note),
        false => (room, ""),
    };
    let (mut bytes, mut shown) = take(artifact, &range, room, encoding)?;
    if shown.len() > room {
        // U+FFFD is three times as long as the byte it may stand for.
        (bytes, shown) = take(artifact, &range, room / 3, encoding)?;
    }
    let stop = range.start + bytes.len() as u64;
    let mut line = format!(
        "[{name}: bytes {}-{} of {}",
        range.start,
        stop - 1,
        artifact.bytes()
    );
    if encoding == Encoding::Text && std::str::from_utf8(&bytes).is_err() {
        line.push_str(INVALID);
    }
    line.push_str(note);
    line.push_str(&match stop < range.end {
        true => next(tools, artifact, stop..range.end, encoding),
        false if stop < artifact.bytes() => "; end of the range".to_owned(),
        false => end(tools, name),
    });
    Ok(ToolAnswer::new(tools.room, format!("{line}]\n{shown}")))
}

/// The bytes of a page, at least one, and how they are shown.
fn take(
    artifact: &OpenArtifact,
    range: &Range<u64>,
    room: usize,
    encoding: Encoding,
) -> Result<(Vec<u8>, String), Refusal> {
    if encoding == Encoding::Base64 {
        // Any bytes can be cut anywhere.
        let stop = range.end.min(range.start + (room / 4 * 3) as u64);
        let bytes = artifact.page(range.start..stop, room)?.into_bytes();
        let shown = BASE64.encode(&bytes);
        return Ok((bytes, shown));
    }
    let mut bytes = artifact.page(range.clone(), room)?.into_bytes();
    if bytes.len() > room {
        // One cluster larger than the room: divided between two scalars.
        let is_inside = |index: &usize| bytes.get(*index).is_some_and(|byte| byte & 0xC0 == 0x80);
        let end = (room - 3..=room).rev().find(|index| !is_inside(index));
        bytes.truncate(end.unwrap_or(room));
    }
    if (bytes.len() as u64) < range.end - range.start {
        // The page ends at a line end, where that takes less than half of it away.
        let line_end = bytes.iter().rposition(|byte| *byte == b'\n');
        let line_end = line_end.filter(|end| *end >= bytes.len() / 2);
        bytes.truncate(line_end.map_or(bytes.len(), |end| end + 1));
    }
    let shown = String::from_utf8_lossy(&bytes).into_owned();
    Ok((bytes, shown))
}

/// The end of the artifact, which may not be that of the result.
fn end(tools: &ArtifactTools, name: &ArtifactName) -> String {
    match tools.index.find(name).and_then(|entry| entry.whole()) {
        Some(whole) => format!("; end of what was kept of {} bytes", whole.bytes),
        None => "; end of the artifact".to_owned(),
    }
}

fn next(
    tools: &ArtifactTools,
    artifact: &OpenArtifact,
    rest: Range<u64>,
    encoding: Encoding,
) -> String {
    let last = match rest.end < artifact.bytes() {
        true => (rest.end - 1).to_string(),
        false => String::new(),
    };
    let encoding = match encoding {
        Encoding::Text => "",
        Encoding::Base64 => ",\"encoding\":\"base64\"",
    };
    format!(
        "; next: {} {{\"name\":\"{}\",\"bytes\":\"{}-{last}\"{encoding}}}",
        tools.name(Tool::Read),
        artifact.artifact().name(),
        rest.start
    )
}

/// How long the line before a page can be: five numbers, the name twice, and the words.
fn line_bytes(tool: &str, name: &ArtifactName) -> usize {
    let words = "[: bytes - of ; next:  {\"name\":\"\",\"bytes\":\"-\",\"encoding\":\"base64\"}]";
    5 * 20 + 2 * name.as_str().len() + tool.len() + words.len() + INVALID.len()
}

const LINE_0: &str = "; lines count from 1";

const INVALID: &str =
    "; invalid UTF-8 is shown as U+FFFD, add \"encoding\":\"base64\" for the exact bytes";
