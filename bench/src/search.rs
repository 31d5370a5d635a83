//! What a question to one artifact costs beside hashing it.

use std::hint::black_box;

use artifacts_search::{Chunks, Expand};
use sha2::{Digest as _, Sha256};

use crate::data::Kind;
use crate::table::{interleaved, print};

/// A question from nothing, without an index, to artifacts of several sizes and kinds.
pub(crate) fn run() {
    let mut rows = Vec::new();
    for (kind, question) in CASES {
        for bytes in SIZES {
            let text = kind.text(bytes);
            let (sha, answered) = interleaved(
                ROUNDS,
                || Sha256::digest(black_box(text.as_bytes())),
                || Expand::default().answer(black_box(&text), question),
            );
            let (_, chunked) = interleaved(ROUNDS, || (), || Chunks::of(black_box(&text)).count());
            rows.push(vec![
                kind.name().to_string(),
                format!("{:.1} MB", text.len() as f64 / 1e6),
                format!("{:.1} ms", answered.median / 1e6),
                format!("{:.1}", answered.median / sha.median),
                format!("{:.1}", chunked.median / sha.median),
                format!("{:.0} %", 100.0 * answered.spread.max(sha.spread)),
            ]);
        }
    }
    println!("\nAnswer a question without an index; ratios of medians in this run:\n");
    let head = [
        "data",
        "size",
        "question",
        "to SHA-256",
        "chunks to SHA-256",
        "spread",
    ];
    print(&head, &rows);
}

const CASES: [(Kind, &str); 4] = [
    (Kind::Log, "Which worker was done with request 3fa91?"),
    (Kind::Json, "What is the tag of id 4711?"),
    (Kind::Cjk, "測定の結果は何ですか"),
    (Kind::Latin, "Où est la façade größer ?"),
];

const SIZES: [usize; 3] = [400_000, 4_000_000, 64_000_000];

const ROUNDS: usize = 5;
