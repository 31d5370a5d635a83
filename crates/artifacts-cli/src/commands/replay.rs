//! `artifacts replay`: the next request's messages, from the transcript alone.

use std::process::ExitCode;

use clap::ValueEnum;
use loop_integration::Format;

use crate::failure::Failure;
use crate::output;
use crate::session::SessionArg;

/// Print the next request's messages
///
/// They come from the transcript alone, the same bytes every time: no artifact is read.
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
    let replay = args.session.load()?.replay(match args.format {
        FormatName::Messages => Format::Messages,
        FormatName::Openai => Format::OpenAiChat,
        FormatName::OpenaiResponses => Format::OpenAiResponses,
        FormatName::Anthropic => Format::Anthropic,
    });
    output::write(format!("{replay}\n").as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
