//! Which directories the hook stored results in, for the commands that an agent runs in its shell.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::source::PAGE_BYTES;
use crate::state::state_folder;

/// A list of the directories, oldest first, each with the folder that its agent worked in and how
/// many bytes the commands print at a time, which its hook leaves as they are.
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

    /// Adds a directory, once for each page size that it gets one after the other.
    pub(crate) fn add(&self, folder: &Path, dir: &Path, page_bytes: usize) -> io::Result<()> {
        let line = json!({"v": 1, "folder": folder, "dir": dir, "page-bytes": page_bytes});
        let text = self.text();
        let mut known = text.lines().rev().filter_map(Line::parse);
        let known = known.find(|line| line.folder == folder && line.dir == dir);
        if known.is_some_and(|known| known.page_bytes == page_bytes) {
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

    /// The directories with the bytes of a page: first those of agents that work in `folder` or
    /// above it, newest first.
    pub(crate) fn directories(&self, folder: &Path) -> Vec<(PathBuf, usize)> {
        let text = self.text();
        let lines = text.lines().rev().filter_map(Line::parse);
        let (here, elsewhere) =
            lines.partition::<Vec<_>, _>(|line| folder.starts_with(&line.folder));
        let all = here.into_iter().chain(elsewhere);
        all.map(|line| (line.dir, line.page_bytes)).collect()
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

/// One directory.
struct Line {
    folder: PathBuf,
    dir: PathBuf,
    page_bytes: usize,
}

impl Line {
    /// `None` for the line of a writer that was killed.
    fn parse(line: &str) -> Option<Self> {
        let line = serde_json::from_str::<Value>(line).ok()?;
        let path = |name: &str| Some(PathBuf::from(line.get(name)?.as_str()?));
        let page_bytes = line.get("page-bytes").and_then(Value::as_u64);
        let page_bytes = page_bytes.and_then(|bytes| usize::try_from(bytes).ok());
        Some(Self {
            folder: path("folder")?,
            dir: path("dir")?,
            page_bytes: page_bytes.unwrap_or(PAGE_BYTES),
        })
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
        let (here, dir) = (Path::new("/here"), Path::new("/a.artifacts"));
        hooked.open().unwrap().write_all(b"{\"v\":1,").unwrap();
        for _ in 0..2 {
            hooked.add(here, dir, PAGE_BYTES).unwrap();
        }
        assert_eq!(hooked.directories(here), [(dir.to_owned(), PAGE_BYTES)]);
        assert_eq!(hooked.text().lines().count(), 2);
    }

    #[test]
    fn the_page_is_that_of_the_last_hook() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hooked.jsonl");
        let hooked = Hooked { path };
        let (here, dir) = (Path::new("/here"), Path::new("/a.artifacts"));
        for page_bytes in [900, PAGE_BYTES, 900, 900] {
            hooked.add(here, dir, page_bytes).unwrap();
            let first = hooked.directories(here).remove(0);
            assert_eq!(first, (dir.to_owned(), page_bytes));
        }
        assert_eq!(hooked.text().lines().count(), 3);
    }
}
