//! Which directories the hook stored results in, for the commands that an agent runs in its shell.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::state::state_folder;

/// A list of the directories, each with the folder that its agent worked in, oldest first.
#[derive(Debug)]
pub(crate) struct Hooked {
    path: PathBuf,
}

impl Hooked {
    pub(crate) fn of_user() -> Result<Self, Failure> {
        let path = state_folder()?.join("hooked.jsonl");
        Ok(Self { path })
    }

    /// Whether a directory can be added.
    pub(crate) fn is_writable(&self) -> bool {
        self.open().is_ok()
    }

    /// Adds a directory, once.
    pub(crate) fn add(&self, folder: &Path, dir: &Path) -> io::Result<()> {
        let line = json!({"v": 1, "folder": folder, "dir": dir}).to_string();
        let text = self.text();
        if text.lines().any(|known| known == line) {
            return Ok(());
        }
        // The line of a writer that was killed stands alone.
        let begin = match text.is_empty() || text.ends_with('\n') {
            true => "",
            false => "\n",
        };
        // One write, so that lines of several sessions don't mix.
        self.open()?
            .write_all(format!("{begin}{line}\n").as_bytes())
    }

    /// The directories: first those of agents that work in `folder` or above it, newest first.
    pub(crate) fn directories(&self, folder: &Path) -> Vec<PathBuf> {
        let text = self.text();
        let lines = text.lines().rev().filter_map(|line| {
            let line = serde_json::from_str::<Value>(line).ok()?;
            let path = |name: &str| Some(PathBuf::from(line.get(name)?.as_str()?));
            Some((path("folder")?, path("dir")?))
        });
        let (here, elsewhere) = lines.partition::<Vec<_>, _>(|(at, _)| folder.starts_with(at));
        let all = here.into_iter().chain(elsewhere);
        all.map(|(_, dir)| dir).collect()
    }

    fn text(&self) -> String {
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| file.read_to_end(&mut bytes));
        // A list that can't be read is an empty one.
        let _ = read;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn open(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        options.open(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_takes_no_other_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hooked.jsonl");
        let hooked = Hooked { path };
        let here = Path::new("/here");
        hooked.open().unwrap().write_all(b"{\"v\":1,").unwrap();
        for _ in 0..2 {
            hooked.add(here, Path::new("/a.artifacts")).unwrap();
        }
        assert_eq!(hooked.directories(here), [Path::new("/a.artifacts")]);
        assert_eq!(hooked.text().lines().count(), 2);
    }
}
