//! `artifacts expand`: the passages of an artifact that answer a question.

use std::path::PathBuf;
use std::process::ExitCode;

use artifacts_mcp::TextSize;
use artifacts_search::{Answer, Decoded, Expand};
use loop_integration::EmbeddingExpander;
use serde_json::json;

use crate::embeddings;
use crate::failure::Failure;
use crate::output;
use crate::source::SourceArg;

/// Print the passages of an artifact that answer a question
///
/// Passages are found by the words of the question, without a model, and printed in the order of
/// the artifact with a line of three dashes between them. With --embeddings a question in other
/// words is answered, too; what is computed for that is kept beside the artifact.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The artifact's file name, another name given to it, or the id of its operation
    name: String,
    /// The question
    question: String,
    #[command(flatten)]
    source: SourceArg,
    /// Print at most this many passages
    #[arg(
        short = 'k',
        long = "passages",
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 3
    )]
    passages: usize,
    /// Print at most this many characters of them together
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    budget: Option<u64>,
    /// Use the static embeddings (Model2Vec) in this folder
    #[cfg_attr(
        not(feature = "static-embeddings"),
        doc = "(this build has none: it needs --features static-embeddings)"
    )]
    #[arg(long, value_name = "DIR")]
    embeddings: Option<PathBuf>,
    /// Print one JSON object, with where each passage is in the artifact, in bytes
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let source = args.source.open(&args.name)?;
    let artifact = &source.artifact;
    let mut bytes = Vec::new();
    let mut next = Some(0);
    while let Some(start) = next {
        let page = artifact.page(start..artifact.bytes(), PAGE_BYTES)?;
        bytes.extend_from_slice(page.bytes());
        next = page.next();
    }
    let decoded = Decoded::of(&bytes);
    let text = decoded.text();
    let expand = Expand::of(args.passages);
    let expand = args
        .budget
        .map_or(expand, |budget| expand.with_budget(budget));
    // As many passages as a page has room for have less room by what stands between them.
    let most = source.page_bytes.unwrap_or(usize::MAX);
    let mut room = most - most / LEAST_BYTES * BETWEEN_BYTES;
    let expander = match &args.embeddings {
        Some(folder) => {
            Some(EmbeddingExpander::new(embeddings::load(folder)?).with_cache(source.dir.clone()))
        }
        None => None,
    };
    let answered = |room: usize| {
        let expand = match source.page_bytes {
            Some(_) => expand.with_max_bytes(room as u64),
            None => expand,
        };
        let answer = match &expander {
            Some(expander) => expander.answer(artifact, text, &args.question, &expand),
            None => expand.answer(text, &args.question),
        };
        answer.map_err(|error| Failure::input(error.to_string()))
    };
    let mut answer = answered(room)?;
    if args.json {
        let mut printed = as_json(&answer, &decoded);
        // JSON writes one byte as up to six, and more beside each passage.
        while printed.len() > most && room > 0 {
            room = output::less_room(room, most, printed.len());
            answer = answered(room)?;
            printed = as_json(&answer, &decoded);
        }
        output::write(printed.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let passages = answer.passages();
    if !passages.is_empty() && passages.iter().all(|passage| passage.score() <= 0.0) {
        output::diagnose("nothing in it fits the question: ask in words of the text, or search it");
    }
    let mut shown = answer.to_string();
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    source.note("artifacts expand", TextSize::of(&shown));
    output::write(shown.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// One object and a line end.
fn as_json(answer: &Answer<'_>, decoded: &Decoded<'_>) -> String {
    let ranges = decoded.in_bytes(answer.passages().iter().map(|passage| passage.bytes()));
    let passages = answer.passages().iter().zip(ranges);
    let passages = passages.map(|(passage, bytes)| {
        json!({
            "chunk": passage.chunk(),
            "bytes": [bytes.start, bytes.end],
            "score": passage.score(),
            "text": passage.text(),
        })
    });
    let object = json!({"passages": passages.collect::<Vec<_>>()});
    format!("{object}\n")
}

const PAGE_BYTES: usize = 1 << 20;

/// A passage has so many bytes at least, and so many stand between two.
const LEAST_BYTES: usize = 200;
const BETWEEN_BYTES: usize = 7;
