//! `expand` with static embeddings from the folder that `cargo xtask weights` fills.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use artifacts_search::{Expand, StaticEmbeddings, Vectors};

/// The passages with embeddings; none where there are no weights.
pub(crate) fn expand(text: &str, question: &str, passages: usize, budget: usize) -> Vec<String> {
    let Some(embedder) = embedder() else {
        return Vec::new();
    };
    let Some(vectors) = vectors(text, embedder) else {
        return Vec::new();
    };
    let expand = Expand::of(passages).with_budget(budget as u64);
    let answer = expand.answer_with(text, question, || Ok(vectors), embedder);
    let passages = answer.iter().flat_map(|answer| answer.passages());
    passages.map(|passage| passage.text().to_owned()).collect()
}

/// The embeddings, loaded once.
pub(crate) fn embedder() -> Option<&'static StaticEmbeddings> {
    static LOADED: OnceLock<Option<StaticEmbeddings>> = OnceLock::new();
    LOADED
        .get_or_init(|| match StaticEmbeddings::load(FOLDER) {
            Ok(embedder) => Some(embedder),
            Err(error) => {
                println!("skipped: {error}: run `cargo xtask weights`");
                None
            }
        })
        .as_ref()
}

/// The vectors of a text, made once.
fn vectors(text: &str, embedder: &StaticEmbeddings) -> Option<Arc<Vectors>> {
    thread_local! {
        static MADE: RefCell<BTreeMap<(usize, usize), Arc<Vectors>>> = RefCell::default();
    }
    let key = (text.as_ptr().addr(), text.len());
    MADE.with_borrow_mut(|made| {
        if let Some(vectors) = made.get(&key) {
            return Some(Arc::clone(vectors));
        }
        let vectors = Arc::new(Vectors::of(text, embedder).ok()?);
        made.insert(key, Arc::clone(&vectors));
        Some(vectors)
    })
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/weights/wordllama");
