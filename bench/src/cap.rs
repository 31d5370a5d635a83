//! What capping tool text for a summarizer costs beside counting its grapheme clusters.

use std::hint::black_box;

use artifacts_core::Measure;
use compactor_cap::{Message, Part, ToolResult, ToolResultCap, cap};

use crate::data::Kind;
use crate::table::{interleaved, print};

/// 64 MB of tool text in results of several sizes: capping all of it against the count, and also
/// reading the summarizer's text.
pub(crate) fn run() {
    let cap_by_default = ToolResultCap::default();
    let mut rows = Vec::new();
    for (kind, result_bytes) in CASES {
        let messages = conversation(*kind, *result_bytes);
        let bytes: usize = messages.iter().map(|message| message.0.len()).sum();
        let counting = || {
            let graphemes = |message: &Output| Measure::of(black_box(&message.0)).graphemes();
            messages.iter().map(graphemes).sum::<u64>()
        };
        let capping = || cap(black_box(&messages), &cap_by_default);
        let (count, capped) = interleaved(ROUNDS, counting, capping);
        let (beside, read) = interleaved(ROUNDS, counting, || {
            let text = capping();
            text.pieces().map(|piece| piece.len()).sum::<usize>()
        });
        rows.push(vec![
            kind.name().to_string(),
            messages.len().to_string(),
            format!("{:.2}", bytes as f64 / count.median),
            format!("{:.2}", bytes as f64 / capped.median),
            format!("{:.2}", capped.median / count.median),
            format!("{:.2}", capped.fast / count.fast),
            format!(
                "{:.0}",
                (capped.fast - count.fast) / messages.len().max(1) as f64
            ),
            format!("{:.2}", read.fast / beside.fast),
            format!("{:.0} %", 100.0 * count.spread.max(capped.spread)),
        ]);
    }
    println!(
        "\nCap {BYTES} bytes of tool text, {ROUNDS} rounds of each in turn; ratios in this run:\n"
    );
    let head = [
        "data",
        "results",
        "count GB/s",
        "cap GB/s",
        "to the count",
        "fastest tenth",
        "ns more a result",
        "and read",
        "spread",
    ];
    print(&head, &rows);
}

/// A message that is one result.
struct Output(String);

impl Message for Output {
    fn role(&self) -> &str {
        "tool"
    }

    fn parts(&self) -> Vec<Part<'_>> {
        vec![Part::Result(
            ToolResult::new(&self.0).with_call_id("call-1"),
        )]
    }
}

fn conversation(kind: Kind, result_bytes: usize) -> Vec<Output> {
    let text = kind.text(result_bytes);
    let count = BYTES.div_ceil(text.len());
    (0..count).map(|_| Output(text.clone())).collect()
}

const BYTES: usize = 64_000_000;

const ROUNDS: usize = 41;

const CASES: &[(Kind, usize)] = &[
    (Kind::Log, BYTES),
    (Kind::Log, 400_000),
    (Kind::Log, 16_000),
    (Kind::Log, 4_000),
    (Kind::LogCrlf, 16_000),
    (Kind::LogCrlf, 1_500),
    (Kind::Ansi, 16_000),
    (Kind::Json, BYTES),
    (Kind::Json, 16_000),
    (Kind::Latin, 16_000),
    (Kind::Cjk, 16_000),
    (Kind::Hindi, 16_000),
    (Kind::Emoji, 16_000),
];
