//! `artifacts completions` and `artifacts man`: made from the declaration of the flags.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output;

/// Print the completions for a shell
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print a man page
#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The command whose page to print; without one, the page of `artifacts`
    command: Option<String>,
}

/// Prints the completions.
pub(crate) fn completions(args: &Completions) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "artifacts", &mut script);
    output::write(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the page.
pub(crate) fn man(args: &Man) -> Result<ExitCode, Failure> {
    let mut cli = Cli::command();
    cli.build();
    let command = match &args.command {
        None => cli,
        Some(name) => cli.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::input(format!("no command {name:?}; try `artifacts --help`"))
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::io("can't write the page", &error, "try again"))?;
    output::write(&page)?;
    Ok(ExitCode::SUCCESS)
}
