//! Documentation and source of this workspace's own dependencies, as the lock file pins them: read
//! where cargo keeps them, under their own licences (MIT or Apache-2.0; regex, jiff, tempfile).

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::{Asked, Document};

/// The documents with the questions of `bench/data/search`.
pub(crate) fn documents() -> Result<Vec<Document>, Box<dyn Error>> {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features"])
        .output()?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    QUESTIONS
        .iter()
        .map(|(kind, questions)| document(&metadata, kind, questions))
        .collect()
}

fn document(
    metadata: &Value,
    kind: &'static str,
    questions: &str,
) -> Result<Document, Box<dyn Error>> {
    let mut lines = questions.lines();
    let place = lines.next().and_then(|line| {
        let (package, file) = line.strip_prefix("# package ")?.split_once(", file ")?;
        Some((package, file))
    });
    let (package, file) = place.ok_or("the first line names no package and file")?;
    let packages = metadata["packages"].as_array().ok_or("no packages")?;
    let manifest = packages
        .iter()
        .find(|candidate| candidate["name"] == package)
        .and_then(|package| package["manifest_path"].as_str())
        .ok_or_else(|| format!("{package} is no dependency"))?;
    let text = std::fs::read(PathBuf::from(manifest).with_file_name(file))?;
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
        kind,
        text: String::from_utf8(text)?,
        questions: lines.skip(1).filter_map(asked).collect(),
    })
}

const QUESTIONS: &[(&str, &str)] = &[
    (
        "documentation",
        include_str!("../../data/search/jiff-design.txt"),
    ),
    (
        "documentation",
        include_str!("../../data/search/regex-docs.txt"),
    ),
    (
        "documentation",
        include_str!("../../data/search/jiff-platform.txt"),
    ),
    (
        "source",
        include_str!("../../data/search/tempfile-docs.txt"),
    ),
];
