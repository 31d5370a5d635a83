//! The fuzz targets: what must hold for every input, whatever its bytes are.

mod excerpter;
mod transcript;

use std::str::FromStr as _;

use artifacts_core::{MarkerLine, Measure, Measured};
use unicode_segmentation::UnicodeSegmentation as _;

pub use excerpter::excerpter;
pub use transcript::transcript;

/// Checks one input; says what does not hold.
pub type Target = fn(&[u8]) -> Result<(), String>;

/// Every target by its name.
pub const TARGETS: [(&str, Target); 4] = [
    ("count", count),
    ("excerpter", excerpter),
    ("marker", marker),
    ("transcript", transcript),
];

/// Counts are those of unicode-segmentation on the lossy decoding (SPEC 1.1, 1.7).
///
/// # Errors
///
/// What is counted otherwise.
pub fn count(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let measure = Measure::of(&text);
    let graphemes = text.graphemes(true).count() as u64;
    same("graphemes", measure.graphemes(), graphemes)?;
    same("scalars", measure.scalars(), text.chars().count() as u64)?;
    let lines = text.split_inclusive('\n').count() as u64;
    same("lines", measure.lines(), lines)?;
    let raw = Measured::of(input);
    same(
        "graphemes of the bytes",
        raw.measure().graphemes(),
        graphemes,
    )
}

/// What the strict parser takes as a marker is the marker that it writes (SPEC 3.4).
///
/// # Errors
///
/// The line that is written otherwise.
pub fn marker(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    match MarkerLine::from_str(&text) {
        Ok(line) => same("marker", line.to_string().as_str(), text.as_ref()),
        Err(_) => Ok(()),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: {found:?} instead of {expected:?}")),
    }
}
