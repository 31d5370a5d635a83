//! The binary `artifacts`: one module a command, thin over the libraries.

mod child;
mod cli;
mod commands;
mod embeddings;
mod failure;
mod hooked;
mod input;
mod output;
mod part;
mod place;
mod policies;
mod progress;
mod session;
mod shape;
mod source;
mod state;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

use clap::Parser as _;

use cli::Cli;

fn main() -> ExitCode {
    #[cfg(unix)]
    outlive_file_size_limit();
    let outcome = match Cli::try_parse() {
        Ok(cli) => commands::run(cli),
        Err(error) => cli::refuse(&error),
    };
    match outcome {
        Ok(status) => status,
        Err(failure) => {
            output::diagnose(&failure.to_string());
            match std::env::args_os().nth(1) {
                // A client shows its model why a hook failed; this is for the user alone.
                Some(command) if command == "hook" => {
                    take_input();
                    let _ = output::write(b"{}\n");
                    ExitCode::SUCCESS
                }
                _ => failure.exit().into(),
            }
        }
    }
}

/// Reads what a client writes to its hook, which may take a pipe that closes for a failure.
fn take_input() {
    let mut input = io::stdin().lock();
    if !input.is_terminal() {
        // What can't be read is as good as taken.
        let _ = io::copy(&mut input, &mut io::sink());
    }
}

/// Lets a write beyond the limit on the size of files fail, instead of ending this process before
/// it has recorded what a tool returned (P4). What it starts has the signal's default: `exec`
/// resets a handler, and only one that is ignored would stay ignored.
#[cfg(unix)]
fn outlive_file_size_limit() {
    use signal_hook::consts::SIGXFSZ;

    // Where it can't be set, the limit ends this process as it does others.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}
