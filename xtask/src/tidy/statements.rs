//! The statements of docs/SPEC.md: what is cited exists, and each is cited by a test.

use std::collections::BTreeSet;

use super::ids::test_part;
use crate::report::Report;
use crate::shell::RepoFile;

/// A section and a statement in it.
type Statement = (u32, u32);

/// Checks citations such as `SPEC 2.1`, `SPEC 1.4, 2.2` and `SPEC 3.1–3.7`.
pub(crate) fn check(report: &mut Report, files: &[RepoFile]) {
    let Some(spec) = files.iter().find(|file| file.path == SPEC) else {
        report.skip("statements", &format!("there is no {SPEC}"));
        return;
    };
    let declared = declared(&spec.text);
    let sources = || files.iter().filter(|file| file.is(".rs"));
    let in_tests = sources()
        .flat_map(|file| cited(test_part(file)))
        .collect::<BTreeSet<_>>();
    let unproved = declared.difference(&in_tests).map(|(section, number)| {
        format!("{section}.{number} is cited by no test: name it where it is proved")
    });
    let unknown = sources().flat_map(|file| {
        let cited = cited(&file.text).into_iter();
        cited
            .filter(|statement| !declared.contains(statement))
            .map(|(section, number)| format!("{}: there is no SPEC {section}.{number}", file.path))
    });
    let findings = unproved.chain(unknown).collect::<Vec<_>>();
    let detail = format!("{} statements, each cited by a test", declared.len());
    report.check(SPEC, &detail, &findings);
}

/// The numbers that lines begin with.
fn declared(spec: &str) -> BTreeSet<Statement> {
    let first = |line: &str| line.split(' ').next().and_then(statement);
    spec.lines().filter_map(first).collect()
}

/// The statements that `text` cites, also where a comment breaks a citation.
fn cited(text: &str) -> BTreeSet<Statement> {
    let words = text
        .split(|c: char| c.is_whitespace() || "(),;:".contains(c))
        .filter(|word| !matches!(*word, "" | "//" | "///" | "//!"));
    let mut cited = BTreeSet::new();
    let mut citing = false;
    for word in words {
        let number = word.trim_end_matches('.');
        let (from, to) = number.split_once('–').unwrap_or((number, number));
        match (statement(from), statement(to)) {
            (Some(from), Some(to)) if citing => {
                let numbers = from.1..=to.1;
                cited.extend(numbers.map(|number| (from.0, number)));
            }
            _ => citing = word == "SPEC" || citing && word == "and",
        }
    }
    cited
}

fn statement(word: &str) -> Option<Statement> {
    let (section, number) = word.split_once('.')?;
    Some((section.parse().ok()?, number.parse().ok()?))
}

const SPEC: &str = "docs/SPEC.md";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_lists_and_ranges_after_the_word() {
        let text =
            "1.1 (SPEC 1.4, 2.2; P3). SPEC\n/// 3.1–3.3 and 5.10. Then 7.7, SPEC section 9, 9.9";
        let expected = [(1, 4), (2, 2), (3, 1), (3, 2), (3, 3), (5, 10)];
        assert_eq!(cited(text), BTreeSet::from(expected));
    }

    #[test]
    fn lines_that_begin_with_a_number_declare_it() {
        let spec = "# 1. Measuring\n1.1 `Measure`\n    1.2 indented\n1.10 Last, see 1.3\n";
        assert_eq!(declared(spec), BTreeSet::from([(1, 1), (1, 10)]));
    }
}
