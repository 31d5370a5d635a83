//! What vectors add to a question: the first to an artifact, and a later one.

use std::error::Error;
use std::hint::black_box;

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _};
use artifacts_search::{Embedder as _, Expand, StaticEmbeddings, Vectors};

use crate::clock::Clock;
use crate::data::Kind;
use crate::eval::embedder;
use crate::table::{interleaved_work, print};

/// The first question embeds; a later one reads the vectors that were kept, and checks them.
pub(super) fn run() {
    let Some(embedder) = embedder() else { return };
    let mut rows = Vec::new();
    for (kind, question) in CASES {
        match measured(kind, question, embedder) {
            Ok(row) => rows.push(row),
            Err(error) => println!("{}: {error}", kind.name()),
        }
    }
    println!(
        "\nA question in other words, with static embeddings; ratios of processor time in this run:\n"
    );
    let head = [
        "data",
        "size",
        "embedding alone",
        "first question to that",
        "question by words",
        "later question to that, median",
        "undisturbed",
    ];
    print(&head, &rows);
}

fn measured(
    kind: Kind,
    question: &str,
    embedder: &StaticEmbeddings,
) -> Result<Vec<String>, Box<dyn Error>> {
    let text = kind.text(BYTES);
    let folder = tempfile::tempdir_in(".")?;
    let dir = ArtifactDir::at(folder.path().join("asked.artifacts"));
    let stored = dir.store(&OpId::new("asked"), ContentType::Text, text.as_bytes())?;
    let artifact: ArtifactRef = (&stored).into();
    let expand = Expand::default();

    let start = Clock::Processor.now();
    let vectors = Vectors::of(black_box(&text), embedder)?;
    let alone = Clock::Processor.now().saturating_sub(start).as_nanos() as f64;
    expand.answer_with(&text, question, || Ok(&vectors), embedder)?;
    dir.cache(&artifact, embedder.name(), &vectors.to_bytes())?;
    let first = Clock::Processor.now().saturating_sub(start).as_nanos() as f64;
    drop(vectors);

    let mut read = 0;
    let mut kept = || {
        let bytes = dir.cached(&artifact, embedder.name()).unwrap_or_default();
        let vectors = Vectors::from_bytes(bytes, embedder);
        read += usize::from(vectors.is_some());
        vectors.map_or_else(|| Vectors::of("", embedder), Ok)
    };
    let (lexical, later) = interleaved_work(
        ROUNDS,
        || expand.answer(black_box(&text), question),
        || expand.answer_with(black_box(&text), question, &mut kept, embedder),
    );
    if read != ROUNDS + 1 {
        return Err("the question needs no vectors: ask another".into());
    }
    Ok(vec![
        kind.name().to_string(),
        format!("{:.1} MB", text.len() as f64 / 1e6),
        format!("{:.0} ms", alone / 1e6),
        format!("{:.2}", first / alone),
        format!("{:.1} ms", lexical.median / 1e6),
        format!("{:.2}", later.median / lexical.median),
        format!("{:.2}", later.fast / lexical.fast),
    ])
}

const CASES: [(Kind, &str); 7] = [
    (Kind::Log, "Who finished the job quickest?"),
    (Kind::Json, "Which labels were approved by somebody?"),
    (Kind::Cjk, "誰が装置を壊したか"),
    (Kind::LogCrlf, "Which pages did nobody manage to load?"),
    (Kind::Hindi, "कौनसी पुस्तक पढ़ी गई थी"),
    (Kind::Emoji, "Who felt happy about it?"),
    (Kind::Latin, "Quel bâtiment fut démoli hier ?"),
];

const BYTES: usize = 4_000_000;

const ROUNDS: usize = 9;
