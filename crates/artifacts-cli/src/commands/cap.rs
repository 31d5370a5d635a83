//! `artifacts cap`: what a summarizer would be sent.

mod conversation;

use std::path::PathBuf;
use std::process::ExitCode;

use compactor_cap::{SummaryText, ToolResultCap};
use serde_json::{Value, json};

use self::conversation::Conversation;
use crate::failure::Failure;
use crate::input::Input;
use crate::output;

/// Print what a summarizer would be sent of a conversation
///
/// The conversation is a JSON array of messages, one message a line, a transcript, or what
/// `artifacts replay` prints, in the shapes of OpenAI, Anthropic or Gemini. It is read and never changed.
///
/// A line in brackets says who speaks, what is called or what returned; it has more brackets where
/// a text has such a line, too. All that a tool returned counts as its text but pictures, sounds
/// and files, which are shown as their kind.
///
/// The totals go to standard error, with --json too.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The most characters that are kept of each tool result and of each call's arguments
    ///
    /// A character is what a reader sees as one: a grapheme cluster. A cluster can have any number
    /// of bytes, so 8 times as many bytes are the most, too: a text that has no more characters than
    /// this is cut all the same where it is over that.
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
    let conversation = Conversation::read(&Input::open(args.file)?.read()?)?;
    let text = compactor_cap::cap(&conversation.messages, &cap);
    if args.json {
        output::write_json(&as_json(&text))?;
    } else {
        output::write_pieces(text.pieces())?;
    }
    output::diagnose(&totals(&text));
    left_out(&conversation);
    Ok(ExitCode::SUCCESS)
}

/// Says what of the input is not in the text.
fn left_out(conversation: &Conversation) {
    if conversation.records > 0 {
        output::diagnose(&format!(
            "{} records of the transcript are no messages",
            conversation.records
        ));
    }
    if conversation.torn_bytes > 0 {
        output::diagnose(&format!(
            "the last line, of {} bytes, is not complete and is left out",
            conversation.torn_bytes
        ));
    }
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
