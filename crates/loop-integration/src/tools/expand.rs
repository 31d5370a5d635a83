//! `expand_artifact`: the passages that fit a question.

use std::fmt;
use std::ops::Range;

use artifacts_fs::OpenArtifact;
use serde::Deserialize;
use serde_json::Value;

use super::ArtifactTools;
use super::answer::{Refusal, ToolAnswer};
use super::arguments::{self, Number};

/// Finds the passages of an artifact that best fit a question.
pub trait Expander: fmt::Debug + Send + Sync {
    /// At most `most` passages of at most `max_bytes` bytes together, in the order of the artifact.
    /// Of what is more, the best that fit are shown.
    ///
    /// # Errors
    ///
    /// If the artifact can't be read.
    fn passages(
        &self,
        artifact: &OpenArtifact,
        question: &str,
        most: usize,
        max_bytes: usize,
    ) -> Result<Vec<FoundPassage>, artifacts_fs::Error>;
}

/// A passage of an artifact that fits a question.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPassage {
    /// Its text; U+FFFD stands for what is not UTF-8.
    pub text: String,
    /// Where it is in the artifact, in bytes as they are stored.
    pub bytes: Range<u64>,
    /// How well it fits: comparable within one answer.
    pub score: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    question: String,
    #[serde(default)]
    passages: Option<Number>,
}

pub(super) fn call(tools: &ArtifactTools, arguments: &Value) -> Result<ToolAnswer, Refusal> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let Some(expander) = &tools.expander else {
        return Err(Refusal::Arguments("nothing finds passages here".into()));
    };
    let most = arguments
        .passages
        .map_or(3, |Number(number)| number.clamp(1, MOST_PASSAGES));
    // Each needs room for its place and for some words.
    let most = (most as usize).min((tools.room.bytes() / LEAST_BYTES).max(1));
    tools.with_open(&arguments.name, |artifact| {
        let name = artifact.artifact().name();
        let room = tools
            .room
            .beside(LINE_BYTES + name.as_str().len() + most * (PLACE_BYTES + BETWEEN.len()));
        let mut found = expander.passages(artifact, &arguments.question, most, room)?;
        let count = found.len();
        keep_best(&mut found, room);
        let line = first_line(artifact, &found, count);
        let texts = found.iter().map(|passage| passage.text.as_str());
        let body = texts.collect::<Vec<_>>().join(BETWEEN);
        Ok(ToolAnswer::new(tools.room, format!("{line}\n{body}")).showing(found))
    })
}

/// Leaves out the worse passages until the rest fits; the best alone is cut where it must be.
fn keep_best(found: &mut Vec<FoundPassage>, room: usize) {
    let bytes = |found: &[FoundPassage]| found.iter().map(|found| found.text.len()).sum::<usize>();
    while found.len() > 1 && bytes(found) > room {
        let scores = found.iter().map(|found| found.score).enumerate();
        let worst = scores.min_by(|(at, one), (other_at, other)| {
            // Of equals the last goes first.
            one.total_cmp(other).then(other_at.cmp(at))
        });
        found.remove(worst.map_or(0, |(at, _)| at));
    }
    if let [only] = found.as_mut_slice()
        && only.text.len() > room
    {
        let end = (0..=room).rev().find(|at| only.text.is_char_boundary(*at));
        only.text.truncate(end.unwrap_or_default());
        // Of bytes that are no text it is not known how many are shown.
        only.bytes.end = only
            .bytes
            .end
            .min(only.bytes.start + only.text.len() as u64);
    }
}

/// How many passages there are and where each is, so that the text around it can be read.
fn first_line(artifact: &OpenArtifact, found: &[FoundPassage], count: usize) -> String {
    let name = artifact.artifact().name();
    let passages = match (found.len(), count) {
        (1, 1) => "1 passage".to_owned(),
        (shown, count) if shown == count => format!("{count} passages"),
        (shown, count) => format!("{shown} of {count} passages, as many as fit"),
    };
    if found.is_empty() {
        return format!("[{name}: nothing to show of {} bytes]", artifact.bytes());
    }
    let places = found.iter().map(|found| {
        let Range { start, end } = found.bytes;
        format!("{start}-{}", end.max(start + 1) - 1)
    });
    let places = places.collect::<Vec<_>>().join(", ");
    let bytes = artifact.bytes();
    let fits = match found.iter().any(|passage| passage.score > 0.0) {
        true => "",
        false => "; nothing fits the question: ask in words of the text, or search",
    };
    format!("[{name}: {passages}, bytes {places} of {bytes}{fits}]")
}

const BETWEEN: &str = "\n\n---\n\n";

const MOST_PASSAGES: u64 = 20;

/// How long the first line of an answer can be without the name and the places: three numbers and
/// the words.
const LINE_BYTES: usize = 180;

/// How long the place of a passage can be.
const PLACE_BYTES: usize = 43;

/// An answer has a passage for so many bytes of room at most.
const LEAST_BYTES: usize = 200;
