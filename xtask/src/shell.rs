//! Running cargo, and walking the repository.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The repository's root.
pub(crate) fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    let set = std::env::var_os("CARGO_TARGET_DIR");
    root().join(set.map_or_else(|| "target".into(), PathBuf::from))
}

/// A cargo command in the root, with the cargo that runs this program.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(args).stdin(Stdio::null());
    command
}

/// Both output streams of a finished command, as text.
pub(crate) fn text(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    text
}

/// A file of the repository, with its path relative to the root.
#[derive(Debug)]
pub(crate) struct RepoFile {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    /// The whole text; lossy where it is not UTF-8.
    pub(crate) text: String,
}

impl RepoFile {
    /// Whether the path ends with `suffix`.
    pub(crate) fn is(&self, suffix: &str) -> bool {
        self.path.ends_with(suffix)
    }
}

/// Every file of the repository, sorted by path; build output is left out.
pub(crate) fn files() -> Result<Vec<RepoFile>, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder))? {
            let entry = entry?;
            let name = entry.file_name();
            let path = folder.join(&name);
            if entry.file_type()?.is_dir() {
                if !NOT_OURS.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                }
            } else if entry.file_type()?.is_file() && name != ".git" {
                files.push(RepoFile {
                    text: String::from_utf8_lossy(&fs::read(root().join(&path))?).into_owned(),
                    path: path.to_string_lossy().replace('\\', "/"),
                });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

const NOT_OURS: [&str; 5] = ["target", ".git", "demo", "corpus", "node_modules"];
