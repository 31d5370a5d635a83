//! The commands, one module each.

pub(crate) mod cap;
pub(crate) mod excerpt;

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

/// Runs the command.
pub(crate) fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Excerpt(args) => excerpt::run(args),
        Command::Cap(args) => cap::run(args),
    }
}
