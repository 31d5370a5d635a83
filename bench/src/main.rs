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

use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    match name.as_deref() {
        None | Some("overview") => overview::run(),
        Some("cap") => cap::run(),
        Some("core") => {
            if let Err(error) = core::run() {
                println!("bench: {error}");
                return ExitCode::FAILURE;
            }
        }
        Some("settle") => {
            if let Err(error) = settle::run() {
                println!("bench: {error}");
                return ExitCode::FAILURE;
            }
        }
        Some("store") => {
            if let Err(error) = store::run() {
                println!("bench: {error}");
                return ExitCode::FAILURE;
            }
        }
        Some("mcp") => {
            if let Err(error) = mcp::run() {
                println!("bench: {error}");
                return ExitCode::FAILURE;
            }
        }
        // What `mcp` starts.
        Some("mcp-server") if mcp::serve().is_ok() => {}
        Some("mcp-server") => return ExitCode::FAILURE,
        Some("read") => {
            if let Err(error) = read::run() {
                println!("bench: {error}");
                return ExitCode::FAILURE;
            }
        }
        Some("search") => search::run(),
        // What `search` starts.
        Some("search-peak") => search::print_peak(std::env::args().skip(2)),
        Some("eval-tokens") => {
            if let Err(error) = tokens::run() {
                println!("bench: {error}");
                return ExitCode::FAILURE;
            }
        }
        Some("eval-search") if eval::run() => {}
        Some("eval-search") => return ExitCode::FAILURE,
        Some(other) => {
            println!(
                "no benchmark named {other}: try overview, core, cap, mcp, read, settle, store or search"
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
