//! `artifacts replay`: the next request's messages, from the transcript alone.

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::ValueEnum;
use loop_integration::{Format, Message, ToolCall};

use crate::failure::Failure;
use crate::output;
use crate::session::SessionArg;

/// Print the next request's messages
///
/// They come from the transcript alone, the same bytes every time: no artifact is read. A provider
/// refuses a tool's result that answers no call of an assistant message, as one is that `run` or
/// `settle` recorded by itself; in a provider's format that is said on standard error.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// Whose messages
    #[arg(long, value_enum, default_value_t)]
    format: FormatName,
}

/// The form of the messages.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum FormatName {
    /// The transcript's own
    #[default]
    Messages,
    /// OpenAI's chat completions
    Openai,
    /// OpenAI's responses
    OpenaiResponses,
    /// Anthropic's messages
    Anthropic,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let transcript = args.session.load()?;
    let format = Format::from(args.format);
    output::write(format!("{}\n", transcript.replay(format)).as_bytes())?;
    match unasked(transcript.messages()) {
        0 => {}
        _ if format == Format::Messages => {}
        1 => output::diagnose(
            "1 result answers no call of an assistant message; a provider refuses it: put an \
             assistant message with a call of its id before it",
        ),
        results => output::diagnose(&format!(
            "{results} results answer no call of an assistant message; a provider refuses them: put \
             an assistant message with a call of its id before each",
        )),
    }
    Ok(ExitCode::SUCCESS)
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Messages => Self::Messages,
            FormatName::Openai => Self::OpenAiChat,
            FormatName::OpenaiResponses => Self::OpenAiResponses,
            FormatName::Anthropic => Self::Anthropic,
        }
    }
}

/// How many results no model asked for before, as those of `run` and `settle` by themselves.
fn unasked(messages: &[Message]) -> usize {
    let mut asked = BTreeSet::new();
    let mut unasked = 0;
    for message in messages {
        asked.extend(message.tool_calls().iter().map(ToolCall::id));
        let answers = message.tool_call_id();
        if answers.is_some_and(|id| !asked.contains(id)) {
            unasked += 1;
        }
    }
    unasked
}
