//! Several file tools as one: each path goes to the one whose prefix of it is the longest.

use std::sync::Arc;

use artifacts_fs::{Pattern, Selection};

use super::{FileEntry, FileError, FileErrorKind, FileMatch, FilePage, FileTools};

/// An agent's files with other files mounted among them (SPEC 6.4).
///
/// A path belongs to the mount whose prefix of it is the longest and ends at a `/` or at the end
/// of the path: `/large_tool_results_old/x` is not under `/large_tool_results/`.
#[derive(Debug)]
pub struct MountedFiles {
    own: Arc<dyn FileTools>,
    mounts: Vec<(String, Arc<dyn FileTools>)>,
}

impl MountedFiles {
    /// The agent's own files.
    #[must_use]
    pub fn new(own: Arc<dyn FileTools>) -> Self {
        Self {
            own,
            mounts: Vec::new(),
        }
    }

    /// The same with `files` at `prefix`, which is a directory with or without a `/` at its end. A
    /// later mount of the same prefix takes its place.
    #[must_use]
    pub fn with_mount(mut self, prefix: &str, files: Arc<dyn FileTools>) -> Self {
        let prefix = match prefix.trim_matches('/') {
            "" => String::new(),
            prefix => format!("/{prefix}"),
        };
        self.mounts.retain(|(mounted, _)| *mounted != prefix);
        self.mounts.push((prefix, files));
        self.mounts
            .sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        self
    }

    fn at(&self, path: &str) -> &dyn FileTools {
        self.files(self.mount_of(path))
    }

    /// Which mount the path belongs to; none for the agent's own files.
    fn mount_of(&self, path: &str) -> Option<usize> {
        let mut longest_first = self.mounts.iter();
        longest_first.position(|(prefix, _)| is_under(path, prefix))
    }

    fn files(&self, mount: Option<usize>) -> &dyn FileTools {
        let mount = mount.and_then(|mount| self.mounts.get(mount));
        mount.map_or(&*self.own, |(_, files)| &**files)
    }

    /// The mounts inside the directory `dir`, but not `dir` itself, with their prefixes.
    fn inside(&self, dir: &str) -> impl Iterator<Item = (usize, &str)> {
        let dir = dir.trim_end_matches('/').to_owned();
        let mounts = self.mounts.iter().map(|(prefix, _)| prefix.as_str());
        let mounts = mounts.enumerate();
        mounts.filter(move |(_, prefix)| *prefix != dir && is_under(prefix, &dir))
    }

    /// What was found; nothing, where a directory is there for the sake of the mounts inside it
    /// alone.
    fn or_nothing<T>(
        &self,
        found: Result<Vec<T>, FileError>,
        dir: &str,
    ) -> Result<Vec<T>, FileError> {
        found.or_else(|error| match error.kind() {
            FileErrorKind::NotFound if self.inside(dir).next().is_some() => Ok(Vec::new()),
            _ => Err(error),
        })
    }

    /// The first `most` matches in the files of one mount that no other mount hides.
    fn grep_in(
        &self,
        mount: Option<usize>,
        pattern: &Pattern,
        path: &str,
        most: usize,
    ) -> Result<Vec<FileMatch>, FileError> {
        let mut asked = most;
        loop {
            let mut found = self.files(mount).grep(pattern, path, asked)?;
            let are_all = found.len() < asked || asked == usize::MAX;
            found.retain(|found| self.mount_of(&found.path) == mount);
            if found.len() >= most || are_all {
                found.truncate(most);
                return Ok(found);
            }
            asked = asked.saturating_mul(4);
        }
    }
}

impl FileTools for MountedFiles {
    fn ls(&self, dir: &str) -> Result<Vec<FileEntry>, FileError> {
        let mut entries = self.or_nothing(self.at(dir).ls(dir), dir)?;
        let parent = dir.trim_end_matches('/');
        for (_, prefix) in self.inside(dir) {
            let rest = prefix.strip_prefix(parent).unwrap_or_default();
            let child = rest.trim_start_matches('/').split('/').next();
            let path = format!("{parent}/{}/", child.unwrap_or_default());
            entries.retain(|entry| entry.path.trim_end_matches('/') != path.trim_end_matches('/'));
            entries.push(FileEntry { path, bytes: None });
        }
        entries.sort();
        Ok(entries)
    }

    fn read(&self, path: &str, selection: &Selection) -> Result<FilePage, FileError> {
        self.at(path).read(path, selection)
    }

    fn grep(
        &self,
        pattern: &Pattern,
        path: &str,
        most: usize,
    ) -> Result<Vec<FileMatch>, FileError> {
        let mut matches = Vec::new();
        if most > 0 {
            let found = self.grep_in(self.mount_of(path), pattern, path, most);
            matches = self.or_nothing(found, path)?;
        }
        for (mount, prefix) in self.inside(path) {
            let rest = most.saturating_sub(matches.len());
            if rest > 0 {
                matches.extend(self.grep_in(Some(mount), pattern, prefix, rest)?);
            }
        }
        Ok(matches)
    }

    fn glob(&self, pattern: &str) -> Result<Vec<String>, FileError> {
        let mut paths = Vec::new();
        let mounts = (0..self.mounts.len()).map(Some);
        for mount in mounts.chain([None]) {
            let found = match self.files(mount).glob(pattern) {
                Err(error) if error.kind() == FileErrorKind::NotFound => Vec::new(),
                found => found?,
            };
            // What a mount hides is not there.
            let is_its = |path: &String| self.mount_of(path) == mount;
            paths.extend(found.into_iter().filter(is_its));
        }
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    fn write(&self, path: &str, content: &str) -> Result<(), FileError> {
        self.at(path).write(path, content)
    }

    fn edit(&self, path: &str, old: &str, new: &str) -> Result<(), FileError> {
        self.at(path).edit(path, old, new)
    }

    fn delete(&self, path: &str) -> Result<(), FileError> {
        self.at(path).delete(path)
    }
}

fn is_under(path: &str, prefix: &str) -> bool {
    let rest = path.strip_prefix(prefix);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
