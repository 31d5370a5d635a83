//! The commands, one module each.

pub(crate) mod cap;
pub(crate) mod describe;
pub(crate) mod excerpt;
pub(crate) mod expand;
pub(crate) mod fork;
pub(crate) mod generate;
pub(crate) mod hook;
pub(crate) mod list;
pub(crate) mod mcp;
pub(crate) mod prune;
pub(crate) mod read;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod scan;
pub(crate) mod search;
pub(crate) mod settle;
pub(crate) mod stats;
pub(crate) mod usage;
pub(crate) mod verify;

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

/// Runs the command.
pub(crate) fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Excerpt(args) => excerpt::run(args),
        Command::Settle(args) => settle::run(args),
        Command::Run(args) => run::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Read(args) => read::run(args),
        Command::Search(args) => search::run(args),
        Command::Describe(args) => describe::run(args),
        Command::Expand(args) => expand::run(args),
        Command::List(args) => list::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Scan(args) => scan::run(args),
        Command::Usage(args) => usage::run(args),
        Command::Prune(args) => prune::run(args),
        Command::Fork(args) => fork::run(args),
        Command::Cap(args) => cap::run(args),
        Command::Mcp(args) => mcp::run(args),
        Command::Hook(args) => hook::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Completions(args) => generate::completions(&args),
        Command::Man(args) => generate::man(&args),
    }
}
