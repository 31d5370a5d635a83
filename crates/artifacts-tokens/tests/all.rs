//! Counts that anyone with the vocabulary gets, and how far the estimate is from them.

use artifacts_core::{TokenEstimator, TokenWeights};
use artifacts_tokens::Tiktoken;

#[test]
fn a_vocabulary_is_counted_exactly() {
    let counts = |text: &str| {
        let vocabularies = [Tiktoken::o200k(), Tiktoken::cl100k()];
        vocabularies.map(|vocabulary| vocabulary.tokens(text))
    };
    assert_eq!(counts(""), [0, 0]);
    assert_eq!(counts("Hello, world!"), [4, 4]);
    assert_eq!(counts("1234567"), [3, 3]);
    assert_eq!(counts("日本語のテキスト"), [6, 8]);
}

#[test]
fn what_looks_like_a_special_token_is_text() {
    assert!(Tiktoken::o200k().tokens("<|endoftext|>") > 1);
}

#[test]
fn the_estimate_is_near_the_count_on_plain_text() {
    let text = "The second attempt finished without a warning. ".repeat(40);
    let exact = Tiktoken::o200k().tokens(&text);
    let estimated = TokenWeights::default().tokens(&text);
    assert!(
        estimated.abs_diff(exact) * 3 < exact,
        "{estimated} for {exact}"
    );
}

/// A pattern that looks ahead in a run of white space gives up after a million steps.
#[test]
fn a_run_of_a_million_spaces_is_counted() {
    let tokens = Tiktoken::o200k().tokens(&" ".repeat(1_000_000));
    assert!((5_000..20_000).contains(&tokens), "{tokens}");
}
