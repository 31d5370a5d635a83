//! Servers and clients from npm and PyPI.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::paths;

/// What npm installed.
#[derive(Debug)]
pub(crate) struct Node {
    folder: PathBuf,
    /// The interpreter, of the version that every package here runs on.
    pub(crate) node: PathBuf,
}

/// Installs the packages of `package.json`, or says why they can't be had.
pub(crate) fn node() -> Result<Node, String> {
    let folder = paths::installed("npm");
    if !is_current(&folder, "package.json") {
        copied(&folder, "package.json")?;
        // Scripts are left out where the user's npm asks for consent; node's own is run below.
        succeeds(
            Command::new("npm")
                .args(["install", "--no-audit", "--no-fund", "--no-package-lock"])
                .current_dir(&folder),
        )?;
        let node = folder.join("node_modules/node");
        if !node.join("bin/node").is_file() {
            let script = "installArchSpecificPackage.js";
            succeeds(Command::new("node").arg(script).current_dir(&node))?;
        }
        done(&folder, "package.json")?;
    }
    // Beside the packages, a script finds them.
    copied(&folder, "clients/walk.mjs")?;
    let node = folder.join("node_modules/node/bin/node");
    Ok(Node { folder, node })
}

impl Node {
    pub(crate) fn script(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A file of a package of the protocol's own.
    pub(crate) fn package(&self, path: &str) -> PathBuf {
        let packages = self.folder.join("node_modules/@modelcontextprotocol");
        packages.join(path)
    }

    /// The command of a server; `filesystem` serves the folder.
    pub(crate) fn server_on(&self, name: &str, folder: &Path) -> Vec<String> {
        let script = self.package(&format!("server-{name}/dist/index.js"));
        let mut command = vec![self.node.as_path(), script.as_path()];
        if name == "filesystem" {
            command.push(folder);
        }
        let words = command
            .iter()
            .map(|word| word.to_string_lossy().into_owned());
        words.collect()
    }
}

/// Installs what `requirements.txt` names; returns the interpreter that knows it.
pub(crate) fn python() -> Result<PathBuf, String> {
    let folder = paths::installed("python");
    let python = folder.join("environment/bin/python");
    if !is_current(&folder, "requirements.txt") {
        copied(&folder, "requirements.txt")?;
        succeeds(
            Command::new("python3")
                .args(["-m", "venv", "environment"])
                .current_dir(&folder),
        )?;
        succeeds(
            Command::new(&python)
                .args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                ])
                .args(["--requirement", "requirements.txt"])
                .current_dir(&folder),
        )?;
        done(&folder, "requirements.txt")?;
    }
    Ok(python)
}

/// Installs the Codex of `codex/package.json`; returns its binary.
pub(crate) fn codex() -> Result<PathBuf, String> {
    let folder = paths::installed("codex");
    if !is_current(&folder, "codex/package.json") {
        copied(&folder, "codex/package.json")?;
        succeeds(
            Command::new("npm")
                .args(["install", "--no-audit", "--no-fund", "--no-package-lock"])
                .current_dir(&folder),
        )?;
        done(&folder, "codex/package.json")?;
    }
    Ok(folder.join("node_modules/.bin/codex"))
}

/// Runs a command to its end; an error is its last line.
pub(crate) fn succeeds(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{program} can't be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().rfind(|line| !line.trim().is_empty());
    Err(format!(
        "{program} failed: {}",
        line.unwrap_or("it said nothing")
    ))
}

/// Whether what is installed is what the file names now.
fn is_current(folder: &Path, file: &str) -> bool {
    let wanted = std::fs::read(paths::here().join(file));
    let there = std::fs::read(folder.join("installed"));
    matches!((wanted, there), (Ok(wanted), Ok(there)) if wanted == there)
}

fn done(folder: &Path, file: &str) -> Result<(), String> {
    let copy = std::fs::copy(paths::here().join(file), folder.join("installed"));
    copy.map(|_| ()).map_err(|error| error.to_string())
}

fn copied(folder: &Path, file: &str) -> Result<(), String> {
    let name = Path::new(file).file_name().unwrap_or_default();
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::copy(paths::here().join(file), folder.join(name)))
        .map(|_| ())
        .map_err(|error| format!("{file} can't be copied: {error}"))
}
