//! A shorter view of an observation shows two ends of the result, and no middle as its end (SPEC
//! 2.2, 2.3, 8.5).

use artifacts_core::{
    ArtifactName, Hint, Limit, Marker, MarkerLine, Measure, Measured, Rendering, Shape,
};
use proptest::prelude::*;

use super::never_grow::any_shape;
use super::stored::Stored;
use super::strings::hard_string;

/// The observation of `text` under `settles`, and the marker line of its record.
fn settled(settles: Shape, text: &str, hint: Option<&Hint>) -> Option<(String, MarkerLine)> {
    let whole = Measured::of(text.as_bytes());
    let cut = settles.shorten(text)?;
    let elided = cut.elided(&whole);
    let name = ArtifactName::parse("op-1.txt").unwrap();
    let line = MarkerLine::recorded(name.clone(), *whole.digest(), text.len() as u64, elided);
    let receipt = Stored {
        name,
        measured: whole,
    };
    let marker = Marker::stored(&receipt, &whole, elided);
    let observation = settles.render_with_hint(&cut, &marker, hint);
    Some((observation, line))
}

/// The head, the count and the tail of a view that shows text beside its marker line.
fn taken_apart<'a>(shape: Shape, view: &'a str, line: &MarkerLine) -> (&'a str, u64, &'a str) {
    let digest = format!("{} ...]", line.digest());
    let end = view.find(&digest).unwrap() + digest.len();
    let start = view[..end].rfind("[... elided ").unwrap();
    let plain = view[start..end].replace("/large_tool_results/", "");
    let elided = plain.parse::<MarkerLine>().unwrap().elided();
    let (before, after) = (&view[..start], &view[end..]);
    match shape.rendering() {
        Rendering::Header => (after.strip_prefix('\n').unwrap(), elided, before),
        Rendering::HeadNote => (before.strip_suffix('\n').unwrap(), elided, after),
        _ => (
            before.strip_suffix('\n').unwrap(),
            elided,
            after.strip_prefix('\n').unwrap(),
        ),
    }
}

#[test]
fn a_head_does_not_pass_for_the_end() {
    let text: String = (0..20_000).map(|number| format!("{number:05} ")).collect();
    let of = |limit| Shape::new(Limit::graphemes(limit).unwrap());
    let total = Measure::of(&text).graphemes();
    // The last observation has a tail of one cluster that no view has room for.
    let large = format!("{text}e{}", "\u{301}".repeat(400));
    for (settles, text, total) in [
        (of(3_000).with_rendering(Rendering::HeadNote), &text, total),
        (of(3_000).with_split(1, 0).unwrap(), &text, total),
        (of(3_000), &large, total + 1),
    ] {
        let (observation, line) = settled(settles, text, None).unwrap();
        let views = of(40);
        let view = views.shorten_recorded(&observation, &line, total).unwrap();
        let (head, elided, tail) = taken_apart(views, &view, &line);
        assert_eq!((head, tail), (&text[..30], ""));
        assert_eq!(elided, total - 30);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_view_shows_two_ends_of_the_result_and_counts_the_rest(
        settles in any_shape(),
        views in any_shape(),
        amount in 1..60_u64,
        text in hard_string(300..900),
        is_hinted in any::<bool>(),
    ) {
        let views = views.with_limit(Limit::graphemes(amount).unwrap());
        let hint = Hint::new(["read_artifact"]).unwrap();
        let hint = is_hinted.then_some(&hint);
        let Some((observation, line)) = settled(settles, &text, hint) else { return Ok(()) };
        let total = Measure::of(&text).graphemes();
        let Some(view) = views.shorten_recorded(&observation, &line, total) else {
            prop_assert!(views.shorten(&observation).is_none());
            return Ok(());
        };
        prop_assert!(view.len() < observation.len());
        prop_assert_eq!(views.shorten_recorded(&view, &line, total), None, "{}", view);
        if views.rendering() == Rendering::Pointer {
            return Ok(());
        }
        let (head, elided, tail) = taken_apart(views, &view, &line);
        prop_assert!(text.starts_with(head), "{head:?} of {observation:?}");
        prop_assert!(text.ends_with(tail), "{tail:?} of {observation:?}");
        let shown = Measure::of(head).graphemes() + Measure::of(tail).graphemes();
        prop_assert_eq!(elided, total - shown);
        if views.rendering() != Rendering::Header {
            prop_assert!(shown <= amount);
        }
    }
}
