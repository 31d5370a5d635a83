//! `Cargo.toml`: what members inherit, and a reason for every dependency.

use std::collections::BTreeMap;

use crate::report::Report;
use crate::shell::RepoFile;

/// Checks inheritance in every member and DESIGN.md against the workspace's dependencies.
pub(crate) fn check(report: &mut Report, files: &[RepoFile]) {
    let manifests = files.iter().filter(|file| file.is("/Cargo.toml"));
    let findings = manifests
        .clone()
        .filter(|file| !file.path.starts_with("fuzz/"))
        .flat_map(|file| member(&file.path, &file.text))
        .collect::<Vec<_>>();
    let detail = format!("{} members inherit from the workspace", manifests.count());
    report.check("manifests", &detail, &findings);

    let text = |path: &str| {
        files
            .iter()
            .find(|file| file.path == path)
            .map(|f| f.text.as_str())
    };
    let design = text("DESIGN.md").unwrap_or_default();
    let root = sections(text("Cargo.toml").unwrap_or_default());
    let unexplained = root
        .get("workspace.dependencies")
        .into_iter()
        .flatten()
        .filter(|line| !line.contains("path ="))
        .map(|line| key(line))
        .filter(|name| !design.contains(&format!("`{name}`")))
        .map(|name| format!("{name} has no line in DESIGN.md: say why it is there"))
        .collect::<Vec<_>>();
    report.check(
        "dependencies",
        "each has its reason in DESIGN.md",
        &unexplained,
    );
}

/// What is wrong with the manifest of a member.
fn member(path: &str, text: &str) -> Vec<String> {
    let sections = sections(text);
    let lines = |name: &str| sections.get(name).map(Vec::as_slice).unwrap_or_default();
    let package = lines("package");
    let has = |wanted: &str| package.contains(&wanted);
    let mut findings = Vec::new();
    for field in INHERITED {
        if !has(&format!("{field}.workspace = true")) {
            findings.push(format!("{path}: {field} is not inherited"));
        }
    }
    if !has("publish = false") {
        for field in PUBLISHED
            .iter()
            .filter(|f| !package.iter().any(|line| key(line) == **f))
        {
            findings.push(format!("{path}: a published crate needs {field}"));
        }
    }
    if lines("lints") != ["workspace = true"] {
        findings.push(format!("{path}: lints are not inherited"));
    }
    for (section, lines) in &sections {
        let inherited = |line: &str| line.contains("workspace = true");
        // A crate may ask for its own features in its tests.
        let itself = |line: &str| line.contains("path = \".\"");
        let own = lines
            .iter()
            .filter(|line| !inherited(line) && !itself(line));
        if section.ends_with("dependencies") {
            findings.extend(own.map(|line| format!("{path}: {} is not inherited", key(line))));
        }
    }
    findings
}

/// The lines of each section; comments and blank lines left out, array items joined to their key.
fn sections(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut sections = BTreeMap::new();
    let mut current = "";
    for line in text.lines().map(str::trim_end) {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            current = name.trim_matches(['[', ']']);
        } else if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            sections.entry(current).or_insert_with(Vec::new).push(line);
        }
    }
    sections
}

fn key(line: &str) -> &str {
    line.split(['=', '.']).next().unwrap_or_default().trim()
}

const INHERITED: [&str; 4] = ["version", "edition", "rust-version", "license"];
const PUBLISHED: [&str; 5] = ["description", "categories", "authors", "keywords", "readme"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_inherits_passes() {
        let text = "[package]\nname = \"a\"\npublish = false\nversion.workspace = true\n\
                    edition.workspace = true\nrust-version.workspace = true\n\
                    license.workspace = true\n\n[dependencies]\n# why\nserde.workspace = true\n\
                    insta = { workspace = true, features = [\"json\"] }\n\n\
                    [lints]\nworkspace = true\n";
        assert_eq!(member("a", text), Vec::<String>::new());
    }

    #[test]
    fn everything_not_inherited_is_named() {
        let text = "[package]\nname = \"a\"\nversion = \"1.0.0\"\n[dependencies]\nserde = \"1\"\n";
        let findings = member("a", text);
        assert!(findings.contains(&"a: version is not inherited".to_string()));
        assert!(findings.contains(&"a: serde is not inherited".to_string()));
        assert!(findings.contains(&"a: lints are not inherited".to_string()));
        assert!(findings.contains(&"a: a published crate needs readme".to_string()));
    }
}
