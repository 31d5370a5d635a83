//! The binary `artifacts`: one module a command, thin over the libraries.

mod child;
mod cli;
mod commands;
mod embeddings;
mod failure;
mod hooked;
mod input;
mod output;
mod progress;
mod session;
mod shape;
mod source;
mod state;

use std::process::ExitCode;

use clap::Parser as _;

use cli::Cli;

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => commands::run(cli),
        Err(error) => cli::refuse(&error),
    };
    match outcome {
        Ok(status) => status,
        Err(failure) => {
            output::diagnose(&failure.to_string());
            failure.exit().into()
        }
    }
}
