//! `artifacts search`: a regular expression inside one artifact.

mod lines;

use std::process::ExitCode;

use artifacts_fs::{LetterCase, Match, OpenArtifact, Pattern};
use artifacts_mcp::TextSize;
use serde_json::{Value, json};

use self::lines::Block;
use crate::failure::Failure;
use crate::output::{self, counted};
use crate::source::{Source, SourceArg};

/// Search an artifact for a regular expression
///
/// Prints each line with a match, and where it is: the number of the line, which counts from 1 as
/// `read --lines` does, and the offset in bytes, from 0 as in `read --bytes`. Without a match that is
/// said on standard error, and the exit status is 0 all the same. With --context, lines around have
/// `-` where those with a match have `:`, and `--` stands between parts. The time is linear, but in one very long line for an expression that looks far
/// ahead and matches short, such as `a.*x|a`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The artifact's file name, another name given to it, or the id of its operation
    name: String,
    /// The regular expression
    pattern: String,
    #[command(flatten)]
    source: SourceArg,
    /// Ignore case
    #[arg(long, short)]
    ignore_case: bool,
    /// Print this many lines before and after each match
    #[arg(
        long,
        short = 'C',
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 0
    )]
    context: usize,
    /// Print at most this many matches, 100 without it or --all; all are counted
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max: Option<usize>,
    /// Search from this byte on
    #[arg(long, value_name = "BYTE", default_value_t = 0)]
    from: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let case = match args.ignore_case {
        true => LetterCase::Ignored,
        false => LetterCase::Exact,
    };
    let pattern = Pattern::new(&args.pattern, case)?;
    let source = args.source.open(&args.name)?;
    let artifact = &source.artifact;
    let usual = match args.source.all() {
        true => usize::MAX,
        false => USUAL_MATCHES,
    };
    let most = args.max.unwrap_or(usual);
    let matches = artifact.search(&pattern, args.from..artifact.bytes(), most)?;
    let printed = |hits: &[Hit]| match args.json {
        true => format!("{}\n", as_json(hits, matches.total)).into_bytes(),
        false => as_text(hits, args.context),
    };
    let hits = hits(&matches.first, &source, args.context, |hits| {
        printed(hits).len()
    })?;
    let text = printed(&hits);
    output::write(&text)?;
    let left = matches.total.saturating_sub(hits.len() as u64);
    // Where the first match starts that is not printed.
    let unprinted = matches.first.get(hits.len()).map(|found| found.range.start);
    let next = unprinted
        .or(matches.next)
        .filter(|_| source.page_bytes.is_some());
    if let Some(next) = next {
        let more = counted(left, "more match");
        output::diagnose(&format!("{more}; go on with the same and --from {next}"));
    }
    if args.json {
        return Ok(ExitCode::SUCCESS);
    }
    source.note(
        "artifacts search",
        TextSize::of(&String::from_utf8_lossy(&text)),
    );
    if next.is_none() && left > 0 {
        let more = counted(left, "more match");
        output::diagnose(&format!("{more}; raise --max to print them"));
    }
    if matches.total == 0 {
        let all = counted(artifact.bytes(), "byte");
        output::diagnose(&match args.from {
            0 => format!("no match in {all}"),
            from => format!("no match from byte {from} on, of {all}"),
        });
    }
    Ok(ExitCode::SUCCESS)
}

/// The matches, as many as are printed at a time; `size` tells how many bytes some take.
fn hits(
    found: &[Match],
    source: &Source,
    context: usize,
    size: impl Fn(&[Hit]) -> usize,
) -> Result<Vec<Hit>, Failure> {
    let most = source.page_bytes.unwrap_or(usize::MAX);
    let around = match source.page_bytes.is_some() || found.len() > USUAL_MATCHES {
        true => AROUND_BYTES_OF_MANY,
        false => AROUND_BYTES,
    };
    let mut hits = Vec::new();
    for found in found {
        hits.push(Hit::of(found, &source.artifact, context, around, most)?);
        if source.page_bytes.is_none() || size(&hits) <= most {
            continue;
        }
        if hits.len() > 1 {
            hits.pop();
            break;
        }
        // JSON writes one byte as up to six, and each line has its number before it.
        let mut room = most;
        while size(&hits) > most && room > 1 {
            room = output::less_room(room, most, size(&hits));
            let near = around.min(room / 2);
            hits = vec![Hit::of(found, &source.artifact, context, near, room)?];
        }
    }
    Ok(hits)
}

fn as_json(hits: &[Hit], total: u64) -> Value {
    let first = hits.iter().map(Hit::as_json).collect::<Vec<_>>();
    json!({"total": total, "matches": first})
}

fn as_text(hits: &[Hit], context: usize) -> Vec<u8> {
    let blocks = hits.iter().map(Hit::as_block);
    match context {
        0 => lines::of_matches(blocks),
        _ => lines::with_context(blocks),
    }
}

/// A match with the lines around it.
struct Hit {
    /// Counted from 1.
    line: u64,
    offset: u64,
    bytes: u64,
    /// Where the text begins.
    start: u64,
    text: Vec<u8>,
}

impl Hit {
    fn of(
        found: &Match,
        artifact: &OpenArtifact,
        context: usize,
        around: usize,
        most: usize,
    ) -> Result<Self, Failure> {
        let around = artifact.around(found.range.clone(), context, around)?;
        let start = around.start;
        let page = artifact.page(around, most)?;
        Ok(Self {
            start,
            line: found.line.saturating_add(1),
            offset: found.range.start,
            bytes: found.range.end.saturating_sub(found.range.start),
            text: page.bytes().to_vec(),
        })
    }

    fn as_block(&self) -> Block<'_> {
        Block {
            line: self.line,
            offset: self.offset,
            bytes: self.bytes,
            start: self.start,
            text: &self.text,
        }
    }

    fn as_json(&self) -> Value {
        json!({
            "line": self.line,
            "offset": self.offset,
            "bytes": self.bytes,
            "text": String::from_utf8_lossy(&self.text),
        })
    }
}

/// How many matches are printed where nobody says.
const USUAL_MATCHES: usize = 100;

/// The most that is shown before and after a match, for lines without an end.
const AROUND_BYTES: usize = 4_000;

/// The same where several matches are to fit a page, or there are many.
const AROUND_BYTES_OF_MANY: usize = 400;
