//! The repository's own rules. If it isn't a check, it isn't a rule.

mod ids;
mod manifests;
mod sizes;
mod snapshots;
mod statements;
mod words;

use std::error::Error;

use crate::report::Report;
use crate::shell;

pub(crate) use snapshots::unreferenced;

/// Runs every check.
pub(crate) fn run(mut report: Report) -> Result<Report, Box<dyn Error>> {
    let files = shell::files()?;
    sizes::check(&mut report, &files);
    ids::check(&mut report, &files);
    statements::check(&mut report, &files);
    words::check(&mut report, &files);
    manifests::check(&mut report, &files);
    snapshots::check(&mut report, &files);
    Ok(report)
}
