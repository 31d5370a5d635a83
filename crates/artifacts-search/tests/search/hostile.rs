//! Any text and any question: no panic, exact ranges, the same answer twice.

use artifacts_search::Expand;
use proptest::prelude::*;

fn piece() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("a"),
        Just("Foo_barBaz"),
        Just(" "),
        Just("\r\n"),
        Just("\u{301}"),
        Just("🇩🇪"),
        Just("क्षि"),
        Just("界界"),
        Just("ไทย"),
        Just("1.2"),
        Just("\u{0}"),
        Just("ß"),
        Just("İ"),
        Just("."),
        Just("_"),
        Just("'"),
        Just("the"),
    ]
}

proptest! {
    #[test]
    fn any_text_and_question_have_an_exact_answer(
        pieces in proptest::collection::vec(piece(), 0..200),
        times in 1..40_usize,
        question in proptest::collection::vec(piece(), 0..20),
        passages in 0..5_usize,
        budget in 0..5_000_u64,
    ) {
        let text = pieces.concat().repeat(times);
        let question = question.concat();
        let expand = Expand::of(passages).with_budget(budget);
        let answer = expand.answer(&text, &question)?;
        prop_assert!(answer.passages().len() <= passages);
        for passage in answer.passages() {
            prop_assert_eq!(text.get(passage.bytes()), Some(passage.text()));
            prop_assert!(passage.score().is_finite());
        }
        prop_assert_eq!(&answer, &expand.answer(&text, &question)?);
    }
}

#[test]
fn a_question_as_long_as_a_page_is_answered() {
    let question = "every word of this very long question counts ".repeat(200);
    let text = "nothing here\n".repeat(1_000);
    assert_eq!(
        Expand::default()
            .answer(&text, &question)
            .unwrap()
            .passages()
            .len(),
        3
    );
}

/// Each of these would take minutes if it took time by the square of its length.
#[test]
fn every_text_and_question_take_time_by_their_length() {
    let compound = format!("{}x", "abc_".repeat(1_500));
    let word = format!("a {}b", "a".repeat(20_000));
    for (text, question) in [
        ("E\u{301}".repeat(100_000), "e\u{301}"),
        ("1\u{fe0f}\u{20e3}".repeat(60_000), "1"),
        ("abc_".repeat(60_000), compound.as_str()),
        ("a".repeat(200_000), word.as_str()),
    ] {
        let answer = Expand::default().answer(&text, question).unwrap();
        assert_eq!(answer.passages().len(), 3);
    }
}

/// Half a minute, where each word of the question is compared with every word that tells nothing.
#[test]
fn a_question_of_a_repeated_word_takes_time_by_its_length() {
    let question = "disk ".repeat(200_000);
    let answer = Expand::default().answer("", &question).unwrap();
    assert!(answer.passages().is_empty());
}
