//! `artifacts search`: a regular expression inside one artifact.

use std::process::ExitCode;

use artifacts_fs::{LetterCase, Match, OpenArtifact, Pattern};
use artifacts_mcp::TextSize;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;
use crate::source::SourceArg;

/// Search an artifact for a regular expression
///
/// Prints each line with a match, and where it is: line number, offset in bytes. The offset serves
/// `read --bytes`. Matching takes linear time.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The artifact's file name, another name given to it, or the id of its operation
    name: String,
    /// The regular expression
    pattern: String,
    #[command(flatten)]
    source: SourceArg,
    /// Ignore case
    #[arg(long, short)]
    ignore_case: bool,
    /// Print this many lines before and after each match
    #[arg(
        long,
        short = 'C',
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 0
    )]
    context: usize,
    /// Print at most this many matches; all are counted
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 100
    )]
    max: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let case = match args.ignore_case {
        true => LetterCase::Ignored,
        false => LetterCase::Exact,
    };
    let pattern = Pattern::new(&args.pattern, case)?;
    let source = args.source.open(&args.name)?;
    let artifact = &source.artifact;
    let matches = artifact.search(&pattern, 0..artifact.bytes(), args.max)?;
    let hits = matches
        .first
        .iter()
        .map(|found| Hit::of(found, artifact, args.context))
        .collect::<Result<Vec<_>, Failure>>()?;
    if args.json {
        let first = hits.iter().map(Hit::as_json).collect::<Vec<_>>();
        return output::write_json(&json!({"total": matches.total, "matches": first}));
    } else {
        let mut text = Vec::new();
        for hit in &hits {
            text.extend_from_slice(format!("{}:{}: ", hit.line, hit.offset).as_bytes());
            text.extend_from_slice(&hit.text);
            if !hit.text.ends_with(b"\n") {
                text.push(b'\n');
            }
        }
        source.note(
            "artifacts search",
            TextSize::of(&String::from_utf8_lossy(&text)),
        );
        output::write(&text)?;
        let more = matches.total.saturating_sub(hits.len() as u64);
        if more > 0 {
            output::diagnose(&format!("{more} more matches; raise --max to print them"));
        }
    }
    if matches.total == 0 {
        output::diagnose(&format!("no match in {} bytes", artifact.bytes()));
    }
    Ok(ExitCode::SUCCESS)
}

/// A match with the lines around it.
struct Hit {
    line: u64,
    offset: u64,
    bytes: u64,
    text: Vec<u8>,
}

impl Hit {
    fn of(found: &Match, artifact: &OpenArtifact, context: usize) -> Result<Self, Failure> {
        let around = artifact.around(found.range.clone(), context, AROUND_BYTES)?;
        let page = artifact.page(around.clone(), usize::MAX)?;
        Ok(Self {
            line: found.line,
            offset: found.range.start,
            bytes: found.range.end.saturating_sub(found.range.start),
            text: page.bytes().to_vec(),
        })
    }

    fn as_json(&self) -> Value {
        json!({
            "line": self.line,
            "offset": self.offset,
            "bytes": self.bytes,
            "text": String::from_utf8_lossy(&self.text),
        })
    }
}

/// The most that is shown before and after a match, for lines without an end.
const AROUND_BYTES: usize = 4_000;
