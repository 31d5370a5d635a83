//! Promises and invariants: each id that a document declares is cited by a test.

use std::collections::BTreeSet;

use crate::report::Report;
use crate::shell::RepoFile;

/// Checks the promises of DURABILITY.md and the invariants of ARCHITECTURE.md.
pub(crate) fn check(report: &mut Report, files: &[RepoFile]) {
    let cited = files
        .iter()
        .filter(|file| file.is(".rs"))
        .flat_map(|file| ids(test_part(file)))
        .collect::<BTreeSet<_>>();
    for (document, letter) in [("DURABILITY.md", 'P'), ("ARCHITECTURE.md", 'I')] {
        let Some(file) = files.iter().find(|file| file.path == document) else {
            report.skip("ids", &format!("there is no {document}"));
            continue;
        };
        let declared = ids(&file.text)
            .filter(|id| id.starts_with(letter))
            .collect::<BTreeSet<_>>();
        let uncited = declared
            .iter()
            .filter(|id| !cited.contains(*id))
            .map(|id| format!("{id} is cited by no test: name it where it is proved"))
            .collect::<Vec<_>>();
        let detail = format!("{} ids, each cited by a test", declared.len());
        report.check(document, &detail, &uncited);
    }
}

/// The part of a Rust file that tests, or nothing.
pub(super) fn test_part(file: &RepoFile) -> &str {
    if file.path.contains("/tests/") || file.path.contains("testkit/") {
        return &file.text;
    }
    let start = file.text.find("#[cfg(test)]").unwrap_or(file.text.len());
    file.text.get(start..).unwrap_or_default()
}

/// The words of `text` that are an id: one letter, one or two digits.
fn ids(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| {
            let digits = word.strip_prefix(['P', 'I']);
            digits.is_some_and(|d| {
                (1..=2).contains(&d.len()) && d.bytes().all(|b| b.is_ascii_digit())
            })
        })
        .map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_whole_words() {
        let found = ids("P1, (I10) p2 XP3 P4a P123 P5.").collect::<Vec<_>>();
        assert_eq!(found, ["P1", "I10", "P5"]);
    }

    #[test]
    fn only_tests_cite() {
        let file = |path: &str| RepoFile {
            path: path.into(),
            text: "// P1\n#[cfg(test)]\nmod tests { /* P2 */ }".into(),
        };
        let cited = |path: &str| ids(test_part(&file(path))).collect::<Vec<_>>();
        assert_eq!(cited("crates/a/src/b.rs"), ["P2"]);
        assert_eq!(cited("crates/a/tests/b.rs"), ["P1", "P2"]);
    }
}
