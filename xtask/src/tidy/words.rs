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
