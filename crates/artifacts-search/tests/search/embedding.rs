//! Vectors beside words: where words decide, and where meanings do (SPEC 7.3).

use artifacts_search::{Embedder, Error, ErrorKind, Expand, Vectors};

/// Knows that some words mean the same, and nothing else.
#[derive(Debug)]
struct Thesaurus;

const MEANINGS: [&[&str]; 3] = [
    &["cost", "price", "expensive", "pay"],
    &["rain", "storm", "weather"],
    &["wheel", "engine", "car"],
];

impl Embedder for Thesaurus {
    fn name(&self) -> &str {
        "thesaurus 1"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let count = |text: &str, words: &[&str]| {
            let counts = words.iter().map(|word| text.matches(word).count());
            counts.sum::<usize>() as f32
        };
        let vector = |text: &&str| MEANINGS.iter().map(|words| count(text, words)).collect();
        Ok(texts.iter().map(vector).collect())
    }
}

/// Gives what it is told to give.
#[derive(Debug)]
struct Broken(Vec<Vec<f32>>);

impl Embedder for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        Ok(self.0.iter().cycle().take(texts.len()).cloned().collect())
    }
}

fn document() -> String {
    let filler = "The committee met again and nothing was decided about it.\n".repeat(120);
    let costs = "A ticket has the price of nine coins.\n";
    let storms = "Behind the hills a storm rises.\n";
    [&filler, costs, &filler, storms, &filler].concat()
}

#[track_caller]
fn answer(question: &str) -> (String, String) {
    let text = document();
    let vectors = Vectors::of(&text, &Thesaurus).unwrap();
    let expand = Expand::of(1);
    let without = expand.answer(&text, question).unwrap().to_string();
    let with = expand.answer_with(&text, question, || Ok(&vectors), &Thesaurus);
    (without, with.unwrap().to_string())
}

#[test]
fn other_words_for_the_same_are_found_by_their_meaning() {
    let (without, with) = answer("How expensive?");
    assert!(!without.contains("nine coins"));
    assert!(with.contains("nine coins"));
    let (_, with) = answer("bad weather");
    assert!(with.contains("a storm rises"));
}

#[test]
fn where_the_words_are_found_vectors_change_nothing() {
    for question in [
        "storm hills",
        "What price has a ticket?",
        "committee decided",
    ] {
        let (without, with) = answer(question);
        assert_eq!(with, without, "{question}");
    }
}

#[test]
fn where_the_words_are_found_vectors_are_not_asked_for() {
    let text = document();
    let mut asked = 0;
    for question in ["storm hills", "bad weather"] {
        let vectors = || {
            asked += 1;
            Vectors::of(&text, &Thesaurus)
        };
        Expand::of(1)
            .answer_with(&text, question, vectors, &Thesaurus)
            .unwrap();
    }
    assert_eq!(asked, 1, "for the bad weather");
}

#[test]
fn a_vector_without_a_direction_is_no_number_that_is_none() {
    let (without, with) = answer("xyzzy");
    assert_eq!(with, without, "the question means nothing");
    let text = document();
    let zero = Broken(vec![vec![0.0, 0.0]]);
    let vectors = Vectors::of(&text, &zero).unwrap();
    let answer = Expand::of(3)
        .answer_with(&text, "xyzzy", || Ok(&vectors), &zero)
        .unwrap();
    assert!(
        answer
            .passages()
            .iter()
            .all(|passage| passage.score().is_finite())
    );
    let large = Broken(vec![vec![f32::MAX, f32::MAX]]);
    let vectors = Vectors::of(&text, &large).unwrap();
    let answer = Expand::of(3)
        .answer_with(&text, "xyzzy", || Ok(&vectors), &large)
        .unwrap();
    assert!(
        answer
            .passages()
            .iter()
            .all(|passage| passage.score().is_finite())
    );
}

#[test]
fn vectors_that_do_not_fit_together_are_refused() {
    let text = document();
    for vectors in [
        vec![vec![1.0], vec![1.0, 2.0]],
        vec![vec![]],
        vec![vec![f32::NAN, 1.0]],
        vec![vec![f32::INFINITY, 1.0]],
        vec![],
    ] {
        let error = Vectors::of(&text, &Broken(vectors)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Embedder);
        insta::assert_snapshot!("vectors_that_do_not_fit", error);
    }
    let vectors = Vectors::of(&text, &Thesaurus).unwrap();
    let other = Broken(vec![vec![1.0, 2.0, 3.0]]);
    let answer = Expand::of(1).answer_with(&text, "xyzzy", || Ok(&vectors), &other);
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Embedder);
}

#[test]
fn vectors_are_kept_as_bytes_and_other_bytes_are_none() {
    let text = document();
    let vectors = Vectors::of(&text, &Thesaurus).unwrap();
    assert_eq!(vectors.len(), text.len().div_ceil(250));
    let bytes = vectors.to_bytes();
    assert_eq!(
        Vectors::from_bytes(bytes.clone(), &Thesaurus).as_ref(),
        Some(&vectors)
    );
    assert_eq!(Vectors::from_bytes(bytes.clone(), &Broken(vec![])), None);
    for length in 0..bytes.len() {
        assert_eq!(
            Vectors::from_bytes(bytes[..length].to_vec(), &Thesaurus),
            None,
            "{length}"
        );
    }
    assert_eq!(
        Vectors::from_bytes([&bytes[..], b"x"].concat(), &Thesaurus),
        None
    );
    let huge = [&bytes[..19], &[0xFF; 24][..], &bytes[43..]].concat();
    assert_eq!(Vectors::from_bytes(huge, &Thesaurus), None);
    let empty = Vectors::of("", &Thesaurus).unwrap();
    assert!(empty.is_empty());
    assert_eq!(
        Vectors::from_bytes(empty.to_bytes(), &Thesaurus),
        Some(empty)
    );
}
