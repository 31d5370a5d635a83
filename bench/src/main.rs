//! Ratios measured in one run: `cargo xtask bench [NAME]`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod data;
mod overview;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1);
    match name.as_deref() {
        None | Some("overview") => overview::run(),
        Some(other) => {
            println!("no benchmark named {other}: try overview");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
