//! Ratios measured in one run: `cargo xtask bench [NAME]`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod cap;
mod data;
mod overview;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    match name.as_deref() {
        None | Some("overview") => overview::run(),
        Some("cap") => cap::run(),
        Some(other) => {
            println!("no benchmark named {other}: try overview or cap");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
