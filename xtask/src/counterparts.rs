//! `cargo xtask counterparts`: hands over to the crate that runs real servers and clients.

use std::error::Error;
use std::process::Command;

use crate::report::Report;
use crate::shell;

/// Runs every part, or what `args` name.
pub(crate) fn run(args: &[&str]) -> Result<Report, Box<dyn Error>> {
    let mut report = Report::default();
    // Of the whole workspace, so that what the tests built is used.
    let bins = ["--bin", "artifacts", "--bin", "counterparts"];
    let build = ["build", "--quiet", "--workspace"];
    let built = shell::cargo(&build).args(bins).status()?;
    let program = shell::target().join("debug/counterparts");
    let passed = built.success() && Command::new(program).args(args).status()?.success();
    match passed {
        true => report.pass("counterparts", "see its counts above"),
        false => report.fail("counterparts", "see its counts above"),
    }
    Ok(report)
}
