//! The text of an answer, its order, its budget (SPEC 7.2).

use artifacts_core::Measure;
use artifacts_search::{Answer, Chunks, Decoded, Expand};

/// A text of `paragraphs` numbered paragraphs of 875 characters, with `facts` at given ones.
fn text(paragraphs: usize, facts: &[(usize, &str)]) -> String {
    (0..paragraphs)
        .map(|number| {
            let fact = facts.iter().find(|(at, _)| *at == number);
            let fact = fact.map_or("", |(_, fact)| fact);
            format!("{number:04} {fact:.<868}\n\n")
        })
        .collect()
}

#[test]
fn the_best_passages_are_joined_in_the_order_of_the_text() {
    let text = text(
        20,
        &[
            (3, "the red fox"),
            (9, "the red red fox fox runs"),
            (16, "a fox"),
        ],
    );
    let answer = Expand::of(3)
        .answer(&text, "Where is the red fox?")
        .unwrap();
    let starts: Vec<usize> = answer
        .passages()
        .iter()
        .map(|passage| passage.bytes().start)
        .collect();
    assert!(starts.is_sorted());
    let shown = answer.to_string();
    assert_eq!(shown.matches("\n\n---\n\n").count(), 2);
    assert!(
        ["the red fox", "runs", "a fox"]
            .iter()
            .all(|fact| shown.contains(fact))
    );
    for passage in answer.passages() {
        assert_eq!(&text[passage.bytes()], passage.text());
        assert!(passage.score() > 0.0);
    }
}

#[test]
fn more_passages_than_chunks_are_all_chunks_once() {
    let text = text(4, &[]);
    let answer = Expand::of(50).answer(&text, "anything").unwrap();
    let chunks: Vec<usize> = answer
        .passages()
        .iter()
        .map(|passage| passage.chunk())
        .collect();
    assert_eq!(chunks, [0, 1]);
}

#[test]
fn ties_are_broken_by_the_order_of_the_text() {
    let text = text(20, &[]);
    for question in ["nothing of this", "", "?", "の"] {
        let answer = Expand::default().answer(&text, question).unwrap();
        let chunks: Vec<usize> = answer
            .passages()
            .iter()
            .map(|passage| passage.chunk())
            .collect();
        assert_eq!(chunks, [0, 1, 2], "{question:?}");
    }
}

#[test]
fn an_empty_text_has_an_empty_answer() {
    let answer = Expand::default().answer("", "anything").unwrap();
    assert_eq!(
        (answer.passages().len(), answer.to_string()),
        (0, String::new())
    );
}

#[test]
fn the_budget_holds_and_keeps_what_answers() {
    let text = text(
        40,
        &[
            (5, "the blue whale"),
            (20, "a whale that is blue"),
            (33, "whale"),
        ],
    );
    for budget in [50, 500, 2_000, 2_500, 4_500, 6_000] {
        let expand = Expand::of(3).with_budget(budget);
        let answer = expand.answer(&text, "the blue whale").unwrap();
        let graphemes: u64 = answer
            .passages()
            .iter()
            .map(|passage| Measure::of(passage.text()).graphemes())
            .sum();
        assert!(graphemes <= budget, "{graphemes} of {budget}");
        assert!(answer.to_string().contains("whale"), "within {budget}");
    }
    assert!(
        Expand::of(3)
            .with_budget(0)
            .answer(&text, "whale")
            .unwrap()
            .passages()
            .is_empty()
    );
}

#[test]
fn a_repeated_line_does_not_fill_the_answer() {
    let repeated: String = (0..2_000)
        .map(|number| format!("12:00:{number:02} WARN disk usage high, disk at {number} %\n"))
        .collect();
    let text = format!("{repeated}disk replaced by technician Ana\n{repeated}");
    let answer = Expand::of(3)
        .answer(&text, "Who replaced the disk?")
        .unwrap();
    assert!(answer.to_string().contains("technician Ana"));
    let alike = Expand::of(2)
        .answer(&text, "disk usage technician")
        .unwrap();
    assert!(alike.to_string().contains("technician Ana"));
}

#[test]
fn what_is_said_once_is_shown_beside_a_line_that_is_everywhere() {
    let line =
        |number| format!("12:00:{number:02} WARN disk usage high on the data disk: {number} %\n");
    let repeated: String = (0..2_000).map(line).collect();
    let filler = "Nothing of note happened then.\n".repeat(100);
    let said = "the data disk was swapped, usage fell\n";
    let text = [&repeated, &filler, said, &filler, &repeated].concat();
    let answer = Expand::of(3).answer(&text, "Was disk usage high on the data disk?");
    assert!(answer.unwrap().to_string().contains(said));
}

/// Hours, where every candidate is held against every one that was chosen, again for each choice.
#[test]
fn however_many_passages_are_asked_for_takes_time_by_the_text() {
    let text: String = (0..30_000)
        .map(|line| format!("{line} the disk of {} is full\n", line * 7))
        .collect();
    let expand = Expand::of(usize::MAX);
    let answer = expand.answer(&text, "Which disk is full?").unwrap();
    assert_eq!(answer.passages().len(), Chunks::of(&text).count());
}

#[test]
fn an_unknown_handle_is_an_answer_of_one_line() {
    insta::assert_snapshot!("unknown", Answer::unknown("art:x\r\ny"));
}

#[test]
fn a_bound_in_bytes_holds_and_keeps_what_answers() {
    let text =
        "\u{754c}".repeat(9_000) + "\u{72d0}\u{72f8}\u{5728}\u{6b64}" + &"\u{754c}".repeat(9_000);
    for most in [600, 2_000, 5_000] {
        let expand = Expand::of(3).with_max_bytes(most);
        let answer = expand.answer(&text, "\u{72d0}\u{72f8}").unwrap();
        let bytes: usize = answer
            .passages()
            .iter()
            .map(|passage| passage.text().len())
            .sum();
        assert!(bytes as u64 <= most, "{bytes} of {most}");
        assert!(
            answer.to_string().contains("\u{72d0}\u{72f8}"),
            "within {most}"
        );
    }
}

#[test]
fn ranges_are_those_of_the_bytes_where_they_are_no_text() {
    let noise = b"\xFF\xC3 \xE2\x82 filler \x80\n".repeat(400);
    let fact = b"the port is \xF0\x9F 8125\xFF\n";
    let bytes = [&noise, &fact[..], &noise].concat();
    let decoded = Decoded::of(&bytes);
    let answer = Expand::of(3).answer(decoded.text(), "Which port?").unwrap();
    let ranges = decoded.in_bytes(answer.passages().iter().map(|passage| passage.bytes()));
    for (range, passage) in ranges.iter().zip(answer.passages()) {
        let original = String::from_utf8_lossy(&bytes[range.clone()]);
        assert_eq!(original, passage.text());
    }
    let mut places = ranges.iter();
    assert!(places.any(|range| {
        bytes[range.clone()]
            .windows(fact.len())
            .any(|part| part == fact)
    }));
}
