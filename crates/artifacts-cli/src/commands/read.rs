//! `artifacts read`: the bytes of an artifact, verified.

use std::ops::Range;
use std::process::ExitCode;

use artifacts_mcp::TextSize;

use crate::failure::Failure;
use crate::output;
use crate::part::PartArg;
use crate::source::{Source, SourceArg};

/// Print an artifact, whole or in part, verified by its digest
///
/// `--lines 10:20` is lines 10 to 20: lines count from 1 and the last one is included, as `search`
/// prints them and the model's tools take them. `--lines 1:10 --from-end` is the last ten lines.
/// Bytes and characters are offsets, as `search` prints those of bytes: they count from 0, and B is
/// not included, so `--bytes 0:100` is the first hundred. A or B may be left out.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The artifact's file name, another name given to it, or the id of its operation
    name: String,
    #[command(flatten)]
    source: SourceArg,
    #[command(flatten)]
    part: PartArg,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let source = args.source.open(&args.name)?;
    let artifact = &source.artifact;
    let range = args.part.locate(artifact)?;
    if range.is_empty()
        && let Some(beyond) = args.part.beyond(artifact)?
    {
        output::diagnose(&beyond);
    }
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

/// Read at a time.
const PIECE_BYTES: usize = 256 << 10;
