//! Snapshot files: none pending, none that no test asks for.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

use crate::report::Report;
use crate::shell::{self, RepoFile};

/// Finds snapshots that wait for a decision, and those whose test file is gone.
pub(crate) fn check(report: &mut Report, files: &[RepoFile]) {
    let mut findings = Vec::new();
    for file in files {
        if file.is(".snap.new") || file.is(".pending-snap") {
            findings.push(format!("{}: accept or drop it", file.path));
        } else if file.is(".snap") {
            let source = source(&file.text);
            if !files.iter().any(|file| file.path == source) {
                findings.push(format!("{}: its test {source:?} is gone", file.path));
            }
        }
    }
    let count = files.iter().filter(|file| file.is(".snap")).count();
    report.check(
        "snapshot files",
        &format!("{count} files, none pending"),
        &findings,
    );
}

/// The snapshot files that are not in `asked`, the list that insta writes during a test run.
pub(crate) fn unreferenced(asked: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let asked = asked
        .lines()
        .filter_map(|line| Path::new(line).canonicalize().ok())
        .collect::<BTreeSet<_>>();
    let mut findings = Vec::new();
    for file in shell::files()?.iter().filter(|file| file.is(".snap")) {
        if !asked.contains(&shell::root().join(&file.path).canonicalize()?) {
            findings.push(format!("{}: no test asks for it, delete it", file.path));
        }
    }
    Ok(findings)
}

/// The test file that the header of a snapshot names.
fn source(text: &str) -> &str {
    text.lines()
        .find_map(|line| line.strip_prefix("source: "))
        .unwrap_or_default()
        .trim_matches('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_names_its_test() {
        assert_eq!(
            source("---\nsource: crates/a/tests/b.rs\nexpression: x\n---\nx\n"),
            "crates/a/tests/b.rs"
        );
    }
}
