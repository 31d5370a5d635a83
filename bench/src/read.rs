//! Reading back: a page from anywhere in a large artifact, and searching beside ripgrep's searcher.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use artifacts_core::{ContentType, Measure, OpId};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ArtifactStore as _, LetterCase, OpenArtifact, Pattern, Selection,
};
use grep_regex::RegexMatcherBuilder;
use grep_searcher::SearcherBuilder;
use grep_searcher::sinks::Bytes;

use crate::data::Kind;
use crate::table::{interleaved, print};

/// Pages at five places of 1 GB, then searches of 64 MB.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    pages(folder.path())?;
    searches(folder.path())
}

/// After the first access a page takes as long wherever it begins.
fn pages(folder: &Path) -> Result<(), Box<dyn Error>> {
    let dir = ArtifactDir::at(folder.join("pages.artifacts"));
    let (artifact, lines) = store_large(&dir)?;
    let start = Instant::now();
    let opened = dir.open(&artifact)?;
    let verified = start.elapsed();
    let start = Instant::now();
    black_box(opened.locate(&Selection::lines(lines..lines + 1))?);
    let found = start.elapsed();
    println!(
        "\nFirst access to {} bytes: {} ms to verify them, {} ms to find where its {lines} lines are.",
        artifact.bytes(),
        verified.as_millis(),
        found.as_millis()
    );
    let mut rows = Vec::new();
    for (unit, units) in [("bytes", artifact.bytes()), ("lines", lines)] {
        let mut times = Vec::new();
        for quarters in 0..=4 {
            let page = || page(&opened, unit, units * quarters / 4);
            let (_, taken) = interleaved(PAGE_ROUNDS, || (), page);
            times.push(taken.fast);
        }
        let (least, most) = times
            .iter()
            .fold((f64::MAX, 0.0_f64), |(least, most), time| {
                (least.min(*time), most.max(*time))
            });
        let mut row = vec![unit.to_string()];
        row.extend(times.iter().map(|time| format!("{:.1} us", time / 1e3)));
        row.push(format!("{:.2}", most / least));
        rows.push(row);
    }
    println!(
        "\nA page of {PAGE_BYTES} bytes, the fastest tenth of {PAGE_ROUNDS} reads, by where it begins:\n"
    );
    let head = ["by", "start", "1/4", "1/2", "3/4", "end", "most to least"];
    print(&head, &rows);
    Ok(())
}

/// The page that begins at `start`, or, near the end, the last one.
fn page(artifact: &OpenArtifact, unit: &str, start: u64) -> Result<usize, Box<dyn Error>> {
    let start = match unit {
        "lines" => {
            artifact
                .locate(&Selection::lines(start..start + LINES))?
                .start
        }
        _ => start,
    };
    let last = artifact.bytes() - 2 * PAGE_BYTES as u64;
    let range = start.min(last)..u64::MAX;
    let length = artifact.page(range, PAGE_BYTES)?.bytes().len();
    match length {
        0 => Err("an empty page".into()),
        length => Ok(length),
    }
}

/// 1 GB of lines, and how many they are.
fn store_large(dir: &ArtifactDir) -> Result<(ArtifactRef, u64), Box<dyn Error>> {
    let piece = Kind::Log.text(8_000_000);
    let piece_lines = Measure::of(&piece).lines();
    let mut writer = dir.writer(&OpId::new("large"), ContentType::Text)?;
    let (mut bytes, mut lines) = (0, 0);
    while bytes < 1_000_000_000 {
        writer.write(piece.as_bytes())?;
        bytes += piece.len();
        lines += piece_lines;
    }
    Ok(((&writer.commit()?).into(), lines))
}

fn searches(folder: &Path) -> Result<(), Box<dyn Error>> {
    let path = folder.join("searches.artifacts");
    let dir = ArtifactDir::at(&path);
    let mut rows = Vec::new();
    for (kind, expression, case) in SEARCHES {
        let text = kind.text(SEARCH_BYTES);
        let stored = dir.store(&OpId::new(kind.name()), ContentType::Text, text.as_bytes())?;
        let opened = dir.open(&(&stored).into())?;
        let pattern = Pattern::new(expression, *case)?;
        let matcher = RegexMatcherBuilder::new()
            .line_terminator(Some(b'\n'))
            .case_insensitive(*case == LetterCase::Ignored)
            .build(expression)?;
        let mut searcher = SearcherBuilder::new().line_number(true).build();
        let file = path.join(stored.name().as_str());
        let (mut found, mut lines) = (0, 0);
        let (theirs, ours) = interleaved(
            SEARCH_ROUNDS,
            || {
                lines = 0;
                let count = Bytes(|_, line| {
                    black_box(line);
                    lines += 1;
                    Ok(true)
                });
                searcher.search_path(&matcher, &file, count).is_ok()
            },
            || {
                let matches = opened.search(&pattern, 0..u64::MAX, 20);
                found = matches.map_or(0, |matches| matches.total);
            },
        );
        let speed = |time: f64| format!("{:.2}", text.len() as f64 / time);
        rows.push(vec![
            format!(
                "{}, {}",
                kind.name(),
                if text.contains('\n') {
                    "lines"
                } else {
                    "one line"
                }
            ),
            format!("`{}`", expression.replace('|', "\\|")),
            found.to_string(),
            lines.to_string(),
            speed(theirs.median),
            speed(ours.median),
            format!("{:.2}", theirs.median / ours.median),
            format!("{:.2}", theirs.fast / ours.fast),
            format!("{:.0} %", 100.0 * theirs.spread.max(ours.spread)),
        ]);
    }
    println!(
        "\nSearch {SEARCH_BYTES} bytes for a regular expression, {SEARCH_ROUNDS} rounds of each in turn:\n"
    );
    let head = [
        "data",
        "pattern",
        "matches",
        "matching lines",
        "grep-searcher GB/s",
        "search GB/s",
        "speed to theirs",
        "fastest tenth",
        "spread",
    ];
    print(&head, &rows);
    Ok(())
}

const PAGE_BYTES: usize = 16_384;
const PAGE_ROUNDS: usize = 101;

/// More lines than a page has.
const LINES: u64 = 1_000;

const SEARCH_BYTES: usize = 64_000_000;
const SEARCH_ROUNDS: usize = 11;

const SEARCHES: &[(Kind, &str, LetterCase)] = &[
    (Kind::Log, "not in there", LetterCase::Exact),
    (Kind::Log, "worker-3: done 1[0-9a-f]{2}7", LetterCase::Exact),
    (
        Kind::Log,
        "(?:error|panic|fatal).*[0-9]",
        LetterCase::Ignored,
    ),
    (Kind::Log, "INFO", LetterCase::Exact),
    (Kind::Json, "not in there", LetterCase::Exact),
    (Kind::Json, "\"id\":47[0-9]{3},", LetterCase::Exact),
    (
        Kind::Json,
        "(?:error|panic|fatal).*[0-9]",
        LetterCase::Ignored,
    ),
    (Kind::Cjk, "結果です。文字データ長い", LetterCase::Exact),
];
