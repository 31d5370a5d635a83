//! Ratios measured in one run: `cargo xtask bench [NAME]`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod cap;
mod clock;
mod core;
mod data;
mod eval;
mod mcp;
mod overview;
mod read;
mod search;
mod settle;
mod store;
mod table;
mod tokens;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    match run(name.as_deref().unwrap_or("overview")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(name: &str) -> Result<(), Box<dyn Error>> {
    match name {
        "overview" => overview::run(),
        "cap" => cap::run(),
        "core" => core::run()?,
        "eval-search" if eval::run() => {}
        "eval-search" => return Err("an answer is not in its document".into()),
        "eval-tokens" => tokens::run()?,
        "mcp" => mcp::run()?,
        // What `mcp` starts.
        "mcp-server" => mcp::serve()?,
        "mcp-least" => mcp::serve_least(Path::new(&std::env::args().nth(2).unwrap_or_default()))?,
        "read" => read::run()?,
        "search" => search::run(),
        // What `search` starts.
        "search-peak" => search::print_peak(std::env::args().skip(2)),
        "settle" => settle::run()?,
        "store" => store::run()?,
        other => return Err(format!("no benchmark named {other}: {NAMES}").into()),
    }
    Ok(())
}

const NAMES: &str = "try overview, core, cap, mcp, read, settle, store or search";
