//! Running the binary in a folder of its own, and printing what it did.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The arguments of a command line in which none holds a blank.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A folder to run `artifacts` in.
pub(crate) struct Folder {
    dir: TempDir,
    user: User,
}

/// Who runs `artifacts`.
enum User {
    Own,
    /// Root may do everything: somebody else runs a copy of the binary.
    Nobody,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            user: User::Own,
        }
    }

    /// The same for a user to whom permissions apply, if there is a way.
    #[cfg(unix)]
    pub(crate) fn of_another_user(self) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        if fs::metadata(&self).unwrap().uid() != 0 {
            return Some(self);
        }
        self.set_mode("", 0o777);
        fs::copy(env!("CARGO_BIN_EXE_artifacts"), self.path("artifacts")).unwrap();
        let user = User::Nobody;
        let folder = Self { user, ..self };
        let tried = folder.command(&["--version"]).output();
        tried
            .is_ok_and(|output| output.status.success())
            .then_some(folder)
    }

    #[cfg(unix)]
    pub(crate) fn set_mode(&self, name: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn make_folder(&self, name: &str) {
        fs::create_dir(self.path(name)).unwrap();
    }

    /// Removes a file, or a folder with all that is in it.
    pub(crate) fn remove(&self, name: &str) {
        let path = self.path(name);
        match path.is_dir() {
            true => fs::remove_dir_all(path).unwrap(),
            false => fs::remove_file(path).unwrap(),
        }
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
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
        let mut folders = vec![self.dir.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    let path = entry.path();
                    let path = path.strip_prefix(self.dir.path()).unwrap();
                    files.push(path.to_str().unwrap().to_string());
                }
            }
        }
        files.sort();
        files
    }

    /// `artifacts` with these arguments, run in the folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = match self.user {
            User::Own => Command::new(env!("CARGO_BIN_EXE_artifacts")),
            User::Nobody => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
                command.arg(self.path("artifacts"));
                command
            }
        };
        command.current_dir(self.dir.path()).args(args);
        command
            .env_clear()
            .env("COLUMNS", "100")
            .env("HOME", self.dir.path())
            .env("PATH", std::env::var_os("PATH").unwrap());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    /// Settles a large result of the operation into `run.jsonl`, which stores it.
    pub(crate) fn settle_large(&self, op_id: &str) -> Ran {
        let settle = [
            "settle",
            "--session",
            "run.jsonl",
            "--limit",
            "10",
            "--op-id",
        ];
        let ran = self.run_with(
            &[&settle[..], &[op_id]].concat(),
            op_id.repeat(500).as_bytes(),
        );
        ran.ok()
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
        self.dir.path()
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

    /// Status and both streams, for a snapshot: without what differs from run to run.
    pub(crate) fn report(&self) -> String {
        let mut report = String::new();
        let status = self.code().map_or("signal".into(), |code| code.to_string());
        writeln!(report, "exit {status}").unwrap();
        for (name, bytes) in [("stdout", &self.0.stdout), ("stderr", &self.0.stderr)] {
            if !bytes.is_empty() {
                writeln!(report, "--- {name}\n{}", String::from_utf8_lossy(bytes)).unwrap();
            }
        }
        steady(&report.replace(env!("CARGO_BIN_EXE_artifacts"), "artifacts"))
    }
}

/// The text with op ids of `run`, times and durations replaced.
pub(crate) fn steady(text: &str) -> String {
    let mut steady = String::new();
    let mut rest = text;
    while let Some((at, mark)) = MARKS
        .iter()
        .filter_map(|mark| Some((rest.find(mark)? + mark.len(), *mark)))
        .min()
    {
        let (before, after) = rest.split_at(at);
        steady.push_str(before);
        let digits = |c: char| c.is_ascii_digit() || matches!(c, '-' | ':' | 'T' | '.' | 'Z');
        let end = after.find(|c| !digits(c)).unwrap_or(after.len());
        let (varies, after) = after.split_at(end);
        let keeps = match mark {
            "run-" if !varies.starts_with(|c: char| c.is_ascii_digit()) => varies,
            "run-" if varies.ends_with('.') => "TIME-PID.",
            "run-" => "TIME-PID",
            "\"ts\":\"" => "TIME",
            _ => "MICROSECONDS",
        };
        steady.push_str(keeps);
        rest = after;
    }
    steady.push_str(rest);
    steady
}

const MARKS: [&str; 3] = ["run-", "\"ts\":\"", "\"duration\":"];
