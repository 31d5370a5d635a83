//! Searching inside an open artifact, line by line and in bounded memory.

use std::ops::Range;

use crate::{Error, OpenArtifact, Pattern};

/// Where a pattern was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Match {
    /// The bytes that match, as offsets in the artifact.
    pub range: Range<u64>,
    /// The line they are in, counted from 0.
    pub line: u64,
}

/// The answer to a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matches {
    /// The first matches, in order, as many as were asked for.
    pub first: Vec<Match>,
    /// How many there are in all.
    pub total: u64,
    /// Where the first match starts that is not among them, in bytes.
    pub next: Option<u64>,
}

impl OpenArtifact {
    /// Finds what `pattern` matches in `range`, reading all of it so that the total is true.
    ///
    /// Matches don't overlap and lie within one line each; a match of nothing counts once for its
    /// line. In a line of more than 1 MiB a match longer than 64 KiB ends where the piece ends in
    /// which it was found.
    ///
    /// ```
    /// use artifacts_core::{ContentType, OpId};
    /// use artifacts_fs::{ArtifactStore as _, LetterCase, MemoryStore, Pattern};
    ///
    /// let store = MemoryStore::default();
    /// let text = b"one\ntwo\nthree\ntwo\n";
    /// let stored = store.store(&OpId::new("op-1"), ContentType::Text, text)?;
    /// let artifact = store.open(&(&stored).into())?;
    /// let pattern = Pattern::new("t[wx]o", LetterCase::Exact)?;
    /// let found = artifact.search(&pattern, 0..artifact.bytes(), 1)?;
    /// assert_eq!((found.first[0].line, found.first[0].range.clone()), (1, 4..7));
    /// assert_eq!((found.total, found.next), (2, Some(14)));
    /// # Ok::<(), artifacts_fs::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the file can't be read or was changed.
    pub fn search(
        &self,
        pattern: &Pattern,
        range: Range<u64>,
        max_matches: usize,
    ) -> Result<Matches, Error> {
        let end = range.end.min(self.bytes());
        let start = range.start.min(end);
        // What is before the range is seen by `^` and `\b`, but not matched.
        let base = start.saturating_sub(LOOK_BEHIND as u64);
        let mut search = Search {
            pattern,
            max_matches,
            matches: Matches::default(),
            window: Vec::new(),
            base,
            from: usize::try_from(start - base).unwrap_or_default(),
            last_end: None,
            counted: base,
            lines: self.newlines_before(base)?,
        };
        loop {
            let at = search.base + search.window.len() as u64;
            let is_end = search.fill(self, end - at)?;
            search.take_window(is_end);
            if is_end {
                return Ok(search.matches);
            }
        }
    }

    fn newlines_before(&self, offset: u64) -> Result<u64, Error> {
        let mut buffer = vec![0; PIECE_BYTES];
        let mut at = 0;
        let mut newlines = 0;
        while at < offset {
            let rest = usize::try_from(offset - at).unwrap_or(usize::MAX);
            buffer.resize(rest.min(PIECE_BYTES), 0);
            let filled = self.read_at(&mut buffer, at)?;
            let piece = buffer.get(..filled).unwrap_or_default();
            if piece.is_empty() {
                break;
            }
            newlines += count_newlines(piece);
            at += filled as u64;
        }
        Ok(newlines)
    }
}

/// A search under way: a window of the artifact, of which the part from `from` is to be searched.
struct Search<'p> {
    pattern: &'p Pattern,
    max_matches: usize,
    matches: Matches,
    window: Vec<u8>,
    /// The offset of the window in the artifact.
    base: u64,
    from: usize,
    /// The end of the last match, as an offset in the artifact.
    last_end: Option<u64>,
    /// Up to where line ends were counted, and how many there are before it.
    counted: u64,
    lines: u64,
}

impl Search<'_> {
    /// Appends the next piece of the artifact; whether nothing comes after it.
    fn fill(&mut self, artifact: &OpenArtifact, rest: u64) -> Result<bool, Error> {
        let kept = self.window.len();
        let piece = usize::try_from(rest).map_or(PIECE_BYTES, |rest| rest.min(PIECE_BYTES));
        self.window.resize(kept + piece, 0);
        let space = self.window.get_mut(kept..).unwrap_or_default();
        let filled = artifact.read_at(space, self.base + kept as u64)?;
        self.window.truncate(kept + filled);
        Ok(filled as u64 >= rest || filled == 0)
    }

    fn take_window(&mut self, is_end: bool) {
        let len = self.window.len();
        let to_search = self.window.get(self.from..).unwrap_or_default();
        let lines = memchr::memrchr(b'\n', to_search).map(|newline| self.from + newline + 1);
        match lines {
            _ if is_end => self.find_in(len, len + 1),
            Some(lines) => {
                self.find_in(lines, lines);
                self.from = self.from.max(lines);
            }
            // A line longer than the window: what starts near the end may go on after it.
            None => {
                let decided = len.saturating_sub(OVERLAP_BYTES).max(self.from);
                self.find_in(len, decided);
                self.from = self.from.max(decided);
            }
        }
        self.slide();
    }

    /// Takes the matches in the first `len` bytes of the window that start before `before`.
    fn find_in(&mut self, len: usize, before: usize) {
        while self.from < before {
            let haystack = self.window.get(..len).unwrap_or_default();
            let Some(found) = find_in_line(self.pattern, haystack, self.from) else {
                self.from = before.min(len);
                return;
            };
            let (start, end) = match found {
                Found::Match(start, end) if start < before => (start, end),
                Found::Match(..) => return,
                Found::NothingBefore(next) => {
                    self.from = next;
                    continue;
                }
            };
            let at = self.base + start as u64;
            if start == end && self.last_end == Some(at) {
                self.from = start + 1;
                continue;
            }
            if start == end && start == len && haystack.last().is_none_or(|byte| *byte == b'\n') {
                // After the last line end there is no line.
                self.from = len;
                return;
            }
            self.from = match start == end {
                true => line_end(haystack, start) + 1,
                false => end,
            };
            self.add(start, end);
        }
    }

    fn add(&mut self, start: usize, end: usize) {
        let range = self.base + start as u64..self.base + end as u64;
        self.last_end = Some(range.end);
        self.matches.total += 1;
        if self.matches.first.len() < self.max_matches {
            self.count_to(start);
            let line = self.lines;
            self.matches.first.push(Match { range, line });
        } else if self.matches.next.is_none() {
            self.matches.next = Some(range.start);
        }
    }

    /// Counts the line ends up to `index` of the window.
    fn count_to(&mut self, index: usize) {
        let from = usize::try_from(self.counted - self.base).unwrap_or(usize::MAX);
        let piece = self.window.get(from..index).unwrap_or_default();
        self.lines += count_newlines(piece);
        self.counted = self.counted.max(self.base + index as u64);
    }

    /// Drops what was searched, but for what `^` and `\b` look at.
    fn slide(&mut self) {
        let searched = self.from.min(self.window.len()).saturating_sub(LOOK_BEHIND);
        if self.matches.next.is_none() {
            self.count_to(searched);
        }
        self.window.drain(..searched);
        self.base += searched as u64;
        self.from -= searched;
        self.counted = self.counted.max(self.base);
    }
}

enum Found {
    Match(usize, usize),
    /// No match in a line that starts before this offset.
    NothingBefore(usize),
}

/// The first match from `from` on that stays in its line.
fn find_in_line(pattern: &Pattern, haystack: &[u8], from: usize) -> Option<Found> {
    let (start, end) = pattern.find_at(haystack, from)?;
    // Looks at the match alone: the rest of a long line would be read again for every match.
    let matched = haystack.get(start..end).unwrap_or_default();
    let Some(newline) = memchr::memchr(b'\n', matched) else {
        return Some(Found::Match(start, end));
    };
    let line_end = start + newline;
    // No match starts before this one, in this line or in one before it.
    let line = haystack.get(..line_end).unwrap_or_default();
    Some(match pattern.find_at(line, start) {
        Some((start, end)) => Found::Match(start, end),
        None => Found::NothingBefore(line_end + 1),
    })
}

/// Where the line ends in which `index` is.
fn line_end(haystack: &[u8], index: usize) -> usize {
    let rest = haystack.get(index..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(haystack.len(), |newline| index + newline)
}

fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Read at a time.
const PIECE_BYTES: usize = 1 << 20;

/// The longest match that is found whole in a line longer than a piece.
const OVERLAP_BYTES: usize = 64 << 10;

/// Kept before what is searched: more than a scalar.
const LOOK_BEHIND: usize = 8;
