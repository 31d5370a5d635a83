//! Words that must not be in the repository.

use std::path::Path;

use crate::report::Report;
use crate::shell::{self, RepoFile};

/// Looks for unfinished work, disabled tests, waiting tests and paths of this machine.
pub(crate) fn check(report: &mut Report, files: &[RepoFile]) {
    let sources = || files.iter().filter(|file| file.is(".rs"));
    let banned = sources()
        .flat_map(|file| found(file, BANNED))
        .collect::<Vec<_>>();
    report.check(
        "banned words",
        "no unfinished work, no ignored test",
        &banned,
    );

    let waiting = sources()
        .filter(|file| file.path.contains("/tests/"))
        .flat_map(|file| found(file, WAITING))
        .collect::<Vec<_>>();
    report.check("waiting tests", "no test sleeps", &waiting);

    let pure = sources()
        .filter(|file| PURE.iter().any(|folder| file.path.starts_with(folder)))
        .flat_map(impure)
        .collect::<Vec<_>>();
    report.check("pure crates", "no std in the core and the cap", &pure);

    let paths = host_paths();
    let paths = paths.iter().map(String::as_str).collect::<Vec<_>>();
    let host = files
        .iter()
        .flat_map(|file| found(file, &paths))
        .collect::<Vec<_>>();
    report.check(
        "host paths",
        "no file names a folder of this machine",
        &host,
    );
}

/// What a crate without I/O may not have outside its tests.
fn impure(file: &RepoFile) -> Vec<String> {
    let mut findings = Vec::new();
    if file.is("/lib.rs") && !file.text.contains("#![no_std]") {
        findings.push(format!("{}: #![no_std] is missing", file.path));
    }
    let lines = file.text.lines().enumerate();
    for (index, line) in lines.take_while(|(_, line)| !line.starts_with("#[cfg(test)]")) {
        let code = line.split("//").next().unwrap_or_default();
        if code.contains("std::") || code.contains("extern crate std") {
            findings.push(format!("{}:{}: std", file.path, index + 1));
        }
    }
    findings
}

fn found(file: &RepoFile, words: &[&str]) -> Vec<String> {
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        for word in words.iter().filter(|word| line.contains(**word)) {
            findings.push(format!("{}:{}: {word}", file.path, index + 1));
        }
    }
    findings
}

/// The checkout and cargo's home, if they are deep enough to be told from an example.
fn host_paths() -> Vec<String> {
    let home = std::env::var("CARGO_HOME").ok();
    [shell::root().to_str().map(str::to_string), home]
        .into_iter()
        .flatten()
        .filter(|path| Path::new(path).components().count() > 2)
        .collect()
}

const PURE: [&str; 2] = ["crates/artifacts-core/src/", "crates/compactor-cap/src/"];

// Spelt in two parts, so that this file passes.
const BANNED: &[&str] = &[
    concat!("todo", "!"),
    concat!("unimplemented", "!"),
    concat!("dbg", "!"),
    concat!("FIX", "ME"),
    concat!("TO", "DO"),
    concat!("XX", "X"),
    concat!("#[", "ignore"),
    concat!("should_", "panic"),
    concat!("allow", "(unused"),
    concat!("allow", "(dead_code"),
];

const WAITING: &[&str] = &[concat!("thread::", "sleep"), concat!("time::", "sleep")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn std_in_a_pure_crate_is_found_outside_its_tests() {
        let file = RepoFile {
            path: "crates/artifacts-core/src/lib.rs".into(),
            text: "//! std::fs\nuse std::fs;\n#[cfg(test)]\nuse std::env;\n".into(),
        };
        let path = &file.path;
        let missing = format!("{path}: #![no_std] is missing");
        assert_eq!(impure(&file), [missing, format!("{path}:2: std")]);
    }

    #[test]
    fn a_banned_word_is_found_with_its_line() {
        let file = RepoFile {
            path: "a.rs".into(),
            text: format!("fn a() {{\n    {}()\n}}\n", concat!("todo", "!")),
        };
        assert_eq!(
            found(&file, BANNED),
            [format!("a.rs:2: {}", concat!("todo", "!"))]
        );
    }
}
