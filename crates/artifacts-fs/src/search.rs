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
    /// line. What is around the range is seen by `^`, `$` and `\b`, but not matched. A line of more
    /// than 16 MiB is searched in pieces: there a match longer than 64 KiB may be cut, or not be
    /// found, where a piece ends.
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
        let seen = end.saturating_add(LOOK_AROUND as u64).min(self.bytes());
        let base = start.saturating_sub(LOOK_AROUND as u64);
        let mut search = Search {
            pattern,
            max_matches,
            matches: Matches::default(),
            window: Vec::new(),
            base,
            from: usize::try_from(start - base).unwrap_or_default(),
            skips_line: false,
            last_end: None,
            counted: base,
            lines: self.newlines_before(base)?,
        };
        loop {
            let at = search.base + search.window.len() as u64;
            let is_end = search.fill(self, seen - at)?;
            let rest = usize::try_from(end - search.base).unwrap_or(usize::MAX);
            search.take_window(is_end.then_some(rest));
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
    /// Whether the line at `from` has had its match of nothing.
    skips_line: bool,
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
        // Twice as much where a line goes on, so that its end is looked for a few times.
        let most = PIECE_BYTES.max(kept);
        let piece = usize::try_from(rest).map_or(most, |rest| rest.min(most));
        self.window.resize(kept + piece, 0);
        let space = self.window.get_mut(kept..).unwrap_or_default();
        let filled = artifact.read_at(space, self.base + kept as u64)?;
        self.window.truncate(kept + filled);
        Ok(filled as u64 >= rest || filled == 0)
    }

    /// Takes the matches of the window, of which `last` bytes are to be searched if nothing comes
    /// after it.
    fn take_window(&mut self, last: Option<usize>) {
        let len = self.window.len();
        let to_search = self.window.get(self.from..).unwrap_or_default();
        let lines = memchr::memrchr(b'\n', to_search).map(|newline| self.from + newline + 1);
        match (last, lines) {
            (Some(last), _) => {
                let last = last.min(len);
                self.find_in(last, last + 1);
            }
            (None, Some(lines)) => self.find_in(lines, lines),
            // A line longer than the window. What may match much of it is looked for in all of it.
            (None, None) if len < MOST_LINE_BYTES && self.pattern.exceeds(OVERLAP_BYTES) => {}
            // What starts near the end may go on after it.
            (None, None) => {
                let end = len.saturating_sub(LOOK_AROUND).max(self.from);
                let decided = len.saturating_sub(OVERLAP_BYTES).max(self.from);
                self.find_in(end, decided);
            }
        }
        self.slide();
    }

    /// Takes the matches up to `last` in the window that start before `before`.
    fn find_in(&mut self, last: usize, before: usize) {
        while self.from < before {
            if self.skips_line {
                let rest = self.window.get(self.from..last).unwrap_or_default();
                let newline = memchr::memchr(b'\n', rest);
                self.skips_line = newline.is_none();
                self.from = newline.map_or(before.max(last), |newline| self.from + newline + 1);
                continue;
            }
            if self.from > last {
                return;
            }
            let found = self.pattern.find(&self.window, self.from..last);
            let Some((start, end)) = found.filter(|(start, _)| *start < before) else {
                self.from = before;
                return;
            };
            let at = self.base + start as u64;
            if start == end && self.last_end == Some(at) {
                self.from = start + 1;
                continue;
            }
            if start == end && start == last && self.follows_line_end(start) {
                // After the last line end there is no line.
                self.from = before;
                return;
            }
            self.from = end;
            self.skips_line = start == end;
            self.add(start, end);
        }
    }

    fn follows_line_end(&self, index: usize) -> bool {
        let before = index.checked_sub(1);
        let before = before.and_then(|before| self.window.get(before));
        before.is_none_or(|byte| *byte == b'\n')
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
        let searched = self.from.min(self.window.len()).saturating_sub(LOOK_AROUND);
        if self.matches.next.is_none() {
            self.count_to(searched);
        }
        self.window.drain(..searched);
        self.base += searched as u64;
        self.from -= searched;
        self.counted = self.counted.max(self.base);
    }
}

fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Read at a time.
const PIECE_BYTES: usize = 1 << 20;

/// A longer line is searched in pieces whatever the pattern.
const MOST_LINE_BYTES: usize = 16 << 20;

/// The longest match that is found whole in a line that is searched in pieces.
const OVERLAP_BYTES: usize = 64 << 10;

/// What is seen around what is searched: more than a scalar.
const LOOK_AROUND: usize = 8;
