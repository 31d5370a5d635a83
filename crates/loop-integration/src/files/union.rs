//! Several file tools as one: each path goes to the one whose prefix of it is the longest.

use std::sync::Arc;

use artifacts_fs::{Pattern, Selection};

use super::{FileEntry, FileError, FileMatch, FilePage, FileTools};

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

    /// The same with `files` at `prefix`. A later mount of the same prefix takes its place.
    #[must_use]
    pub fn with_mount(mut self, prefix: &str, files: Arc<dyn FileTools>) -> Self {
        let prefix = prefix.trim_end_matches('/').to_owned();
        self.mounts.retain(|(mounted, _)| *mounted != prefix);
        self.mounts.push((prefix, files));
        self.mounts
            .sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        self
    }

    fn at(&self, path: &str) -> &dyn FileTools {
        let mut longest_first = self.mounts.iter();
        let found = longest_first.find(|(prefix, _)| is_under(path, prefix));
        found.map_or(&*self.own, |(_, files)| &**files)
    }

    /// The mounts inside the directory `dir`, but not `dir` itself.
    fn inside(&self, dir: &str) -> impl Iterator<Item = &(String, Arc<dyn FileTools>)> {
        let dir = dir.trim_end_matches('/').to_owned();
        let mounts = self.mounts.iter();
        mounts.filter(move |(prefix, _)| *prefix != dir && is_under(prefix, &dir))
    }
}

impl FileTools for MountedFiles {
    fn ls(&self, dir: &str) -> Result<Vec<FileEntry>, FileError> {
        let mut entries = self.at(dir).ls(dir)?;
        let parent = dir.trim_end_matches('/');
        for (prefix, _) in self.inside(dir) {
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
        let mut matches = self.at(path).grep(pattern, path, most)?;
        matches.retain(|found| std::ptr::addr_eq(self.at(&found.path), self.at(path)));
        for (prefix, files) in self.inside(path) {
            let rest = most.saturating_sub(matches.len());
            if rest > 0 {
                matches.extend(files.grep(pattern, prefix, rest)?);
            }
        }
        Ok(matches)
    }

    fn glob(&self, pattern: &str) -> Result<Vec<String>, FileError> {
        let mut paths = Vec::new();
        let all = self.mounts.iter().map(|(_, files)| &**files);
        for files in all.chain([&*self.own]) {
            let found = files.glob(pattern)?;
            // What a mount hides is not there.
            let is_its = |path: &String| std::ptr::addr_eq(self.at(path), files);
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
