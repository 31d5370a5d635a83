//! Running the binary in a folder of its own, and printing what it did.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder to run `artifacts` in.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Every file below the folder, relative to it, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        let mut folders = vec![self.0.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    let path = entry.path();
                    let path = path.strip_prefix(self.0.path()).unwrap();
                    files.push(path.to_str().unwrap().to_string());
                }
            }
        }
        files.sort();
        files
    }

    /// `artifacts` with these arguments, run in the folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_artifacts"));
        command.current_dir(self.0.path()).args(args);
        command
            .env_clear()
            .env("COLUMNS", "100")
            .env("PATH", std::env::var_os("PATH").unwrap());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    /// Runs with `stdin` on standard input.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &[u8]) -> Ran {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let stdin = stdin.to_vec();
        // The child may end without reading; that is for the test to judge.
        let feeder = std::thread::spawn(move || pipe.write_all(&stdin).is_ok());
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        Ran(output)
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        self.0.path()
    }
}

/// What a run did.
pub(crate) struct Ran(pub(crate) Output);

impl Ran {
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert!(self.0.status.success(), "{}", self.report());
        self
    }

    #[track_caller]
    pub(crate) fn fails_with(self, code: i32) -> Self {
        assert_eq!(self.code(), Some(code), "{}", self.report());
        assert_eq!(self.stderr().lines().count(), 1, "{}", self.report());
        self
    }

    pub(crate) fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    pub(crate) fn stdout(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).unwrap()
    }

    pub(crate) fn stderr(&self) -> &str {
        std::str::from_utf8(&self.0.stderr).unwrap()
    }

    /// Status and both streams, for a snapshot.
    pub(crate) fn report(&self) -> String {
        let mut report = String::new();
        let status = self.code().map_or("signal".into(), |code| code.to_string());
        writeln!(report, "exit {status}").unwrap();
        for (name, bytes) in [("stdout", &self.0.stdout), ("stderr", &self.0.stderr)] {
            if !bytes.is_empty() {
                writeln!(report, "--- {name}\n{}", String::from_utf8_lossy(bytes)).unwrap();
            }
        }
        report
    }
}
