//! The fast gate: everything a change must pass.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::process::Output;
use std::time::Instant;

use crate::report::Report;
use crate::{layers, shell, tidy};

/// Runs every step, also after one failed, and counts the steps.
pub(crate) fn run() -> Result<Report, Box<dyn Error>> {
    let mut report = Report::default();
    component(
        &mut report,
        "format",
        "rustfmt",
        &["fmt", "--all", "--check"],
    )?;
    component(&mut report, "clippy", "clippy", CLIPPY)?;
    tests(&mut report)?;
    step(&mut report, "documentation", DOC)?;
    report.nest("tidy", tidy::run(Report::quiet())?);
    report.nest("layers", layers::run(Report::quiet())?);
    Ok(report)
}

const CLIPPY: &[&str] = &[
    "clippy",
    "--quiet",
    "--workspace",
    "--all-targets",
    "--",
    "-D",
    "warnings",
];

const DOC: &[&str] = &[
    "doc",
    "--quiet",
    "--workspace",
    "--no-deps",
    "--document-private-items",
];

/// A step that needs a part of the toolchain, which a minimal installation leaves out.
fn component(
    report: &mut Report,
    name: &str,
    component: &str,
    args: &[&str],
) -> Result<(), Box<dyn Error>> {
    let subcommand = args.first().copied().unwrap_or_default();
    if !shell::cargo(&[subcommand, "--version"])
        .output()?
        .status
        .success()
    {
        report.skip(
            name,
            &format!("run `rustup component add {component}` to check it"),
        );
        return Ok(());
    }
    step(report, name, args)
}

fn step(report: &mut Report, name: &str, args: &[&str]) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let output = shell::cargo(args)
        .env("RUSTDOCFLAGS", "-D warnings")
        .output()?;
    let detail = format!("cargo {} ({} s)", args.join(" "), start.elapsed().as_secs());
    record(report, name, &output, &detail);
    Ok(())
}

/// The tests, then the snapshots that no test asked for.
fn tests(report: &mut Report) -> Result<(), Box<dyn Error>> {
    let references = shell::root().join("target/snapshot-references");
    match fs::remove_file(&references) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let start = Instant::now();
    let output = shell::cargo(&[
        "test",
        "--workspace",
        "--no-fail-fast",
        "--",
        "--show-output",
    ])
    .env("INSTA_UPDATE", "no")
    .env("INSTA_SNAPSHOT_REFERENCES_FILE", &references)
    .output()?;
    let text = shell::text(&output);
    let skipped = text.lines().filter(|line| line.starts_with("skipped"));
    for line in skipped.collect::<BTreeSet<_>>() {
        println!("         {line}");
    }
    let totals = Totals::of(&text);
    let detail = format!(
        "{} passed, {} failed ({} s)",
        totals.passed,
        totals.failed,
        start.elapsed().as_secs()
    );
    record(report, "tests", &output, &detail);
    if !output.status.success() {
        report.skip("snapshots", "not every test ran to its end");
        return Ok(());
    }
    let asked = fs::read_to_string(&references).unwrap_or_default();
    report.check(
        "snapshots",
        "each is asked for by a test",
        &tidy::unreferenced(&asked)?,
    );
    Ok(())
}

/// What the test binaries said of themselves.
#[derive(Debug, Default, PartialEq, Eq)]
struct Totals {
    passed: u64,
    failed: u64,
}

impl Totals {
    fn of(text: &str) -> Self {
        let mut totals = Self::default();
        for line in text.lines().filter(|line| line.starts_with("test result:")) {
            let words = line.split_whitespace().collect::<Vec<_>>();
            for pair in words.windows(2) {
                let [count, what] = pair else { continue };
                let count = count.parse::<u64>().unwrap_or(0);
                match *what {
                    "passed;" => totals.passed += count,
                    "failed;" => totals.failed += count,
                    _ => {}
                }
            }
        }
        totals
    }
}

fn record(report: &mut Report, name: &str, output: &Output, detail: &str) {
    if output.status.success() {
        return report.pass(name, detail);
    }
    println!("{}", shell::text(output));
    report.fail(name, detail);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_add_up_over_binaries() {
        let text = "test result: ok. 3 passed; 0 failed; 0 ignored\nnoise\n\
                    test result: FAILED. 2 passed; 1 failed; 0 ignored\n";
        let (passed, failed) = (5, 1);
        assert_eq!(Totals::of(text), Totals { passed, failed });
    }
}
