//! Where a transcript's artifacts are.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The directory of a transcript's artifacts: its sibling `<stem>.artifacts`, where only the last
/// extension is removed (SPEC 4.1).
///
/// ```
/// use std::path::Path;
/// use artifacts_fs::artifact_dir_for;
///
/// assert_eq!(artifact_dir_for("run.jsonl"), Path::new("run.artifacts"));
/// assert_eq!(artifact_dir_for("a/2026-08-10.run.jsonl"), Path::new("a/2026-08-10.run.artifacts"));
/// ```
#[must_use]
pub fn artifact_dir_for(transcript: impl AsRef<Path>) -> PathBuf {
    let transcript = transcript.as_ref();
    let mut name = stem(transcript);
    name.push(".artifacts");
    match (transcript.file_name(), transcript.parent()) {
        (Some(_), Some(parent)) => parent.join(name),
        _ => transcript.join(name),
    }
}

fn stem(path: &Path) -> OsString {
    let empty = OsStr::new("");
    let name = path.file_name().unwrap_or(empty);
    match path.extension() {
        // `run.` has no extension that could be removed.
        Some(extension) if extension.is_empty() => name.to_os_string(),
        Some(_) => path.file_stem().unwrap_or(empty).to_os_string(),
        // `Path` takes the whole of `.jsonl` as a stem.
        None if name.as_encoded_bytes().starts_with(b".") => OsString::new(),
        None => name.to_os_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SPEC 4.1.
    #[test]
    fn only_the_last_extension_is_removed() {
        for (transcript, dir) in [
            ("run.jsonl", "run.artifacts"),
            ("2026-08-10.run.jsonl", "2026-08-10.run.artifacts"),
            ("run", "run.artifacts"),
            ("/a.b/run", "/a.b/run.artifacts"),
            (".jsonl", ".artifacts"),
            (".hidden.jsonl", ".hidden.artifacts"),
            ("run.", "run..artifacts"),
            ("./run.jsonl", "./run.artifacts"),
            ("/", "/.artifacts"),
            ("..", "../.artifacts"),
        ] {
            assert_eq!(artifact_dir_for(transcript), Path::new(dir), "{transcript}");
        }
    }
}
