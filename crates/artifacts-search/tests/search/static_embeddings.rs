//! A real model from a local folder. `cargo xtask weights` fetches it; without it these tests say
//! that they are skipped.

use artifacts_search::{Embedder as _, ErrorKind, Expand, StaticEmbeddings, Vectors};

fn model() -> Option<StaticEmbeddings> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../target/weights/wordllama"
    );
    if std::fs::metadata(folder).is_err() {
        eprintln!("skipped: static embeddings, run `cargo xtask weights`");
        return None;
    }
    Some(StaticEmbeddings::load(folder).unwrap())
}

#[test]
fn a_question_in_other_words_is_answered() {
    let Some(model) = model() else { return };
    let filler = "The committee met again and nothing was decided about the agenda.\n".repeat(120);
    let fact = "The physician prescribed a remedy against the fever.\n";
    let text = [&filler, fact, &filler, &filler].concat();
    let question = "Which medicine did the doctor give?";
    let vectors = Vectors::of(&text, &model).unwrap();
    let answer = Expand::of(1).answer_with(&text, question, || Ok(&vectors), &model);
    assert!(answer.unwrap().to_string().contains(fact));
    let lexical = Expand::of(1).answer(&text, question).unwrap();
    assert!(!lexical.to_string().contains(fact));
}

#[test]
fn the_same_folder_has_the_same_name_and_vectors() {
    let (Some(one), Some(other)) = (model(), model()) else {
        return;
    };
    assert_eq!(one.name(), other.name());
    assert!(one.name().starts_with("static embeddings wordllama "));
    let texts = ["", "\0", "naïve 日本語 👩‍💻", "x"];
    assert_eq!(one.embed(&texts).unwrap(), other.embed(&texts).unwrap());
    assert_eq!(one.embed(&texts).unwrap().len(), texts.len());
}

#[test]
fn a_folder_without_a_model_is_named_in_one_line() {
    let error = StaticEmbeddings::load("/nowhere/at/all").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Embedder);
    // No snapshot: a run without the feature would not ask for it.
    let message =
        "no static embeddings in all: it needs config.json, model.safetensors and tokenizer.json";
    assert_eq!(error.to_string(), message);
}
