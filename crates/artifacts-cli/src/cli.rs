//! The commands and their flags, as SPEC section 9 lists them.

use std::process::ExitCode;

use artifacts_core::Unit;
use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};

use crate::commands::{
    cap, describe, excerpt, expand, fork, generate, hook, list, mcp, prune, read, replay, run,
    scan, search, settle, stats, usage, verify,
};
use crate::failure::Failure;

/// Keep huge tool results out of an agent's conversation without losing a byte.
///
/// Observations go to standard output byte for byte, diagnostics to standard error.
///
/// Exit status: 0 ok, 1 a check found something, 2 bad usage or input, 3 reading or writing failed.
#[derive(Debug, Parser)]
#[command(name = "artifacts", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Every command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Excerpt(excerpt::Args),
    Settle(settle::Args),
    Run(run::Args),
    Replay(replay::Args),
    Read(read::Args),
    Search(search::Args),
    Describe(describe::Args),
    Expand(expand::Args),
    List(list::Args),
    Verify(verify::Args),
    Scan(scan::Args),
    Usage(usage::Args),
    Prune(prune::Args),
    Fork(fork::Args),
    Cap(cap::Args),
    Mcp(mcp::Args),
    Hook(hook::Args),
    Stats(stats::Args),
    Completions(generate::Completions),
    Man(generate::Man),
}

/// The unit of a limit.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum UnitName {
    /// Characters as a reader sees them: extended grapheme clusters
    #[default]
    Graphemes,
    /// UTF-8 bytes
    Bytes,
    /// Unicode scalar values
    Scalars,
    /// Estimated tokens
    Tokens,
}

impl From<UnitName> for Unit {
    fn from(name: UnitName) -> Self {
        match name {
            UnitName::Graphemes => Self::Graphemes,
            UnitName::Bytes => Self::Bytes,
            UnitName::Scalars => Self::Scalars,
            UnitName::Tokens => Self::Tokens,
        }
    }
}

/// Answers help and version; puts a usage error into one line.
pub(crate) fn refuse(error: &clap::Error) -> Result<ExitCode, Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            crate::output::write(error.render().to_string().as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            Err(Failure::input("no command; try `artifacts --help`"))
        }
        kind => {
            let mut line = one_line(&error.render().to_string());
            let is_separated = std::env::args_os().any(|word| word == "--");
            if kind == ErrorKind::UnknownArgument && asked() == "artifacts run" && !is_separated {
                line.push_str(
                    ", or put the command after --, as in `artifacts run --session T.jsonl -- CMD`",
                );
            }
            Err(Failure::input(line))
        }
    }
}

/// The command that was asked for, as far as there is one.
fn asked() -> String {
    let command = Cli::command();
    let name = std::env::args_os().nth(1).unwrap_or_default();
    match command.find_subcommand(&name) {
        Some(found) => format!("artifacts {}", found.get_name()),
        None => "artifacts".to_owned(),
    }
}

/// The sentences before the usage, and where to read on.
fn one_line(rendered: &str) -> String {
    let mut sentences = Vec::new();
    let mut help = format!("{} --help", asked());
    for line in rendered
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        if let Some(usage) = line.strip_prefix("Usage: ") {
            let command = usage
                .split_whitespace()
                .take_while(|word| !word.starts_with(['-', '[', '<']));
            help = format!("{} --help", command.collect::<Vec<_>>().join(" "));
        } else if !line.starts_with("For more information") {
            let least = match ["'--limit ", "'--cap "]
                .iter()
                .any(|flag| line.contains(flag))
            {
                true => "expected a whole number of at least 1",
                false => "expected a whole number of at least 0",
            };
            sentences.push(
                line.strip_prefix("error: ")
                    .unwrap_or(line)
                    .replace("  ", " ")
                    .replace("invalid digit found in string", least),
            );
        }
    }
    let sentences = sentences.join(" ").replace(" tip: ", "; ");
    format!("{sentences}; try `{help}`")
}
