//! `expand_artifact`: the passages that fit a question.

use std::fmt;

use artifacts_fs::OpenArtifact;
use serde::Deserialize;
use serde_json::Value;

use super::ArtifactTools;
use super::answer::{Refusal, ToolAnswer};
use super::arguments::{self, Number};

/// Finds the passages of an artifact that best fit a question.
pub trait Expander: fmt::Debug + Send + Sync {
    /// At most `most` passages, in the order of the artifact.
    ///
    /// # Errors
    ///
    /// If the artifact can't be read.
    fn passages(
        &self,
        artifact: &OpenArtifact,
        question: &str,
        most: usize,
    ) -> Result<Vec<String>, artifacts_fs::Error>;
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
        .map_or(3, |Number(number)| number.clamp(1, 20));
    tools.with_open(&arguments.name, |artifact| {
        let passages = expander.passages(artifact, &arguments.question, most as usize)?;
        let name = artifact.artifact().name();
        let room = tools.room.beside(LINE_BYTES);
        let mut body = String::new();
        let mut shown = 0;
        for passage in &passages {
            let between = if shown == 0 { "" } else { BETWEEN };
            let rest = room.saturating_sub(body.len() + between.len());
            if passage.len() > rest && shown > 0 {
                break;
            }
            body.push_str(between);
            body.extend(
                passage
                    .char_indices()
                    .take_while(|(at, c)| at + c.len_utf8() <= rest)
                    .map(|(_, c)| c),
            );
            shown += 1;
        }
        let count = passages.len();
        let line = match shown == count {
            true => format!("[{name}: {count} passages]"),
            false => format!("[{name}: {shown} of {count} passages, as many as fit]"),
        };
        Ok(ToolAnswer::new(tools.room, format!("{line}\n{body}")))
    })
}

const BETWEEN: &str = "\n\n---\n\n";

/// How long the first line of an answer can be: a name, two numbers and the words.
const LINE_BYTES: usize = 200;
