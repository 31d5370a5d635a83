//! Counts and cuts are those of UAX #29 as unicode-segmentation implements it (SPEC 1.1, I7).

use artifacts_core::{Growth, Limit, Measure, Measured, Shape, UNICODE_VERSION, Unit, Unmeasured};
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;

use super::reference;
use super::strings::hard_string;

#[track_caller]
fn check_measure(text: &str) {
    let measure = Measure::of(text);
    assert_eq!(
        measure.graphemes(),
        text.graphemes(true).count() as u64,
        "{text:?}"
    );
    assert_eq!(measure.scalars(), text.chars().count() as u64, "{text:?}");
    assert_eq!(
        measure.lines(),
        text.split_inclusive('\n').count() as u64,
        "{text:?}"
    );
    assert_eq!(measure.bytes(), text.len() as u64);
}

#[test]
fn the_grapheme_break_test_of_unicode_17_passes() {
    let file = include_str!("../data/GraphemeBreakTest.txt");
    let mut cases = 0;
    for line in file.lines() {
        let (case, _) = line.split_once('#').unwrap_or((line, ""));
        if case.trim().is_empty() {
            continue;
        }
        let (mut text, mut clusters) = (String::new(), 0);
        for word in case.split_whitespace() {
            match word {
                "÷" => clusters += 1,
                "×" => {}
                code => {
                    let code = u32::from_str_radix(code, 16).unwrap();
                    // Surrogates, which some versions of the file list, are no text.
                    text.extend(char::from_u32(code));
                }
            }
        }
        // The first mark stands before the text.
        let clusters = clusters - 1;
        assert_eq!(Measure::of(&text).graphemes(), clusters, "{line}");
        for filler in ["", "x", "é", "漢", "\n"] {
            for offset in [0, 1, 62, 63, 64, 65, 66, 67, 130] {
                check_measure(
                    &[&filler.repeat(offset), text.as_str(), &filler.repeat(260)].concat(),
                );
            }
        }
        cases += 1;
    }
    assert_eq!(cases, 766);
}

/// SPEC 1.9: another version of Unicode may count these otherwise.
#[test]
fn the_version_of_unicode_is_pinned() {
    // Conjuncts of Unicode 15.1, marks of Unicode 16, emoji and signs that join.
    let texts = [
        "क्त",
        "ക്ഷ",
        "\u{10d4e}\u{10d69}",
        "\u{11f04}\u{11f41}",
        "👩‍🚀🏽",
        "🇩🇪🇫",
    ];
    let measures = texts.map(|text| format!("{text:?}: {:?}", Measure::of(text)));
    let (major, minor, patch) = UNICODE_VERSION;
    insta::assert_snapshot!(format!(
        "Unicode {major}.{minor}.{patch}\n{}",
        measures.join("\n")
    ));
}

#[test]
fn long_runs_are_counted_and_cut_in_one_piece() {
    let runs = [
        "🇩".repeat(100_001),
        "👩\u{200d}".repeat(50_000),
        "क\u{94d}".repeat(100_000),
        ["e", &"\u{301}".repeat(500_000)].concat(),
        "\u{1100}".repeat(300_000),
        "\u{600}".repeat(400_000),
        "\r\n".repeat(300_000),
        "\r".repeat(300_000),
    ];
    for run in runs {
        check_measure(&run);
        for limit in [1, 5, 100, 20_000] {
            let limit = Limit::graphemes(limit).unwrap();
            let cut = Shape::new(limit).cut(&run);
            let expected = reference::cut(limit, &run);
            assert_eq!(cut.head().len(), expected.0.len());
            assert_eq!(cut.tail().len(), expected.1.len());
            assert_eq!(cut.shown(), expected.2);
            let measured = Unmeasured::of_cut(&run, cut).measure();
            assert_eq!(measured, Measured::of(run.as_bytes()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_text_is_counted_as_unicode_segmentation_counts_it(text in hard_string(0..300)) {
        check_measure(&text);
    }

    #[test]
    fn every_text_is_cut_where_unicode_segmentation_ends_a_cluster(
        text in hard_string(1..300),
        unit in prop::sample::select(vec![Unit::Graphemes, Unit::Bytes, Unit::Scalars]),
        amount in prop_oneof![1..20_u64, 1..2_000_u64],
        ceiling in prop::option::of(1..2_000_u64),
    ) {
        let mut limit = Limit::new(unit, amount).unwrap();
        if let Some(ceiling) = ceiling {
            limit = limit.with_byte_ceiling(ceiling).unwrap();
        }
        let cut = Shape::new(limit).cut(&text);
        prop_assert_eq!((cut.head(), cut.tail(), cut.shown()), reference::cut(limit, &text));
        let measured = Unmeasured::of_cut(&text, cut).measure();
        prop_assert_eq!(measured, Measured::of(text.as_bytes()));
        // The decision finds the head on its way.
        let shape = Shape::new(limit).with_growth(Growth::Allowed);
        let shortened = shape.shorten(&text);
        prop_assert_eq!(shortened, (!limit.fits(&text)).then_some(cut));
        let fits = text.len() as u64 <= limit.byte_ceiling() && match unit {
            Unit::Graphemes => text.graphemes(true).count() as u64 <= amount,
            Unit::Bytes => text.len() as u64 <= amount,
            _ => text.chars().count() as u64 <= amount,
        };
        prop_assert_eq!(limit.fits(&text), fits);
    }

    #[test]
    fn what_a_cut_shows_need_not_be_counted_again(
        text in hard_string(1..300),
        from in 0..300_usize,
        to in 0..300_usize,
        amount in 1..100_u64,
        snap in prop::sample::select(vec![0, 3, 20]),
        trailer in 0..3_u32,
    ) {
        let shape = Shape::new(Limit::graphemes(amount).unwrap());
        let shape = shape.with_line_snap(snap).with_trailer(trailer);
        let measured = Measured::of(text.as_bytes());
        prop_assert_eq!(Unmeasured::of_cut(&text, shape.cut(&text)).measure(), measured);
        // Parts that the text has, too, where a cluster may go on.
        let other: String = text.chars().take(to).skip(from).collect();
        prop_assert_eq!(Unmeasured::of_cut(&text, shape.cut(&other)).measure(), measured);
        let other: String = text.chars().take(to).chain(text.chars().skip(from)).collect();
        prop_assert_eq!(Unmeasured::of_cut(&text, shape.cut(&other)).measure(), measured);
    }
}
