//! `cargo xtask bench`: hands over to the bench crate, built with optimisations.

use std::error::Error;

use crate::report::Report;
use crate::{shell, weights};

/// Runs the benchmark named in `args`, or the overview.
pub(crate) fn run(args: &[&str]) -> Result<Report, Box<dyn Error>> {
    match args {
        ["search", ..] => run_with_embeddings("bench", args),
        _ => run_as("bench", args),
    }
}

/// Measures how good answers or estimates are, whichever `what` names.
pub(crate) fn evaluate(what: &str) -> Result<Report, Box<dyn Error>> {
    match what {
        "search" => run_with_embeddings("eval", &["eval-search"]),
        _ => run_as("eval", &[&format!("eval-{what}")]),
    }
}

/// With the embeddings that `cargo xtask weights` fetches, where it can.
fn run_with_embeddings(kind: &str, args: &[&str]) -> Result<Report, Box<dyn Error>> {
    weights::run()?;
    run_as(kind, &[args, &["--embeddings"]].concat())
}

fn run_as(kind: &str, args: &[&str]) -> Result<Report, Box<dyn Error>> {
    let mut report = Report::default();
    if args.first() == Some(&"mcp") {
        // It measures the binary that users run.
        let build = [
            "build",
            "--release",
            "--quiet",
            "--package",
            "artifacts-cli",
        ];
        if !shell::cargo(&build).status()?.success() {
            return Err("the binary can't be built".into());
        }
    }
    let mut command = shell::cargo(&["run", "--release", "--quiet", "--package", "bench"]);
    let mut rest = Vec::new();
    for arg in args {
        match *arg {
            "--peer" => drop(command.args(["--features", "agent-sdk-tools"])),
            "--embeddings" => drop(command.args(["--features", "static-embeddings"])),
            other => rest.push(other),
        }
    }
    let status = command.arg("--").args(&rest).status()?;
    let name = args.first().copied().unwrap_or("overview");
    match status.success() {
        true => report.pass(kind, name),
        false => report.fail(kind, name),
    }
    Ok(report)
}
