//! `cargo xtask bench`: hands over to the bench crate, built with optimisations.

use std::error::Error;

use crate::report::Report;
use crate::shell;

/// Runs the benchmark named in `args`, or the overview.
pub(crate) fn run(args: &[&str]) -> Result<Report, Box<dyn Error>> {
    run_as("bench", args)
}

/// Measures how good answers or estimates are, whichever `what` names.
pub(crate) fn evaluate(what: &str) -> Result<Report, Box<dyn Error>> {
    run_as("eval", &[&format!("eval-{what}")])
}

fn run_as(kind: &str, args: &[&str]) -> Result<Report, Box<dyn Error>> {
    let mut report = Report::default();
    let (peer, args) = args
        .iter()
        .partition::<Vec<&str>, _>(|arg| **arg == "--peer");
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
    if !peer.is_empty() {
        command.args(["--features", "agent-sdk-tools"]);
    }
    let status = command.arg("--").args(&args).status()?;
    let name = args.first().copied().unwrap_or("overview");
    match status.success() {
        true => report.pass(kind, name),
        false => report.fail(kind, name),
    }
    Ok(report)
}
