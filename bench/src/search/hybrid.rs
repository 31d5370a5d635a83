//! What vectors add to a question: the first to an artifact, and a later one.

use std::hint::black_box;

use artifacts_search::{Expand, Vectors};

use super::CASES;
use crate::eval::embedder;
use crate::table::{interleaved, print};

/// The first question embeds; a later one reads the vectors that were kept.
pub(super) fn run() {
    let Some(embedder) = embedder() else { return };
    let mut rows = Vec::new();
    for (kind, question) in CASES {
        let text = kind.text(BYTES);
        let expand = Expand::default();
        let ask = |vectors: &Vectors| expand.answer_with(&text, question, vectors, embedder);
        let (alone, first) = interleaved(
            1,
            || Vectors::of(black_box(&text), embedder),
            || {
                let vectors = Vectors::of(black_box(&text), embedder).ok()?;
                ask(&vectors)
                    .ok()
                    .map(|answer| (answer, vectors.to_bytes()))
            },
        );
        let kept = Vectors::of(&text, embedder).map(|vectors| vectors.to_bytes());
        let kept = kept.unwrap_or_default();
        let (lexical, later) = interleaved(
            5,
            || expand.answer(black_box(&text), question),
            || Vectors::from_bytes(black_box(&kept), embedder).map(|vectors| ask(&vectors).is_ok()),
        );
        rows.push(vec![
            kind.name().to_string(),
            format!("{:.1} MB", text.len() as f64 / 1e6),
            format!("{:.0} ms", alone.median / 1e6),
            format!("{:.2}", first.median / alone.median),
            format!("{:.2}", later.median / lexical.median),
        ]);
    }
    println!("\nThe same with static embeddings; ratios of medians in this run:\n");
    let head = [
        "data",
        "size",
        "embedding alone",
        "first question to that",
        "later question to one by words",
    ];
    print(&head, &rows);
}

const BYTES: usize = 4_000_000;
