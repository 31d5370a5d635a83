//! The start-up check of caps (SPEC 5.6): what loses data silently is refused, naming both
//! settings.

use artifacts_core::{
    ErrorKind, Growth, Limit, Marker, Measure, Measured, NotStored, Rendering, Shape, Stage, Unit,
    check_order,
};
use proptest::prelude::*;

fn limit(unit: Unit, amount: u64) -> Limit {
    Limit::new(unit, amount).unwrap()
}

#[track_caller]
fn refused(name: &str, stages: &[Stage<'_>]) {
    let error = check_order(stages).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Order);
    insta::assert_snapshot!(name, error);
}

#[test]
fn a_cap_before_the_settle_path_is_refused() {
    refused(
        "order_before",
        &[
            Stage::cuts("bash.max_output", limit(Unit::Bytes, 30_000)),
            Stage::settles("limit", Shape::excerpt()),
        ],
    );
}

#[test]
fn a_cap_behind_that_could_cut_the_marker_is_refused() {
    let settle = Stage::settles("limit", Shape::excerpt());
    let host = |amount| Stage::cuts("host.max_output", limit(Unit::Bytes, amount));
    refused("order_behind", &[settle, host(10_000)]);
    refused("order_behind_small", &[settle, host(100)]);
    assert!(check_order(&[settle, host(131_072 + 640)]).is_ok());
    assert!(check_order(&[settle, host(131_072 + 639)]).is_err());
}

#[test]
fn the_ceiling_that_the_message_advises_is_enough() {
    let host = Stage::cuts("host.max_output", limit(Unit::Bytes, 10_000));
    let advised = |ceiling| {
        let limit = Limit::graphemes(16_384).unwrap().with_byte_ceiling(ceiling);
        Stage::settles("limit", Shape::new(limit.unwrap()))
    };
    assert!(check_order(&[advised(9_360), host]).is_ok());
    assert!(check_order(&[advised(9_361), host]).is_err());
}

#[test]
fn a_capture_that_might_end_within_the_limit_is_refused() {
    let settle = Stage::settles("limit", Shape::excerpt());
    let capture = |bytes| Stage::captures("max_capture_bytes", bytes);
    refused("order_capture", &[capture(100_000), settle]);
    assert!(check_order(&[capture(1 << 30), settle]).is_ok());
}

#[test]
fn a_capture_behind_that_could_lose_the_marker_is_refused() {
    let settle = Stage::settles("limit", Shape::excerpt());
    let capture = |bytes| Stage::captures("host.capture", bytes);
    refused("order_capture_behind", &[settle, capture(10)]);
    refused(
        "order_capture_between",
        &[
            Stage::settles("inner", Shape::excerpt()),
            capture(10),
            settle,
        ],
    );
    assert!(check_order(&[settle, capture(0)]).is_err());
    assert!(check_order(&[settle, capture(131_072 + 640)]).is_ok());
    assert!(check_order(&[settle, capture(131_072 + 639)]).is_err());
}

#[test]
fn a_view_before_the_settle_path_is_refused() {
    let settle = Stage::settles("limit", Shape::excerpt());
    let view = Stage::views("request_view.limit", Shape::new(limit(Unit::Graphemes, 10)));
    refused("order_view_before", &[view, settle]);
    assert!(check_order(&[Stage::views("request_view.limit", Shape::excerpt()), settle]).is_err());
    assert!(check_order(&[view]).is_ok(), "nothing would be stored");
}

#[test]
fn a_smaller_pointer_or_view_behind_is_refused() {
    let pointer = Stage::settles("pointer.limit", Shape::pointer());
    refused(
        "order_pointer",
        &[
            pointer,
            Stage::cuts("host.max_output", limit(Unit::Scalars, 2_000)),
        ],
    );
    refused(
        "order_view",
        &[
            Stage::settles("limit", Shape::excerpt()),
            Stage::views(
                "request_view.limit",
                Shape::new(limit(Unit::Graphemes, 8_000)),
            ),
        ],
    );
}

#[test]
fn what_loses_nothing_passes() {
    let settle = Stage::settles("limit", Shape::excerpt());
    let wide = Stage::cuts("host.max_output", limit(Unit::Bytes, 1_000_000));
    let narrow = Stage::cuts("bash.max_output", limit(Unit::Bytes, 10));
    for stages in [
        &[][..],
        &[settle],
        &[narrow],
        &[settle, wide],
        &[settle, wide, settle],
        &[settle, settle],
        &[settle, Stage::views("request_view.limit", Shape::excerpt())],
    ] {
        assert_eq!(check_order(stages), Ok(()));
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    let unit = prop_oneof![
        Just(Unit::Graphemes),
        Just(Unit::Bytes),
        Just(Unit::Scalars)
    ];
    let rendering = prop_oneof![
        Just(Rendering::Excerpt),
        Just(Rendering::HeadNote),
        Just(Rendering::Pointer),
        Just(Rendering::Header),
    ];
    let growth = prop_oneof![Just(Growth::Never), Just(Growth::Allowed)];
    (unit, 1..3_000_u64, rendering, growth, 1..4_000_u64).prop_map(
        |(unit, amount, rendering, growth, ceiling)| {
            let limit = limit(unit, amount).with_byte_ceiling(ceiling).unwrap();
            Shape::new(limit)
                .with_rendering(rendering)
                .with_growth(growth)
        },
    )
}

proptest! {
    #[test]
    fn no_observation_is_over_a_cap_that_passes(
        shape in shape(),
        unit in prop_oneof![Just(Unit::Graphemes), Just(Unit::Bytes), Just(Unit::Scalars)],
        piece in prop_oneof![Just("a"), Just("e\u{301}"), Just("界"), Just("👩‍👩‍👧"), Just("\u{1}")],
        count in 0..6_000_usize,
    ) {
        let text = piece.repeat(count);
        let observation = match shape.shorten(&text) {
            None => text,
            Some(cut) => {
                let whole = Measured::of(text.as_bytes());
                let marker = Marker::not_stored(NotStored::NoSession, &whole, cut.elided(&whole));
                shape.render(&cut, &marker)
            }
        };
        let measure = Measure::of(&observation);
        let size = match unit {
            Unit::Graphemes => measure.graphemes(),
            Unit::Bytes => measure.bytes(),
            _ => measure.scalars(),
        };
        prop_assume!(size > 1);
        // A cap that the observation does not fit must have been refused.
        let cap = Stage::cuts("host", limit(unit, size - 1));
        prop_assert!(check_order(&[Stage::settles("limit", shape), cap]).is_err());
    }
}
