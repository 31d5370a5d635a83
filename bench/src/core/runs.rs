//! Cutting texts that are one long run: what is before a cut may decide where it is.

use std::hint::black_box;

use artifacts_core::{Shape, Unmeasured};

use super::Bounds;
use crate::table::{in_turn, markdown};

/// Cutting and settling 400 KB and 4 MB of each run.
pub(super) fn section(bounds: &mut Bounds) -> String {
    let rows = RUNS.map(|(name, run)| {
        let [small, large] = [400_000, 4_000_000].map(|bytes: usize| {
            // With a start of its own, so that no run has an even number of anything by chance.
            format!("x{}", run.repeat(bytes.div_ceil(run.len())))
        });
        let shape = Shape::excerpt();
        let cut = |text: &str| {
            black_box(shape.cut(black_box(text)));
        };
        let settle = |text: &str| {
            let text = black_box(text);
            black_box(Unmeasured::of_cut(text, shape.cut(text)).measure());
        };
        let [small_cut, large_cut, small_settled, large_settled] = in_turn(
            31,
            3,
            [
                &mut || cut(&small),
                &mut || cut(&large),
                &mut || settle(&small),
                &mut || settle(&large),
            ],
        );
        let mut row = vec![
            name.to_owned(),
            format!("{:.1}", small_cut.fast / 1e3),
            format!("{:.1}", large_cut.fast / 1e3),
        ];
        for (what, small, large) in [
            ("cut", small_cut, large_cut),
            ("settle", small_settled, large_settled),
        ] {
            let growth = large.fast / small.fast;
            row.extend([
                format!("{growth:.2}"),
                bounds.at_most(format!("{what} ten times the {name}"), growth, 11.0),
            ]);
        }
        row
    });
    let head = [
        "run",
        "cut of 400 KB, us",
        "of 4 MB, us",
        "4 MB to 400 KB",
        "at most 11",
        "settled, 4 MB to 400 KB",
        "at most 11",
    ];
    format!(
        "## Long runs\n\nOnly between flags does what is before a cut decide without end: how many \
         there are is counted back to the start of their run.\n\n{}",
        markdown(&head, &rows)
    )
}

const RUNS: [(&str, &str); 7] = [
    ("flags", "\u{1f1e9}"),
    ("joined emoji", "👩\u{200d}"),
    ("joined emoji with marks", "👩\u{301}\u{301}\u{200d}"),
    ("conjuncts", "\u{915}\u{94d}"),
    ("combining marks", "\u{301}"),
    ("jamo", "\u{1100}"),
    ("line ends", "\r\n"),
];
