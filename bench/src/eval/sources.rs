//! Documentation and source of this workspace's own dependencies, as the lock file pins them: read
//! where cargo keeps them, under their own licences (MIT or Apache-2.0; regex, jiff, tempfile).

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use super::{Asked, Document, Half};

/// The documents with the questions of `bench/data/search`.
pub(crate) fn documents() -> Result<Vec<Document>, Box<dyn Error>> {
    let read =
        |(half, kind, questions): &(Half, &'static str, &str)| document(*half, kind, questions);
    QUESTIONS.iter().map(read).collect()
}

/// A text file of a package that the lock file pins.
pub(crate) fn package_file(package: &str, file: &str) -> Result<String, Box<dyn Error>> {
    static METADATA: OnceLock<Value> = OnceLock::new();
    let metadata = match METADATA.get() {
        Some(metadata) => metadata,
        None => {
            let read = metadata()?;
            METADATA.get_or_init(|| read)
        }
    };
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    // Packages are listed by name and version: the newest of a name is what this workspace uses.
    let manifest = packages
        .iter()
        .rev()
        .find(|candidate| candidate["name"] == package)
        .and_then(|package| package["manifest_path"].as_str())
        .ok_or_else(|| format!("{package} is no dependency"))?;
    let path = PathBuf::from(manifest).with_file_name(file);
    let text = std::fs::read(&path).map_err(|error| format!("{package}, {file}: {error}"))?;
    Ok(String::from_utf8(text)?)
}

fn metadata() -> Result<Value, Box<dyn Error>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features"])
        .output()?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn document(half: Half, kind: &'static str, questions: &str) -> Result<Document, Box<dyn Error>> {
    let mut lines = questions.lines();
    let place = lines.next().and_then(|line| {
        let (package, file) = line.strip_prefix("# package ")?.split_once(", file ")?;
        Some((package, file))
    });
    let (package, file) = place.ok_or("the first line names no package and file")?;
    let asked = |line: &str| {
        let (way, line) = line.split_once(' ')?;
        let (question, answer) = line.split_once(" | ")?;
        Some(Asked {
            question: question.to_owned(),
            answer: answer.to_owned(),
            plainly: way == "p",
        })
    };
    Ok(Document {
        half,
        kind,
        text: package_file(package, file)?,
        questions: lines.skip(1).filter_map(asked).collect(),
    })
}

const QUESTIONS: &[(Half, &str, &str)] = &[
    (
        Half::Development,
        "documentation",
        include_str!("../../data/search/jiff-design.txt"),
    ),
    (
        Half::Development,
        "documentation",
        include_str!("../../data/search/regex-docs.txt"),
    ),
    (
        Half::Development,
        "documentation",
        include_str!("../../data/search/jiff-platform.txt"),
    ),
    (
        Half::Development,
        "source",
        include_str!("../../data/search/tempfile-docs.txt"),
    ),
    (
        Half::Held,
        "documentation",
        include_str!("../../data/search/held-shlex.txt"),
    ),
    (
        Half::Held,
        "documentation",
        include_str!("../../data/search/held-aho-corasick.txt"),
    ),
    (
        Half::Held,
        "documentation",
        include_str!("../../data/search/held-getrandom.txt"),
    ),
];
