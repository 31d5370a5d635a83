//! The lines around a part of an artifact.

use std::ops::Range;

use crate::clusters;
use crate::{Error, OpenArtifact};

impl OpenArtifact {
    /// `range` with the rest of its lines and `lines` more lines on either side, but at most
    /// `max_bytes` more on either side. Where those cut a line, the edge is between two clusters.
    ///
    /// ```
    /// use artifacts_core::{ContentType, OpId};
    /// use artifacts_fs::{ArtifactStore as _, MemoryStore};
    ///
    /// let store = MemoryStore::default();
    /// let stored = store.store(&OpId::new("op-1"), ContentType::Text, b"one\ntwo\nthree\n")?;
    /// let artifact = store.open(&(&stored).into())?;
    /// assert_eq!(artifact.around(5..6, 0, 100)?, 4..8);
    /// assert_eq!(artifact.around(5..6, 1, 100)?, 0..14);
    /// # Ok::<(), artifacts_fs::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the file can't be read or was changed.
    pub fn around(
        &self,
        range: Range<u64>,
        lines: usize,
        max_bytes: usize,
    ) -> Result<Range<u64>, Error> {
        let end = range.end.min(self.bytes());
        let start = range.start.min(end);
        Ok(self.back(start, lines, max_bytes)?..self.forth(end, lines, max_bytes)?)
    }

    fn back(&self, start: u64, lines: usize, max_bytes: usize) -> Result<u64, Error> {
        let first = start.saturating_sub(max_bytes as u64);
        let mut before = vec![0; usize::try_from(start - first).unwrap_or(max_bytes)];
        let filled = self.read_at(&mut before, first)?;
        before.truncate(filled);
        let newline = memchr::memrchr_iter(b'\n', &before).nth(lines);
        Ok(match newline {
            Some(newline) => first + newline as u64 + 1,
            None if first == 0 => 0,
            None => first + clusters::first_start(&before) as u64,
        })
    }

    fn forth(&self, end: u64, lines: usize, max_bytes: usize) -> Result<u64, Error> {
        let rest = usize::try_from(self.bytes() - end).unwrap_or(usize::MAX);
        let mut after = vec![0; rest.min(max_bytes)];
        let filled = self.read_at(&mut after, end)?;
        after.truncate(filled);
        let newline = memchr::memchr_iter(b'\n', &after).nth(lines);
        Ok(match newline {
            Some(newline) => end + newline as u64 + 1,
            None if after.len() == rest => self.bytes(),
            None => end + clusters::last_end(&after) as u64,
        })
    }
}
