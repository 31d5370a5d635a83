//! A real model from a local folder. `cargo xtask weights` fetches it; without it these tests say
//! that they are skipped.

use std::path::Path;

use artifacts_search::{Embedder as _, ErrorKind, Expand, StaticEmbeddings, Vectors};

use crate::support::model::Model;

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

/// What loading the model says; none if it loads, and then it embeds.
fn refusal(model: &Model, spoil: impl FnOnce(&Path)) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("tiny");
    model.write(&folder);
    spoil(&folder);
    match StaticEmbeddings::load(&folder) {
        Ok(model) => {
            let text = "A physician, and 日本語 \0 none.";
            assert!(Vectors::of(text, &model).is_ok());
            None
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Embedder);
            Some(error.to_string())
        }
    }
}

#[test]
fn a_folder_that_is_no_whole_model_is_refused_with_the_reason() {
    let table = |dtype, shape: &[usize], bytes: Vec<u8>| {
        let mut model = Model::new();
        model.tensors = vec![("embeddings", dtype, shape.to_vec(), bytes)];
        model
    };
    let with = |name, dtype, bytes: Vec<u8>| {
        let mut model = Model::new();
        let size = if dtype == "I64" { 8 } else { 4 };
        model
            .tensors
            .push((name, dtype, vec![bytes.len() / size], bytes));
        model
    };
    let whole = Model::new();
    assert_eq!(refusal(&whole, |_| {}), None);
    assert_eq!(refusal(&table("I8", &[7, 2], vec![1; 14]), |_| {}), None);
    let mapping = [0_i64, 1, 2, 1, 2, 1, 2].map(i64::to_le_bytes).concat();
    assert_eq!(refusal(&with("mapping", "I64", mapping), |_| {}), None);

    let nan = f32::NAN.to_le_bytes().repeat(28);
    let far = [0_i64, 1, 2, 1, 2, 1, -1].map(i64::to_le_bytes).concat();
    let cut = |file: &'static str| {
        move |folder: &Path| {
            let file = std::fs::File::options().write(true).open(folder.join(file));
            file.unwrap().set_len(20).unwrap();
        }
    };
    let none = |_: &Path| {};
    let few = "model.safetensors has 3 embeddings, and tokenizer.json has tokens beyond that: the \
               two are of different models";
    // No snapshot: a run without the feature would not ask for it.
    for (refusal, why) in [
        (
            refusal(&whole, cut("model.safetensors")),
            "model.safetensors is truncated or no safetensors file",
        ),
        (
            refusal(&whole, cut("tokenizer.json")),
            "tokenizer.json is truncated or no JSON",
        ),
        (
            refusal(&whole, cut("config.json")),
            "config.json or tokenizer.json is not what Model2Vec models have",
        ),
        (refusal(&table("F32", &[3, 4], vec![0; 48]), none), few),
        (
            refusal(&table("F32", &[7, 0], vec![]), none),
            "the embeddings in model.safetensors are empty",
        ),
        (
            refusal(&table("F32", &[28], vec![0; 112]), none),
            "the embeddings in model.safetensors are no table",
        ),
        (
            refusal(&table("BF16", &[7, 4], vec![0; 56]), none),
            "the embeddings in model.safetensors are of type BF16, which is none of [F32, F16, I8]",
        ),
        (
            refusal(&table("F32", &[7, 4], nan), none),
            "the embeddings in model.safetensors have NaN or infinity among them",
        ),
        (
            refusal(
                &with("weights", "F32", f32::INFINITY.to_le_bytes().to_vec()),
                none,
            ),
            "the weights in model.safetensors have NaN or infinity among them",
        ),
        (
            refusal(&with("mapping", "I64", far), none),
            "model.safetensors has 7 embeddings, and tokenizer.json has tokens beyond that: the two \
             are of different models",
        ),
    ] {
        assert_eq!(
            refusal,
            Some(format!("no static embeddings in tiny: {why}"))
        );
    }
}

#[test]
fn a_changed_model_has_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = Model::new();
    model.write(folder.path());
    let name = |folder: &Path| StaticEmbeddings::load(folder).unwrap().name().to_owned();
    let first = name(folder.path());
    assert_eq!(name(folder.path()), first);
    // The row of a word that a probe would hardly ask for.
    if let Some(last) = model.tensors[0].3.last_mut() {
        *last ^= 0x40;
    }
    model.write(folder.path());
    assert_ne!(name(folder.path()), first);
}

#[test]
fn a_folder_that_is_not_there_is_named_in_one_line() {
    let error = StaticEmbeddings::load("/nowhere/at/all").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Embedder);
    let message =
        "no static embeddings in all: it needs config.json, model.safetensors and tokenizer.json";
    assert_eq!(error.to_string(), message);
}
