//! The heavy sweeps: hands over to the crate that crashes, kills and starves, built with
//! optimisations.

use std::error::Error;

use crate::report::Report;
use crate::shell;

/// Runs one sweep, or all of them for `sweeps`.
pub(crate) fn run(sweep: &str, args: &[&str]) -> Result<Report, Box<dyn Error>> {
    let mut report = Report::default();
    let mut command = shell::cargo(&["run", "--release", "--quiet", "--package", "sweeps", "--"]);
    let name = if sweep == "sweeps" { "all" } else { sweep };
    let status = command.arg(name).args(args).status()?;
    match status.success() {
        true => report.pass(sweep, "see its counts above"),
        false => report.fail(sweep, "see its counts above"),
    }
    Ok(report)
}
