//! `artifacts cap`: what a summarizer would be sent.

use std::path::PathBuf;
use std::process::ExitCode;

use compactor_cap::{SummaryText, ToolResultCap};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::input::Input;
use crate::output;

/// Print what a summarizer would be sent of a conversation
///
/// The conversation is a JSON array of messages, or one message a line, in the shapes of OpenAI or
/// Anthropic, or a transcript. It is read and never changed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The most characters that are kept of each tool result and of each call's arguments
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = ToolResultCap::DEFAULT)]
    cap: u64,
    /// Print one JSON object with the text and the totals
    #[arg(long)]
    json: bool,
    /// The conversation; - or nothing reads standard input
    file: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let cap = ToolResultCap::new(args.cap).map_err(|_| {
        Failure::input(format!(
            "--cap {} is too small: it must be at least 1",
            args.cap
        ))
    })?;
    let messages = messages(&Input::open(args.file)?.read()?)?;
    let text = compactor_cap::cap(&messages, &cap);
    if args.json {
        return output::write_json(&as_json(&text));
    }
    output::write_pieces(text.pieces())?;
    output::diagnose(&totals(&text));
    Ok(ExitCode::SUCCESS)
}

/// An array, or one value a line; of a transcript, the payloads of its messages.
fn messages(bytes: &[u8]) -> Result<Vec<Value>, Failure> {
    if let Ok(Value::Array(messages)) = serde_json::from_slice(bytes) {
        return Ok(messages);
    }
    let mut messages = Vec::new();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let mut value: Value = serde_json::from_slice(line).map_err(|_| {
            Failure::input(format!(
                "line {} is not JSON: give an array of messages, or one message a line",
                index.saturating_add(1)
            ))
        })?;
        match (
            value.get("type").and_then(Value::as_str),
            value.get("payload"),
        ) {
            (Some("message"), Some(payload)) => messages.push(payload.clone()),
            (Some(_), Some(_)) => {}
            _ => messages.push(value.take()),
        }
    }
    Ok(messages)
}

fn totals(text: &SummaryText<'_>) -> String {
    let totals = text.totals();
    format!(
        "{} messages; {} of {} tool results and {} of {} calls cut; {} of {} characters left out",
        totals.messages,
        totals.capped_results,
        totals.results,
        totals.capped_calls,
        totals.calls,
        totals.elided_graphemes,
        totals.graphemes,
    )
}

fn as_json(text: &SummaryText<'_>) -> Value {
    let totals = text.totals();
    json!({
        "text": text.to_string(),
        "totals": {
            "messages": totals.messages,
            "results": totals.results,
            "capped-results": totals.capped_results,
            "calls": totals.calls,
            "capped-calls": totals.capped_calls,
            "chars": totals.graphemes,
            "elided-chars": totals.elided_graphemes,
        },
    })
}
