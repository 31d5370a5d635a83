//! Where lines and clusters of an open artifact begin, as far as it was read: a place deep inside
//! is found from the nearest mark before it.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clusters::Clusters;
use crate::{Error, OpenArtifact};

/// Where the unit with this index begins, or the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Boundary {
    pub(crate) index: u64,
    pub(crate) offset: u64,
}

/// What was learnt of an artifact by reading it.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    lines: Mutex<Lines>,
    clusters: Mutex<Vec<Boundary>>,
}

/// For each piece that was read, the line ends in it and before it.
#[derive(Debug, Default)]
struct Lines {
    ends: Vec<u64>,
    is_complete: bool,
    /// Where the last line begins that was seen.
    last_start: u64,
}

impl Marks {
    /// Where the line with this index begins.
    pub(crate) fn line(&self, artifact: &OpenArtifact, index: u64) -> Result<Boundary, Error> {
        if index == 0 {
            return Ok(Boundary::default());
        }
        let mut buffer = vec![0; PIECE_BYTES];
        let mut lines = locked(&self.lines);
        while !lines.is_complete && lines.count() < index {
            lines.read_on(artifact, &mut buffer)?;
        }
        if lines.count() < index {
            // The last line may have no line end.
            let is_open = lines.last_start < artifact.bytes();
            return Ok(Boundary {
                index: lines.count() + u64::from(is_open),
                offset: artifact.bytes(),
            });
        }
        let piece = lines.ends.partition_point(|ends| *ends < index);
        let before = piece
            .checked_sub(1)
            .and_then(|before| lines.ends.get(before));
        let nth = usize::try_from(index - before.copied().unwrap_or_default() - 1);
        drop(lines);
        let base = (piece * PIECE_BYTES) as u64;
        let filled = artifact.read_at(&mut buffer, base)?;
        let piece = buffer.get(..filled).unwrap_or_default();
        let newline = memchr::memchr_iter(b'\n', piece).nth(nth.unwrap_or(usize::MAX));
        Ok(Boundary {
            index,
            offset: newline.map_or(artifact.bytes(), |newline| base + newline as u64 + 1),
        })
    }

    /// Where the grapheme cluster with this index begins.
    pub(crate) fn cluster(&self, artifact: &OpenArtifact, index: u64) -> Result<Boundary, Error> {
        let mut marks = locked(&self.clusters);
        let nearest = marks.partition_point(|mark| mark.index <= index);
        let nearest = nearest
            .checked_sub(1)
            .and_then(|nearest| marks.get(nearest));
        let mut found = nearest.copied().unwrap_or_default();
        if found.index == index {
            return Ok(found);
        }
        let mut clusters = Clusters::starting_at(found.offset);
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
            // After a boundary nothing depends on what is before it.
            if marks.last().is_none_or(|last| last.offset < found.offset) {
                marks.push(found);
            }
        }
    }
}

impl Lines {
    fn count(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }

    fn read_on(&mut self, artifact: &OpenArtifact, buffer: &mut [u8]) -> Result<(), Error> {
        let base = (self.ends.len() * PIECE_BYTES) as u64;
        let filled = artifact.read_at(buffer, base)?;
        let piece = buffer.get(..filled).unwrap_or_default();
        let ends = memchr::memchr_iter(b'\n', piece).count() as u64;
        if let Some(last) = memchr::memrchr(b'\n', piece) {
            self.last_start = base + last as u64 + 1;
        }
        self.ends.push(self.count() + ends);
        self.is_complete = filled < PIECE_BYTES;
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Read at a time.
const PIECE_BYTES: usize = 128 << 10;
