//! `artifacts read`: the bytes of an artifact, verified.

use std::ops::Range;
use std::process::ExitCode;

use artifacts_fs::Selection;
use artifacts_mcp::TextSize;

use crate::failure::Failure;
use crate::output;
use crate::source::{Source, SourceArg};

/// Print an artifact, whole or in part, verified by its digest
///
/// A range A:B goes from A up to, but not including, B, counted from 0; either may be left out.
/// `--lines 0:10` is the first ten lines, `--lines 0:10 --from-end` the last ten.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The artifact's file name, another name given to it, or the id of its operation
    name: String,
    #[command(flatten)]
    source: SourceArg,
    /// These lines
    #[arg(long, value_name = "A:B", value_parser = range, group = "part")]
    lines: Option<Range<u64>>,
    /// These bytes
    #[arg(long, value_name = "A:B", value_parser = range, group = "part")]
    bytes: Option<Range<u64>>,
    /// These characters
    #[arg(long, value_name = "A:B", value_parser = range, group = "part")]
    chars: Option<Range<u64>>,
    /// Count from the end
    #[arg(long, requires = "part")]
    from_end: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let source = args.source.open(&args.name)?;
    let artifact = &source.artifact;
    let selection = match (args.lines, args.bytes, args.chars) {
        (Some(lines), _, _) => Selection::lines(lines),
        (_, Some(bytes), _) => Selection::bytes(bytes),
        (_, _, Some(chars)) => Selection::graphemes(chars),
        (None, None, None) => Selection::all(),
    };
    let selection = match args.from_end {
        true => selection.from_end(),
        false => selection,
    };
    let range = artifact.locate(&selection)?;
    if let Some(most) = source.page_bytes {
        return page(&source, range, most);
    }
    let (mut offset, end) = (range.start, range.end);
    let mut buffer = vec![0; PIECE_BYTES];
    let mut shown = TextSize::default();
    while offset < end {
        let rest = usize::try_from(end.saturating_sub(offset)).unwrap_or(usize::MAX);
        buffer.truncate(rest);
        let filled = artifact.read_at(&mut buffer, offset)?;
        let piece = buffer.get(..filled).unwrap_or_default();
        if piece.is_empty() || output::write(piece)? == output::Reader::Gone {
            break;
        }
        shown = shown.plus(TextSize::of(&String::from_utf8_lossy(piece)));
        offset = offset.saturating_add(filled as u64);
    }
    source.note("artifacts read", shown);
    Ok(ExitCode::SUCCESS)
}

/// Prints the first page of the range, and says what prints the next.
fn page(source: &Source, range: Range<u64>, most: usize) -> Result<ExitCode, Failure> {
    let page = source.artifact.page(range.clone(), most)?;
    let shown = TextSize::of(&String::from_utf8_lossy(page.bytes()));
    if output::write(page.bytes())? == output::Reader::There
        && let Some(next) = page.next().filter(|next| *next < range.end)
    {
        output::diagnose(&format!(
            "{} of {} bytes; go on with: artifacts read {} --bytes {next}:{}",
            page.bytes().len(),
            range.end.saturating_sub(range.start),
            source.file(),
            range.end,
        ));
    }
    source.note("artifacts read", shown);
    Ok(ExitCode::SUCCESS)
}

/// `A:B`, `A:`, `:B` or `:`.
fn range(text: &str) -> Result<Range<u64>, String> {
    let refused = || format!("expected A:B with A not above B, as in 0:10, got {text:?}");
    let (start, end) = text.split_once(':').ok_or_else(refused)?;
    let number = |digits: &str, missing: u64| match digits {
        "" => Ok(missing),
        digits => digits.parse().map_err(|_| refused()),
    };
    let (start, end) = (number(start, 0)?, number(end, u64::MAX)?);
    match start <= end {
        true => Ok(start..end),
        false => Err(refused()),
    }
}

/// Read at a time.
const PIECE_BYTES: usize = 256 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_be_open() {
        assert_eq!(range("1:2"), Ok(1..2));
        assert_eq!(range(":2"), Ok(0..2));
        assert_eq!(range("1:"), Ok(1..u64::MAX));
        assert_eq!(range("7:7"), Ok(7..7));
        for text in ["", "1", "2:1", "a:b", "-1:2", "1:2:3", "1-2"] {
            assert!(range(text).is_err(), "{text:?}");
        }
    }
}
