//! SPEC 2.6, 3.1–3.7: what a marker says, in golden vectors, and what each rendering shows.

use std::fmt::Write as _;

use artifacts_core::{
    ArtifactName, Capture, ContentType, Hint, Limit, Marker, MarkerLine, Measured, NotStored, OpId,
    Rendering, Shape,
};
use proptest::prelude::*;

use super::stored::Stored;

const WHYS: [NotStored; 3] = [NotStored::NoSession, NotStored::Failed, NotStored::Other];

fn stored(op_id: &str, kept: &[u8]) -> Stored {
    Stored {
        name: ArtifactName::for_op(&OpId::new(op_id), ContentType::Text),
        measured: Measured::of(kept),
    }
}

#[track_caller]
fn check(marker: &Marker, line: &str) {
    assert_eq!(marker.to_string(), line);
    assert_eq!(line.parse::<MarkerLine>().unwrap(), *marker.line());
}

#[test]
fn golden_vectors_of_a_stored_result() {
    let digits = "0123456789".repeat(40_000);
    let whole = Measured::of(digits.as_bytes());
    let receipt = stored("op-1", digits.as_bytes());
    check(
        &Marker::stored(&receipt, &whole, 391_204),
        "[... elided 391,204 chars (400,000 bytes total); full result: op-1.txt sha256 \
         a914dccc192cb6f3428d18915784cf224b49d1a5e1e788e3ab05e91cb09d7c8d ...]",
    );
}

#[test]
fn golden_vectors_of_a_result_that_is_in_no_file() {
    let sha = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882";
    for (why, words) in WHYS.into_iter().zip([
        "full result was not stored (this run has nowhere to put it)",
        "full result could not be stored",
        "full result not stored",
    ]) {
        let marker = Marker::not_stored(why, &Measured::of(b"0123456789"), 6);
        let line = format!("[... elided 6 chars (10 bytes total); {words}, sha256 {sha} ...]");
        check(&marker, &line);
    }
}

#[test]
fn a_part_of_the_result_is_named_a_part() {
    let marker = Marker::stored(&stored("op-1", b"01234"), &Measured::of(b"0123456789"), 6);
    check(
        &marker,
        "[... elided 6 chars (10 bytes total); first 5 bytes of the result: op-1.txt sha256 \
         c565fe03ca9b6242e01dfddefe9bba3d98b270e19cd02fd85ceaf75e2b25bf12 ...]",
    );
}

#[test]
fn other_lines_are_no_markers() {
    let line = Marker::not_stored(NotStored::Other, &Measured::of(b"0"), 1).to_string();
    for wrong in [
        String::new(),
        format!("{line}\n"),
        format!(" {line}"),
        line.replace("elided 1", "elided 01"),
        line.replace("elided 1", "elided 1000"),
        line.replace("sha256 ", "sha256 A"),
        line.replace("not stored", "lost"),
        line.replace("full result not stored,", "full result: ../x.txt"),
    ] {
        assert!(wrong.parse::<MarkerLine>().is_err(), "{wrong:?}");
    }
    let part = Marker::stored(&stored("op-1", b"01234"), &Measured::of(b"0123456789"), 6);
    for first in ["first 10 bytes", "first 99 bytes"] {
        let more = part.to_string().replace("first 5 bytes", first);
        assert!(more.parse::<MarkerLine>().is_err(), "{more:?}");
    }
}

proptest! {
    #[test]
    fn every_marker_reads_back(
        bytes in proptest::collection::vec(any::<u8>(), 0..64),
        kept in 0_usize..64,
        elided in any::<u64>(),
        op_id in any::<String>(),
        why in 0..WHYS.len(),
        interrupted in any::<bool>(),
        is_stored in any::<bool>(),
    ) {
        let whole = Measured::of(&bytes);
        let kept = bytes.get(..kept).unwrap_or(&bytes);
        let marker = match is_stored {
            true => Marker::stored(&stored(&op_id, kept), &whole, elided),
            false => Marker::not_stored(WHYS[why], &whole, elided),
        };
        let marker = marker.with_capture(match interrupted {
            true => Capture::Interrupted,
            false => Capture::Complete,
        });
        let line = marker.to_string();
        prop_assert_eq!(line.lines().count(), 1);
        prop_assert_eq!(&line.parse::<MarkerLine>().unwrap(), marker.line());
    }
}

/// Every rendering of one text, for each way a result can be kept.
#[test]
fn what_the_model_sees() {
    let text: String = (1..=40).fold(String::new(), |mut text, line| {
        writeln!(text, "line {line} \"quoted\" \\ 🎉 e\u{301}").unwrap();
        text
    });
    let whole = Measured::of(text.as_bytes());
    let damaged = [text.as_bytes(), b"\xFF\xFE"].concat();
    let (lossy, raw) = (Measured::of(&damaged), stored("op-1", &damaged));
    let full = stored("op-1", text.as_bytes());
    let part = stored("op-1", &text.as_bytes()[..100]);
    let hint = Hint::new(["read_artifact", "search_artifact"]).unwrap();
    for (name, rendering) in [
        ("excerpt", Rendering::Excerpt),
        ("pointer", Rendering::Pointer),
        ("head_note", Rendering::HeadNote),
        ("header", Rendering::Header),
    ] {
        let shape = Shape::new(Limit::graphemes(120).unwrap()).with_rendering(rendering);
        let cut = shape.cut(&text);
        let elided = cut.elided(&whole);
        let stored = Marker::stored(&full, &whole, elided);
        let shown = [
            ("stored", shape.render(&cut, &stored)),
            (
                "stored, with a hint",
                shape.render_with_hint(&cut, &stored, Some(&hint)),
            ),
            (
                "stored in part",
                shape.render(&cut, &Marker::stored(&part, &whole, elided)),
            ),
            (
                "interrupted",
                shape.render(&cut, &stored.clone().with_capture(Capture::Interrupted)),
            ),
            (
                "no UTF-8",
                shape.render(&cut, &Marker::stored(&raw, &lossy, elided)),
            ),
            (
                "not stored",
                shape.render(
                    &cut,
                    &Marker::not_stored(NotStored::NoSession, &whole, elided),
                ),
            ),
        ];
        let shown = shown
            .map(|(how, shown)| format!("== {how}\n{shown}\n"))
            .concat();
        insta::assert_snapshot!(name, shown);
    }
}
