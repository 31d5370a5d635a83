//! `--lines`, `--bytes`, `--chars` and `--from-end`: the part of an artifact that is read.

use std::ops::Range;

use artifacts_core::Meter;
use artifacts_fs::{OpenArtifact, Selection};
use loop_integration::Description;

use crate::failure::Failure;
use crate::output::counted;

/// The flags that say which part; without any it is all.
#[derive(Debug, clap::Args)]
pub(crate) struct PartArg {
    /// These lines, counted from 1 with the last one included
    #[arg(long, value_name = "A:B", value_parser = lines, group = "part", allow_hyphen_values = true)]
    lines: Option<Range<u64>>,
    /// These bytes, counted from 0 and up to B, without it
    #[arg(long, value_name = "A:B", value_parser = offsets, group = "part", allow_hyphen_values = true)]
    bytes: Option<Range<u64>>,
    /// These characters, counted from 0 and up to B, without it
    #[arg(long, value_name = "A:B", value_parser = offsets, group = "part", allow_hyphen_values = true)]
    chars: Option<Range<u64>>,
    /// Count from the end
    #[arg(long, requires = "part")]
    from_end: bool,
}

impl PartArg {
    /// The bytes of it.
    pub(crate) fn locate(&self, artifact: &OpenArtifact) -> Result<Range<u64>, Failure> {
        let selection = match (&self.lines, &self.bytes, &self.chars) {
            (Some(lines), _, _) => Selection::lines(lines.clone()),
            (_, Some(bytes), _) => Selection::bytes(bytes.clone()),
            (_, _, Some(chars)) => Selection::graphemes(chars.clone()),
            (None, None, None) => Selection::all(),
        };
        Ok(artifact.locate(&match self.from_end {
            true => selection.from_end(),
            false => selection,
        })?)
    }

    /// Where the artifact ends, if the part begins behind that.
    pub(crate) fn beyond(&self, artifact: &OpenArtifact) -> Result<Option<String>, Failure> {
        let (unit, start, total) = match (&self.lines, &self.bytes, &self.chars) {
            (Some(lines), _, _) if !lines.is_empty() => {
                let total = Description::of(artifact)?.lines;
                // As it was asked for: from 1.
                (
                    "line",
                    lines.start.saturating_add(1),
                    counted(total, "line"),
                )
            }
            (_, Some(bytes), _) if !bytes.is_empty() => {
                ("byte", bytes.start, counted(artifact.bytes(), "byte"))
            }
            (_, _, Some(chars)) if !chars.is_empty() => {
                let total = counted(characters(artifact)?, "character");
                ("character", chars.start, total)
            }
            _ => return Ok(None),
        };
        let from = match self.from_end {
            true => "back from the end",
            false => "on",
        };
        Ok(Some(format!(
            "nothing from {unit} {start} {from}: {total} in all"
        )))
    }
}

/// How many characters the artifact has.
fn characters(artifact: &OpenArtifact) -> Result<u64, Failure> {
    let mut meter = Meter::default();
    let mut buffer = vec![0; PIECE_BYTES];
    let mut at = 0_u64;
    loop {
        let filled = artifact.read_at(&mut buffer, at)?;
        if filled == 0 {
            return Ok(meter.finish().measure().graphemes());
        }
        meter.update(buffer.get(..filled).unwrap_or_default());
        at = at.saturating_add(filled as u64);
    }
}

/// `10:20`, `10:`, `:20` or `:`, counted from 1 with the end included, as a range from 0 without it.
fn lines(text: &str) -> Result<Range<u64>, String> {
    let (start, end) = ends(text, "10:20")?;
    if start == Some(0) || end == Some(0) {
        return Err(format!("lines count from 1, got {text:?}"));
    }
    let (start, end) = (start.unwrap_or(1), end.unwrap_or(u64::MAX));
    in_order(start, end, text, "10:20")?;
    Ok(start.saturating_sub(1)..end)
}

/// `A:B`, `A:`, `:B` or `:`, counted from 0 without the end.
fn offsets(text: &str) -> Result<Range<u64>, String> {
    let (start, end) = ends(text, "0:100")?;
    let (start, end) = (start.unwrap_or(0), end.unwrap_or(u64::MAX));
    in_order(start, end, text, "0:100")?;
    Ok(start..end)
}

/// What stands before and after the colon.
fn ends(text: &str, example: &str) -> Result<(Option<u64>, Option<u64>), String> {
    let is_below_0 = |number: &str| {
        let digits = number.strip_prefix('-');
        digits.is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
    };
    let refused = || match text.split(':').any(is_below_0) {
        true => format!("--from-end counts from the end, no number is below 0, got {text:?}"),
        false => format!("expected A:B, as in {example}, got {text:?}"),
    };
    let (start, end) = text.split_once(':').ok_or_else(refused)?;
    let number = |digits: &str| match digits {
        "" => Ok(None),
        digits => digits.parse().map(Some).map_err(|_| refused()),
    };
    Ok((number(start)?, number(end)?))
}

fn in_order(start: u64, end: u64, text: &str, example: &str) -> Result<(), String> {
    match start <= end {
        true => Ok(()),
        false => Err(format!(
            "the range is reversed: expected A:B with A not above B, as in {example}, got {text:?}"
        )),
    }
}

/// Read at a time.
const PIECE_BYTES: usize = 256 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_1_and_the_last_one_is_included() {
        assert_eq!(lines("10:20"), Ok(9..20));
        assert_eq!(lines("7:7"), Ok(6..7));
        assert_eq!(lines(":20"), Ok(0..20));
        assert_eq!(lines("10:"), Ok(9..u64::MAX));
        assert_eq!(lines(":"), Ok(0..u64::MAX));
        for text in ["", "1", "0:1", ":0", "2:1", "a:b", "-1:2", "1:2:3", "1-2"] {
            assert!(lines(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn offsets_count_from_0_without_the_end() {
        assert_eq!(offsets("1:2"), Ok(1..2));
        assert_eq!(offsets(":2"), Ok(0..2));
        assert_eq!(offsets("1:"), Ok(1..u64::MAX));
        assert_eq!(offsets("7:7"), Ok(7..7));
        for text in ["", "1", "2:1", "a:b", "-1:2", "1:2:3", "1-2"] {
            assert!(offsets(text).is_err(), "{text:?}");
        }
    }
}
