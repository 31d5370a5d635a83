//! File sizes: small files, read in one go.

use crate::report::Report;
use crate::shell::RepoFile;

/// Fails on a source file past its limit; names those past the aim.
pub(crate) fn check(report: &mut Report, files: &[RepoFile]) {
    let (mut long, mut over) = (Vec::new(), Vec::new());
    let sources = files.iter().filter(|file| file.is(".rs"));
    for file in sources.clone() {
        let lines = code_lines(&file.text);
        let limit = limit(&file.path);
        if lines > limit {
            over.push(format!("{}: {lines} lines, at most {limit}", file.path));
        } else if lines > AIM {
            long.push(file.path.as_str());
        }
    }
    let mut detail = format!("{} Rust files of at most {MOST} lines", sources.count());
    if !long.is_empty() {
        detail.push_str(&format!("; over the aim of {AIM}: {}", long.join(", ")));
    }
    report.check("file sizes", &detail, &over);
}

/// Lines without the tests at the end.
fn code_lines(text: &str) -> usize {
    text.lines()
        .position(|line| line.starts_with("mod tests {"))
        .unwrap_or_else(|| text.lines().count())
}

fn limit(path: &str) -> usize {
    match path {
        "xtask/src/main.rs" => 100,
        path if path.ends_with("/lib.rs") => 150,
        path if path.contains("/tests/") || path.ends_with("/tables.rs") => usize::MAX,
        _ => MOST,
    }
}

const AIM: usize = 300;
const MOST: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_at_the_end_do_not_count() {
        assert_eq!(code_lines("a\nb\n#[cfg(test)]\nmod tests {\n}\n"), 3);
        assert_eq!(code_lines("a\nb\n"), 2);
    }

    #[test]
    fn each_place_has_its_limit() {
        assert_eq!(limit("xtask/src/main.rs"), 100);
        assert_eq!(limit("crates/artifacts-core/src/lib.rs"), 150);
        assert_eq!(limit("crates/artifacts-core/src/marker.rs"), MOST);
        assert_eq!(
            limit("crates/artifacts-core/tests/core/unicode.rs"),
            usize::MAX
        );
    }
}
