//! An observation is shorter than its result, and passes whole when it is settled again (SPEC 2.4).

use artifacts_core::{
    ArtifactName, Capture, ContentType, Excerpter, Hint, Limit, Marker, Measured, NotStored, OpId,
    Rendering, Shape, Unit,
};
use proptest::prelude::*;

use super::stored::Stored;
use super::strings::hard_string;

pub(crate) fn any_shape() -> impl Strategy<Value = Shape> {
    let unit = prop::sample::select(vec![Unit::Graphemes, Unit::Bytes, Unit::Scalars]);
    let rendering = prop::sample::select(vec![
        Rendering::Excerpt,
        Rendering::HeadNote,
        Rendering::Pointer,
        Rendering::Header,
    ]);
    let split = prop_oneof![
        Just((3, 1)),
        Just((1, 1)),
        Just((0, 1)),
        Just((1, 0)),
        Just((1, 9))
    ];
    let snap = prop_oneof![Just(0_u32), 1..200_u32, Just(u32::MAX)];
    let trailer = prop_oneof![Just(0_u32), 1..5_u32];
    (unit, 1..400_u64, rendering, split, snap, trailer).prop_map(
        |(unit, amount, rendering, (head, tail), snap, trailer)| {
            Shape::new(Limit::new(unit, amount).unwrap())
                .with_rendering(rendering)
                .with_split(head, tail)
                .unwrap()
                .with_line_snap(snap)
                .with_trailer(trailer)
        },
    )
}

/// The markers and hints of different agents, from the shortest to the longest.
fn observation(shape: Shape, text: &str, outcome: u8) -> Option<String> {
    let whole = Measured::of(text.as_bytes());
    let cut = shape.shorten(text)?;
    let elided = cut.elided(&whole);
    let op_id = if outcome.is_multiple_of(2) {
        "a".into()
    } else {
        "a".repeat(200)
    };
    let measured = if outcome < 4 {
        whole
    } else {
        Measured::of(b"x")
    };
    let name =
        ArtifactName::for_op(&OpId::new(op_id), ContentType::Text).with_content(measured.digest());
    let marker = match outcome {
        0 => Marker::not_stored(NotStored::Other, &whole, elided),
        1 => Marker::not_stored(NotStored::NoSession, &whole, elided),
        _ => Marker::stored(&Stored { name, measured }, &whole, elided),
    };
    let long = "r".repeat(100);
    let hint = Hint::new([long.as_str()]).unwrap();
    Some(match outcome {
        0..=2 => shape.render(&cut, &marker),
        _ => shape.render_with_hint(
            &cut,
            &marker.with_capture(Capture::Interrupted),
            Some(&hint),
        ),
    })
}

/// A cluster over the ceiling ends a trailer early, and the marker is a line of the next one.
#[test]
fn a_trailer_that_a_large_cluster_ends_is_settled_once() {
    let large = format!("e{}", "\u{301}".repeat(8_000));
    let text = ["🇩🇪".repeat(3_000), large, "한".repeat(501)].concat();
    for lines in 0..5 {
        let shape = Shape::new(Limit::graphemes(2_000).unwrap()).with_trailer(lines);
        let once = observation(shape, &text, 2).unwrap();
        assert!(once.len() < text.len());
        assert_eq!(shape.shorten(&once), None, "{lines}");
    }
}

#[test]
fn no_line_snap_passes_a_text_that_is_far_over_its_limit() {
    let limit = Limit::graphemes(1_000).unwrap();
    for (text, longest) in [("a\n", 1_640), ("한", 1_640), ("a", 1_640)] {
        for shape in [
            Shape::new(limit).with_line_snap(1),
            Shape::new(limit).with_line_snap(u32::MAX),
            Shape::new(limit).with_trailer(u32::MAX),
        ] {
            let text = |chars: usize| text.chars().cycle().take(chars).collect::<String>();
            assert_eq!(shape.shorten(&text(longest)), None);
            assert!(shape.shorten(&text(longest + 1)).is_some());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn settling_twice_is_settling_once(
        shape in any_shape(),
        text in hard_string(1..400),
        outcomes in (0..6_u8, 0..6_u8),
    ) {
        let Some(once) = observation(shape, &text, outcomes.0) else { return Ok(()) };
        prop_assert!(once.len() < text.len(), "{} >= {}", once.len(), text.len());
        let twice = observation(shape, &once, outcomes.1);
        prop_assert_eq!(twice, None, "{}", once);
    }

    #[test]
    fn streaming_decides_as_the_whole_does(
        shape in any_shape(),
        text in hard_string(1..400),
        chunk in 1..50_usize,
    ) {
        let mut excerpter = Excerpter::new(shape);
        for chunk in text.as_bytes().chunks(chunk) {
            excerpter.update(chunk);
        }
        let excerpted = excerpter.finish();
        prop_assert_eq!(excerpted.cut(), shape.shorten(&text));
        prop_assert_eq!(excerpted.measured(), &Measured::of(text.as_bytes()));
    }
}
