//! Which part of an artifact to read: by bytes, lines or graphemes, from either end.

use std::ops::Range;

use crate::marks::Boundary;
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
        ReadUnit::Lines => artifact.marks().line(artifact, index),
        ReadUnit::Graphemes => artifact.marks().cluster(artifact, index),
    }
}
