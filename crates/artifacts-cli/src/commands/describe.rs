//! `artifacts describe`: what an artifact is, before it is read.

use std::process::ExitCode;

use artifacts_core::ContentType;
use artifacts_mcp::TextSize;
use loop_integration::Description;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;
use crate::source::SourceArg;

/// Describe an artifact: type, size, lines, longest line, JSON shape
///
/// Lines count from 1, as in `read --lines`. The size of the longest says whether `read --bytes` pages
/// better.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The artifact's file name, another name given to it, or the id of its operation
    name: String,
    #[command(flatten)]
    source: SourceArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let source = args.source.open(&args.name)?;
    let description = Description::of(&source.artifact)?;
    if args.json {
        let file = source.artifact.artifact().name().as_str();
        return output::write_json(&as_json(file, &description));
    }
    let text = format!("{description}\n");
    source.note("artifacts describe", TextSize::of(&text));
    output::write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(file: &str, description: &Description) -> Value {
    let named = description.content;
    let content = match named {
        ContentType::Text | ContentType::Json if description.is_binary => ContentType::Binary,
        _ => named,
    };
    json!({
        "file": file,
        "type": content.media_type(),
        "bytes": description.bytes,
        "lines": description.lines,
        "longest-line": {
            "number": description.longest_line,
            "bytes": description.longest_line_bytes,
        },
        "invalid-sequences": description.invalid_sequences,
        "shape": description.json,
    })
}
