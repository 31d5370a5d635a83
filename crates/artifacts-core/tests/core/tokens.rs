//! The token estimate: for every text, the same each time, at a bounded cost (SPEC 1.6).

use artifacts_core::{TokenEstimator, TokenFeatures, TokenWeights};
use proptest::prelude::*;

use super::strings::hard_string;

fn tokens(text: &str) -> u64 {
    TokenWeights::default().tokens(text)
}

/// What [`TokenFeatures::of`] counts in `text`, without what it does not find.
fn found(text: &str) -> String {
    let features = TokenFeatures::of(text);
    let named = TokenFeatures::NAMES.iter().zip(features.counts());
    let found = named.filter(|(_, count)| **count > 0);
    let found = found.map(|(name, count)| format!("{count} {name}"));
    format!("{text:?}: {}\n", found.collect::<Vec<_>>().join(", "))
}

#[test]
fn what_costs_tokens_is_counted() {
    let texts = [
        "a word, two words\n\n",
        "internationalisation",
        "HTTPServer getURL x86_64",
        "at 12:00 and 1234567",
        "    indented\t\tby tabs",
        "----------------------------------------------------------------------\n",
        "======== -> --",
        "\x1b[31mred\x1b[0m",
        "Größe und Übung",
        "Сборка шла шесть минут",
        "η γραμμή",
        "السلام عليكم",
        "क्षेत्र में",
        "ภาษาไทย",
        "ພາສາລາວ ភាសាខ្មែរ မြန်မာစာ",
        "カタカナと漢字",
        "한국어 문장",
        "\u{1112}\u{1161}\u{11ab}",
        "e\u{301}",
        "├──── “quoted” …",
        "👩‍💻🇩🇪",
        "አማርኛ",
    ];
    insta::assert_snapshot!(texts.map(found).concat());
}

#[test]
fn long_runs_of_one_sign_cost_about_what_a_vocabulary_takes_for_them() {
    for (sign, length, least, most) in [
        ("-", 80, 1, 8),
        ("=", 1_000, 10, 40),
        (" ", 10_000, 40, 160),
        ("\n", 10_000, 300, 1_300),
        ("─", 1_000, 30, 130),
        ("\0", 10_000, 2_500, 10_000),
    ] {
        let tokens = tokens(&sign.repeat(length));
        assert!(
            (least..=most).contains(&tokens),
            "{sign:?} {length}: {tokens}"
        );
    }
}

#[test]
fn scripts_without_spaces_are_not_taken_for_four_characters_a_token() {
    for text in ["结果太长", "結果が長すぎる", "결과가 너무 깁니다"] {
        let chars = text.chars().count() as u64;
        assert!(tokens(text) * 2 >= chars, "{text}");
    }
}

#[test]
fn a_large_text_has_as_many_tokens_to_a_byte_as_its_parts() {
    let line = "2026-01-01T00:00:00Z INFO worker-7: GET /items/3fa91 took 41 ms, ψηφία 結果\n";
    let small = line.repeat(1_000);
    assert!(small.len() < TokenWeights::WHOLE_BYTES);
    let large = line.repeat(100_000);
    let expected = tokens(&small) * 100;
    assert!(tokens(&large).abs_diff(expected) * 50 < expected);
    // Half of it is another text.
    let mixed = ["漢".repeat(large.len() / 3), large].concat();
    let expected = expected + tokens(&"漢".repeat(1_000)) * (mixed.len() as u64 / 6_000);
    assert!(tokens(&mixed).abs_diff(expected) * 20 < expected);
}

#[test]
fn weights_are_given_and_shown_by_name() {
    let mut milli_tokens = [0; TokenFeatures::NAMES.len()];
    milli_tokens[0] = 1_500;
    let weights = TokenWeights::new(milli_tokens);
    assert_eq!(weights.tokens("three plain words"), 5);
    assert_eq!(weights.tokens("。"), 1, "no text has none");
    assert_eq!(weights.milli_tokens()[0], 1_500);
    assert!(format!("{weights:?}").starts_with("{\"words\": 1500,"));
}

proptest! {
    #[test]
    fn every_text_has_an_estimate_within_what_its_bytes_allow(text in hard_string(0..200)) {
        let estimate = tokens(&text);
        prop_assert_eq!(estimate == 0, text.is_empty());
        // No vocabulary of byte pairs needs more than a token for each byte, nor the estimate
        // more than that and what the rarest signs are rounded to.
        prop_assert!(estimate <= 2 * text.len() as u64, "{estimate}");
        prop_assert_eq!(tokens(&text), estimate);
    }
}
