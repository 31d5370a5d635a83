//! The artifacts of a run as read-only files under `/large_tool_results/` (SPEC 6.4).

use std::sync::Arc;

use artifacts_fs::{ArtifactStore, Index, Indexed, OpenArtifact, Pattern, Selection};

use super::{FileEntry, FileError, FileErrorKind, FileMatch, FilePage, FileTools, glob};
use crate::clean::Clean;
use crate::resolve::{MOUNT, resolve};

/// Every artifact of an index as a file `/large_tool_results/<name>`. Nothing can be changed.
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactStore as _, Index, MemoryStore, Selection};
/// use loop_integration::{ArtifactMount, FileErrorKind, FileTools as _};
///
/// let store = Arc::new(MemoryStore::default());
/// let index = Index::default();
/// let stored = store.store(&OpId::new("op-1"), ContentType::Text, b"one\ntwo\n")?;
/// index.add((&stored).into(), None);
///
/// let mount = ArtifactMount::new(store, index, 1_000);
/// let path = "/large_tool_results/op-1.txt";
/// assert_eq!(mount.ls("/large_tool_results")?[0].path, path);
/// assert_eq!(mount.read(path, &Selection::lines(1..2))?.bytes, b"two\n");
/// let refused = mount.delete(path).unwrap_err();
/// assert_eq!(refused.kind(), FileErrorKind::ReadOnly);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArtifactMount {
    store: Arc<dyn ArtifactStore>,
    index: Index,
    max_page_bytes: usize,
}

impl ArtifactMount {
    /// Where the artifacts are.
    pub const PATH: &str = MOUNT;

    /// The artifacts of `index`, read in pages of at most `max_page_bytes` (at least 1).
    #[must_use]
    pub fn new(store: Arc<dyn ArtifactStore>, index: Index, max_page_bytes: usize) -> Self {
        Self {
            store,
            index,
            max_page_bytes: max_page_bytes.max(4),
        }
    }

    /// What there is, without what is older than it is kept.
    fn entries(&self) -> Vec<Indexed> {
        self.store.expire();
        self.index.entries()
    }

    fn find(&self, path: &str) -> Result<Indexed, FileError> {
        let inside = path.strip_prefix(MOUNT).filter(|id| !id.is_empty());
        self.store.expire();
        let found = inside.map(|_| resolve(&self.index, path));
        match found {
            Some(Ok(found)) => Ok(found),
            Some(Err(unresolved)) => Err(FileError::new(
                FileErrorKind::NotFound,
                unresolved.to_string(),
            )),
            None => Err(no_such(path)),
        }
    }

    fn open(&self, path: &str) -> Result<(String, OpenArtifact), FileError> {
        let found = self.find(path)?;
        let opened = self.store.open(found.artifact())?;
        Ok((path_of(&found), opened))
    }

    /// The paths of a directory, or of the file that `path` is.
    fn paths(&self, path: &str) -> Result<Vec<String>, FileError> {
        match is_mount(path) {
            true => Ok(self.entries().iter().map(path_of).collect()),
            false => Ok(vec![path_of(&self.find(path)?)]),
        }
    }

    fn line_around(
        artifact: &OpenArtifact,
        range: &std::ops::Range<u64>,
    ) -> Result<String, FileError> {
        let end = range.end.min(range.start + LINE_BYTES as u64);
        let around = artifact.around(range.start..end, 0, LINE_BYTES)?;
        let page = artifact.page(around, 3 * LINE_BYTES)?;
        let text = String::from_utf8_lossy(page.bytes());
        Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }
}

impl FileTools for ArtifactMount {
    fn ls(&self, dir: &str) -> Result<Vec<FileEntry>, FileError> {
        if !is_mount(dir) {
            return Err(no_such(dir));
        }
        let entries = self.entries();
        let mut listed: Vec<_> = entries
            .iter()
            .map(|entry| FileEntry {
                path: path_of(entry),
                bytes: Some(entry.artifact().bytes()),
            })
            .collect();
        listed.sort();
        Ok(listed)
    }

    fn read(&self, path: &str, selection: &Selection) -> Result<FilePage, FileError> {
        let (_, artifact) = self.open(path)?;
        let range = artifact.locate(selection)?;
        let page = artifact.page(range.clone(), self.max_page_bytes)?;
        let mut bytes = page.into_bytes();
        if bytes.len() > self.max_page_bytes {
            // One cluster larger than a page: divided between two scalars.
            let is_inside = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
            let most = self.max_page_bytes;
            let end = (most - 3..=most).rev().find(|at| !is_inside(at));
            bytes.truncate(end.unwrap_or(most));
        }
        let stop = range.start + bytes.len() as u64;
        Ok(FilePage {
            bytes,
            range: range.start..stop,
            next: (stop < range.end).then_some(stop),
        })
    }

    fn grep(
        &self,
        pattern: &Pattern,
        path: &str,
        most: usize,
    ) -> Result<Vec<FileMatch>, FileError> {
        let is_directory = is_mount(path);
        let mut matches = Vec::new();
        for path in self.paths(path)? {
            let rest = most - matches.len();
            if rest == 0 {
                break;
            }
            let (path, artifact) = match self.open(&path) {
                Ok(opened) => opened,
                // Of a directory what can be read is searched.
                Err(_) if is_directory => continue,
                Err(error) => return Err(error),
            };
            for found in artifact.search(pattern, 0..artifact.bytes(), rest)?.first {
                matches.push(FileMatch {
                    path: path.clone(),
                    line: found.line + 1,
                    text: Self::line_around(&artifact, &found.range)?,
                    range: found.range,
                });
            }
        }
        Ok(matches)
    }

    fn glob(&self, pattern: &str) -> Result<Vec<String>, FileError> {
        let entries = self.entries();
        let paths = entries.iter().map(path_of);
        let mut paths: Vec<_> = paths.filter(|path| glob::matches(pattern, path)).collect();
        paths.sort();
        Ok(paths)
    }

    fn write(&self, path: &str, _: &str) -> Result<(), FileError> {
        Err(read_only("write", path))
    }

    fn edit(&self, path: &str, _: &str, _: &str) -> Result<(), FileError> {
        Err(read_only("edit", path))
    }

    fn delete(&self, path: &str) -> Result<(), FileError> {
        Err(read_only("delete", path))
    }
}

fn is_mount(path: &str) -> bool {
    path == MOUNT || path == MOUNT.trim_end_matches('/')
}

fn path_of(entry: &Indexed) -> String {
    format!("{MOUNT}{}", entry.artifact().name())
}

fn no_such(path: &str) -> FileError {
    let path = Clean::new(path);
    let message = format!("there is no file {path}: list {MOUNT} to see what there is");
    FileError::new(FileErrorKind::NotFound, message)
}

fn read_only(action: &str, path: &str) -> FileError {
    let path = Clean::new(path);
    let message = format!("can't {action} {path}: {MOUNT} is read-only, so use another directory");
    FileError::new(FileErrorKind::ReadOnly, message)
}

/// How much of a line is shown before and after the start of a match.
const LINE_BYTES: usize = 400;
