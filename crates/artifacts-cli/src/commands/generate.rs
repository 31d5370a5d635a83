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
    /// The command whose page to print, such as `settle` or `mcp wrap`; without one, the page of
    /// `artifacts`
    command: Vec<String>,
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
    // Each page refers to those of its commands: `help` is none that has one.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let words = args
        .command
        .iter()
        .flat_map(|words| words.split([' ', '-']));
    for word in words.skip_while(|word| *word == "artifacts") {
        command = command.find_subcommand(word).cloned().ok_or_else(|| {
            let asked = args.command.join(" ");
            Failure::input(format!("no command {asked:?}; try `artifacts --help`"))
        })?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::io("can't write the page", &error, "try again"))?;
    output::write(&page)?;
    Ok(ExitCode::SUCCESS)
}
