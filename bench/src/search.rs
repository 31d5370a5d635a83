//! What a question to one artifact costs beside hashing it.

#[cfg(feature = "static-embeddings")]
mod hybrid;
mod memory;

use std::hint::black_box;

use artifacts_search::{Chunks, Expand};
use sha2::{Digest as _, Sha256};

use crate::data::Kind;
use crate::table::{interleaved_work, print};

pub(crate) use memory::print_peak;

/// A question from nothing, without an index, to artifacts of several sizes and kinds.
pub(crate) fn run() {
    let mut rows = Vec::new();
    for (kind, question) in CASES {
        for (bytes, rounds) in SIZES {
            let text = kind.text(bytes);
            let (sha, answered) = interleaved_work(
                rounds,
                || Sha256::digest(black_box(text.as_bytes())),
                || Expand::default().answer(black_box(&text), question),
            );
            let (_, chunked) = interleaved_work(
                1,
                || (),
                || Chunks::of(black_box(&text)).map(|chunk| chunk.end).max(),
            );
            rows.push(vec![
                kind.name().to_string(),
                format!("{:.1} MB", text.len() as f64 / 1e6),
                format!("{:.1} ms", answered.median / 1e6),
                format!("{:.1}", answered.median / sha.median),
                format!("{:.1}", answered.fast / sha.fast),
                format!("{:.1}", chunked.fast / sha.fast),
                memory::of_question(kind, bytes),
                format!("{:.0} %", 100.0 * answered.spread.max(sha.spread)),
            ]);
        }
    }
    println!("\nAnswer a question without an index; ratios of processor time in this run:\n");
    let head = [
        "data",
        "size",
        "question",
        "to SHA-256, median",
        "undisturbed",
        "chunks to SHA-256",
        "memory to the artifact",
        "spread",
    ];
    print(&head, &rows);
    #[cfg(feature = "static-embeddings")]
    hybrid::run();
}

const CASES: [(Kind, &str); 7] = [
    (Kind::Log, "Which worker was done with request 3fa91?"),
    (Kind::Json, "What is the tag of id 4711?"),
    (Kind::Cjk, "測定の結果は何ですか"),
    (Kind::LogCrlf, "Which GET /items had 404?"),
    (Kind::Hindi, "परिणाम का क्षेत्र क्या है"),
    (Kind::Emoji, "what is done 👍🏽"),
    (Kind::Latin, "Où est la façade größer ?"),
];

/// Bytes, and how often each is asked.
const SIZES: [(usize, usize); 3] = [(400_000, 15), (4_000_000, 9), (64_000_000, 3)];
