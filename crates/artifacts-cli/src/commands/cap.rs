//! `artifacts cap`: what a summarizer would be sent.

mod conversation;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use artifacts_core::SettledDigest;
use compactor_cap::{Message as _, Part, Records, SummaryText, ToolResultCap};
use serde_json::{Value, json};

use self::conversation::Conversation;
use crate::failure::Failure;
use crate::input::Input;
use crate::output::{self, counted};
use crate::session::SessionArg;

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
    /// Keep the line that names the artifact, beside what is kept of a result that has one
    ///
    /// Where a result is cut, so is the line in it that says where the whole is. With this a summary
    /// can still name the artifact. It takes a transcript as FILE: only its records tell which result
    /// has an artifact.
    #[arg(long, requires = "file")]
    marker_lines: bool,
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
    let (cap, records) = match (args.marker_lines, &args.file) {
        (true, Some(path)) => (cap.keeping_marker_lines(), records(path)?),
        _ => (cap, Records::default()),
    };
    let conversation = Conversation::read(&Input::open(args.file)?.read()?)?;
    let messages = records.beside(&conversation.messages);
    let text = compactor_cap::cap(&messages, &cap);
    if args.json {
        output::write_json(&as_json(&text))?;
    } else {
        output::write_pieces(text.pieces())?;
    }
    output::diagnose(&totals(&text));
    left_out(&conversation);
    Ok(ExitCode::SUCCESS)
}

/// What the settle records of a transcript say of the artifacts of its results.
fn records(path: &Path) -> Result<Records, Failure> {
    let session = SessionArg { path: path.into() };
    let needed = || {
        Failure::input(
            "--marker-lines needs a transcript as FILE: only its records tell which result has an \
             artifact",
        )
    };
    if path == Path::new("-") {
        return Err(needed());
    }
    let transcript = match session.load() {
        Err(_) if path.is_file() && File::open(path).is_ok() && !session.has_record() => {
            return Err(needed());
        }
        loaded => loaded?,
    };
    let mut records = Records::default();
    for message in &transcript.recorded_messages() {
        for part in message.parts() {
            if let Part::Result(result) = part
                && let (Some(call), Some(artifact)) = (result.call_id(), result.artifact())
            {
                let settled = SettledDigest::of(result.text().as_bytes());
                records.insert(call, settled, artifact.clone());
            }
        }
    }
    Ok(records)
}

/// Says what of the input is not in the text.
fn left_out(conversation: &Conversation) {
    if conversation.records > 0 {
        let (records, verb) = match conversation.records {
            1 => ("1 record that is no message".to_owned(), "was"),
            records => (format!("{records} records that are no messages"), "were"),
        };
        output::diagnose(&format!("{records} {verb} skipped"));
    }
    if conversation.torn_bytes > 0 {
        output::diagnose(&format!(
            "the last line, of {}, is not complete and is left out",
            counted(conversation.torn_bytes as u64, "byte")
        ));
    }
}

fn totals(text: &SummaryText<'_>) -> String {
    let totals = text.totals();
    format!(
        "{}; {} of {} tool results and {} of {} calls cut; {} of {} characters left out",
        counted(totals.messages, "message"),
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
