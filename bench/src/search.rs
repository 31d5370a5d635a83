//! What a question to one artifact costs beside hashing it.

#[cfg(feature = "static-embeddings")]
mod hybrid;

use std::hint::black_box;

use artifacts_search::{Chunks, Expand};
use sha2::{Digest as _, Sha256};

use crate::core::memory_bytes;
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
            let peak = peak_bytes(|| Expand::default().answer(black_box(&text), question));
            let (_, chunked) = interleaved(ROUNDS, || (), || Chunks::of(black_box(&text)).count());
            rows.push(vec![
                kind.name().to_string(),
                format!("{:.1} MB", text.len() as f64 / 1e6),
                format!("{:.1} ms", answered.median / 1e6),
                format!("{:.1}", answered.median / sha.median),
                format!("{:.1}", chunked.median / sha.median),
                peak.map_or("unknown".to_string(), |peak| {
                    format!("{:.2}", 1.0 + peak / text.len() as f64)
                }),
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
        "memory to the artifact",
        "spread",
    ];
    print(&head, &rows);
    #[cfg(feature = "static-embeddings")]
    hybrid::run();
}

/// How much more than before the process holds at most while `work` runs; where the kernel tells.
fn peak_bytes<T>(work: impl FnOnce() -> T) -> Option<f64> {
    // Resets the peak, which is else that of all the time before.
    #[expect(
        clippy::disallowed_methods,
        reason = "a file of the kernel, not an artifact"
    )]
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = memory_bytes("VmRSS")?;
    black_box(work());
    Some(memory_bytes("VmHWM")?.saturating_sub(before) as f64)
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

const SIZES: [usize; 3] = [400_000, 4_000_000, 64_000_000];

const ROUNDS: usize = 5;
