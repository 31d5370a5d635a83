//! Where a text is cut (SPEC 1.4, 2.1, 2.2, 2.5).

use artifacts_core::{Limit, Shape, Unit};

#[track_caller]
fn check(shape: Shape, text: &str, head: &str, tail: &str) {
    let cut = shape.cut(text);
    assert_eq!((cut.head(), cut.tail()), (head, tail));
}

fn graphemes(amount: u64) -> Shape {
    Shape::new(Limit::graphemes(amount).unwrap())
}

#[test]
fn three_quarters_of_the_limit_are_head_rounded_up() {
    let text = "0123456789".repeat(20);
    for (limit, head, tail) in [
        (1, 1, 0),
        (2, 2, 0),
        (3, 3, 0),
        (4, 3, 1),
        (5, 4, 1),
        (8, 6, 2),
        (100, 75, 25),
    ] {
        check(graphemes(limit), &text, &text[..head], &text[200 - tail..]);
    }
}

#[test]
fn a_cluster_larger_than_the_byte_ceiling_is_elided_whole() {
    let long = format!("e{}", "\u{301}".repeat(100));
    check(graphemes(4), &format!("ab{long}cdef"), "ab", "f");
    check(graphemes(4), &long, "", "");
    check(graphemes(4), &format!("{long}abc"), "", "c");
}

#[test]
fn the_split_is_configurable() {
    let shape = graphemes(4);
    check(shape.with_split(1, 1).unwrap(), "0123456789", "01", "89");
    check(shape.with_split(1, 0).unwrap(), "0123456789", "0123", "");
    check(shape.with_split(0, 1).unwrap(), "0123456789", "", "6789");
    check(
        shape.with_split(u32::MAX, u32::MAX).unwrap(),
        "0123456789",
        "01",
        "89",
    );
    assert!(shape.with_split(0, 0).is_err());
}

#[test]
fn cuts_snap_to_line_edges_within_the_slack() {
    let shape = graphemes(16).with_line_snap(4);
    check(
        shape,
        "one\ntwo\nthr\nfour\nfive\nsix\n",
        "one\ntwo\nthr\n",
        "six\n",
    );
    check(
        graphemes(16).with_line_snap(3),
        "one\ntwo\nthree45678\nabcdefgh\n",
        "one\ntwo\nthre",
        "fgh\n",
    );
    check(
        graphemes(16).with_line_snap(2),
        "one\ntwo\nthree\nfour\nfive6\n",
        "one\ntwo\nthre",
        "ve6\n",
    );
}

#[test]
fn a_trailer_is_shown_at_the_expense_of_the_head() {
    let text = "0123456789\n0123456789\nexit code 1\n";
    check(graphemes(16).with_trailer(1), text, "0123", "exit code 1\n");
    check(
        graphemes(16).with_trailer(2),
        text,
        "",
        "789\nexit code 1\n",
    );
    check(
        graphemes(80).with_trailer(1),
        &text.repeat(10),
        &text.repeat(10)[..60],
        &text[14..],
    );
    check(graphemes(4).with_trailer(1), "0123456789", "", "6789");
}

/// SPEC 1.2.
#[test]
fn what_is_at_the_limit_fits_and_one_more_is_over() {
    for (limit, at, over) in [
        (Limit::graphemes(3), "🇩🇪e\u{301}\r\n", "abcd"),
        (Limit::new(Unit::Bytes, 3), "字", "abcd"),
        (Limit::new(Unit::Scalars, 3), "e\u{301}x", "e\u{301}xy"),
        (
            Limit::new(Unit::Tokens, 1_000),
            &"w".repeat(4_000),
            &"w".repeat(4_001),
        ),
    ] {
        let limit = limit.unwrap();
        assert!(limit.fits(at), "{limit:?}");
        assert!(!limit.fits(over), "{limit:?}");
    }
}

/// SPEC 1.3.
#[test]
fn the_presets_are_those_of_the_four_designs() {
    let presets = [
        Shape::excerpt(),
        Shape::pointer(),
        Shape::head_note(),
        Shape::offload(1_000).unwrap(),
    ];
    let limits = presets.map(|shape| (shape.limit().unit(), shape.limit().amount()));
    let expected = [
        (Unit::Graphemes, 16_384),
        (Unit::Bytes, 51_200),
        (Unit::Scalars, 16_000),
        (Unit::Tokens, 1_000),
    ];
    assert_eq!(limits, expected);
}

/// SPEC 1.5.
#[test]
fn a_limit_of_nothing_is_refused_by_name() {
    for unit in [Unit::Graphemes, Unit::Bytes, Unit::Scalars, Unit::Tokens] {
        let told = Limit::new(unit, 0).unwrap_err().to_string();
        assert!(told.starts_with("limit must be at least"), "{told}");
    }
    let told = Limit::graphemes(1)
        .unwrap()
        .with_byte_ceiling(0)
        .unwrap_err();
    assert!(
        told.to_string().starts_with("byte ceiling of the limit"),
        "{told}"
    );
}

#[test]
fn limits_in_other_units_cut_between_clusters() {
    let flags = "🇩🇪🇫🇷🇮🇹🇪🇸";
    let bytes = Shape::new(Limit::new(Unit::Bytes, 17).unwrap());
    check(bytes, flags, "🇩🇪", "");
    let scalars = Shape::new(Limit::new(Unit::Scalars, 7).unwrap());
    check(scalars, flags, "🇩🇪🇫🇷🇮🇹", "");
    assert!(Limit::new(Unit::Tokens, 999).is_err());
}
