//! Claude Code: a replacement counts only in the tool's own output shape.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use artifacts_core::Capture;
use loop_integration::Ending;
use serde_json::value::RawValue;

use super::text::{blocks, is_blocks};
use super::{Call, Replaced, updated};
use crate::json::{self, Members};

pub(super) fn replaced(call: &Call, response: &RawValue) -> Replaced {
    if SHOWN_SHORT.contains(&call.tool.as_str()) {
        return Replaced::Unchanged;
    }
    let output = if let Some(text) = json::text_of(response) {
        let observation = call.shorten(text.into_owned(), Ending::Success, Capture::Complete);
        observation.map(|observation| json::string(&observation))
    } else if is_blocks(response) {
        blocks(call, response).map(|(blocks, _)| blocks)
    } else if let Some(output) = Members::of(response) {
        if output.text("stdout").is_some() {
            shell(call, &output)
        } else if let Some(file) = output.get("file").and_then(Members::of) {
            within(call, &output, &file)
        } else {
            match member(call, &output) {
                Member::Shortened(output) => Some(output),
                Member::Fits => None,
                Member::Unknown if !call.may_be_over(response.get().len()) => None,
                Member::Unknown => {
                    return Replaced::Impossible("the shape of its output is not known");
                }
            }
        }
    } else {
        None
    };
    output.map_or(Replaced::Unchanged, |output| Replaced::By(updated(&output)))
}

/// A shell's output: what it wrote to both streams is one result.
fn shell(call: &Call, output: &Members<'_>) -> Option<Box<RawValue>> {
    if output.get("isImage").map(RawValue::get) == Some("true") {
        return None;
    }
    let stdout = output.text("stdout")?.into_owned();
    let (mut bytes, capture) = match output.text("persistedOutputPath") {
        None => (stdout.into_bytes(), Capture::Complete),
        Some(path) => {
            let size = output.get("persistedOutputSize");
            let size = size.and_then(|size| size.get().parse().ok());
            match persisted(Path::new(path.as_ref()), size) {
                Some(bytes) => (bytes, Capture::Complete),
                // The client cut it, and the rest can't be had.
                None => (stdout.into_bytes(), Capture::Interrupted),
            }
        }
    };
    let stderr = output.text("stderr").unwrap_or_default();
    if !stderr.is_empty() {
        if !bytes.is_empty() && !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(stderr.as_bytes());
    }
    let observation = call.shorten_bytes(bytes, Ending::Success, capture)?;
    let mut output = output.clone();
    output.set("stdout", json::string(&observation));
    output.set("stderr", json::string(""));
    // The client would show its own preview of this file instead.
    output.remove("persistedOutputPath");
    output.remove("persistedOutputSize");
    Some(output.to_raw())
}

/// All bytes of the file, if it is what the client says it is.
fn persisted(path: &Path, size: Option<u64>) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let metadata = file.metadata().ok()?;
    let is_it = metadata.is_file() && size.is_none_or(|size| size == metadata.len());
    let mut bytes = Vec::new();
    (is_it && file.read_to_end(&mut bytes).is_ok()).then_some(bytes)
}

/// A file that was read: its text is a member of a member.
fn within(call: &Call, output: &Members<'_>, file: &Members<'_>) -> Option<Box<RawValue>> {
    let content = file.text("content")?.into_owned();
    let observation = call.shorten(content, Ending::Success, Capture::Complete)?;
    let mut file = file.clone();
    show(&mut file, "content", &observation);
    let mut output = output.clone();
    output.set("file", file.to_raw());
    Some(output.to_raw())
}

/// Puts the observation into the member of this name. Beside a text the client may tell how many
/// lines that has, as it counts them: with the one after the last line end.
fn show(output: &mut Members<'_>, name: &'static str, observation: &str) {
    output.set(name, json::string(observation));
    if output.get(LINES).is_some() {
        let lines = observation.matches('\n').count() + 1;
        output.set(LINES, json::value(&lines.into()));
    }
}

const LINES: &str = "numLines";

enum Member {
    Shortened(Box<RawValue>),
    Fits,
    Unknown,
}

/// An output with its text, or its content blocks, in one member.
fn member(call: &Call, output: &Members<'_>) -> Member {
    for name in TEXTS {
        let Some(value) = output.get(name) else {
            continue;
        };
        let mut output = output.clone();
        let shortened = if let Some(text) = json::text_of(value) {
            let observation = call.shorten(text.into_owned(), Ending::Success, Capture::Complete);
            observation.map(|observation| show(&mut output, name, &observation))
        } else if is_blocks(value) {
            blocks(call, value).map(|(blocks, _)| output.set(name, blocks))
        } else {
            continue;
        };
        return match shortened {
            None => Member::Fits,
            Some(()) => Member::Shortened(output.to_raw()),
        };
    }
    Member::Unknown
}

/// Where tools have their text: web pages in `result`, searches and agents in `content`.
const TEXTS: [&str; 4] = ["content", "result", "output", "text"];

/// The model is shown a short note of these, whatever their output holds.
const SHOWN_SHORT: [&str; 5] = ["Edit", "MultiEdit", "NotebookEdit", "TodoWrite", "Write"];
