//! Which part of an artifact to read: by bytes, lines or graphemes, from either end.

use std::ops::{ControlFlow, Range};

use crate::clusters::Clusters;
use crate::{Error, OpenArtifact};

/// A part of an artifact, counted from 0 and without its end, as Rust's ranges are.
///
/// Lines end with `\n` only. Graphemes are extended grapheme clusters (UAX #29) of the text; bytes
/// that are not UTF-8 count as the U+FFFD that stand for them.
///
/// ```
/// use artifacts_fs::Selection;
///
/// let first_ten_lines = Selection::lines(0..10);
/// let last_ten_lines = Selection::lines(0..10).from_end();
/// # let _ = (first_ten_lines, last_ten_lines);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    unit: ReadUnit,
    range: Range<u64>,
    from_end: bool,
}

/// What a [`Selection`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadUnit {
    Bytes,
    Lines,
    Graphemes,
}

impl Selection {
    /// Everything.
    #[must_use]
    pub fn all() -> Self {
        Self::bytes(0..u64::MAX)
    }

    /// These bytes.
    #[must_use]
    pub fn bytes(range: Range<u64>) -> Self {
        Self::of(ReadUnit::Bytes, range)
    }

    /// These lines, each with its line end.
    #[must_use]
    pub fn lines(range: Range<u64>) -> Self {
        Self::of(ReadUnit::Lines, range)
    }

    /// These grapheme clusters.
    #[must_use]
    pub fn graphemes(range: Range<u64>) -> Self {
        Self::of(ReadUnit::Graphemes, range)
    }

    /// Counts from the end: `lines(0..10).from_end()` is the last ten lines.
    #[must_use]
    pub fn from_end(self) -> Self {
        Self {
            from_end: true,
            ..self
        }
    }

    fn of(unit: ReadUnit, range: Range<u64>) -> Self {
        Self {
            unit,
            range,
            from_end: false,
        }
    }
}

pub(crate) fn locate(artifact: &OpenArtifact, selection: &Selection) -> Result<Range<u64>, Error> {
    let range = match selection.from_end {
        false => selection.range.clone(),
        true => {
            let total = boundary(artifact, selection.unit, u64::MAX)?.index;
            let from_end = |index: u64| total.saturating_sub(index);
            from_end(selection.range.end)..from_end(selection.range.start)
        }
    };
    let start = boundary(artifact, selection.unit, range.start)?;
    if range.end <= range.start {
        return Ok(start.offset..start.offset);
    }
    let end = boundary(artifact, selection.unit, range.end)?;
    Ok(start.offset..end.offset)
}

/// Where the unit with this index begins, or the end.
struct Boundary {
    index: u64,
    offset: u64,
}

fn boundary(artifact: &OpenArtifact, unit: ReadUnit, index: u64) -> Result<Boundary, Error> {
    let end = artifact.bytes();
    match unit {
        ReadUnit::Bytes => {
            let offset = index.min(end);
            Ok(Boundary {
                index: offset,
                offset,
            })
        }
        ReadUnit::Lines => line_boundary(artifact, index),
        ReadUnit::Graphemes => grapheme_boundary(artifact, index),
    }
}

fn line_boundary(artifact: &OpenArtifact, index: u64) -> Result<Boundary, Error> {
    let mut found = Boundary {
        index: 0,
        offset: 0,
    };
    let mut buffer = vec![0; PIECE_BYTES];
    let mut base = 0;
    while found.index < index {
        let filled = artifact.read_at(&mut buffer, base)?;
        let piece = buffer.get(..filled).unwrap_or_default();
        if piece.is_empty() {
            break;
        }
        for newline in memchr::memchr_iter(b'\n', piece) {
            found.index += 1;
            found.offset = base + newline as u64 + 1;
            if found.index == index {
                return Ok(found);
            }
        }
        base += filled as u64;
    }
    if found.index < index && found.offset < artifact.bytes() {
        // The last line has no line end.
        found.index += 1;
        found.offset = artifact.bytes();
    }
    Ok(found)
}

fn grapheme_boundary(artifact: &OpenArtifact, index: u64) -> Result<Boundary, Error> {
    let mut found = Boundary {
        index: 0,
        offset: 0,
    };
    if index == 0 {
        return Ok(found);
    }
    let mut clusters = Clusters::default();
    let mut buffer = vec![0; PIECE_BYTES];
    loop {
        // A cluster that does not end is read in ever larger pieces, so the time stays linear.
        buffer.resize(PIECE_BYTES.max(clusters.carried()), 0);
        let filled = artifact.read_at(&mut buffer, clusters.taken())?;
        let piece = buffer.get(..filled).unwrap_or_default();
        let flow = clusters.take(piece, piece.is_empty(), |end| {
            found.index += 1;
            found.offset = end;
            match found.index == index {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if flow.is_break() || piece.is_empty() {
            return Ok(found);
        }
    }
}

/// Read at a time.
const PIECE_BYTES: usize = 128 << 10;
