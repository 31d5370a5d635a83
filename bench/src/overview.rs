//! What settling costs beside what it can't do without: the hash of the full bytes.

use std::hint::black_box;

use artifacts_core::{Limit, Marker, NotStored, Shape, Unmeasured};
use sha2::{Digest as _, Sha256};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::data::Kind;
use crate::table::{criterion, print, time};

/// Settling without a store, against SHA-256 alone and against counting grapheme clusters alone.
pub(crate) fn run() {
    let mut criterion = criterion();
    let Ok(limit) = Limit::graphemes(16_384) else {
        return;
    };
    let shape = Shape::new(limit);
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        let text = kind.text(BYTES);
        let name = kind.name();
        let sha = time(&mut criterion, &format!("{name}: sha256"), || {
            Sha256::digest(black_box(text.as_bytes()))
        });
        let count = time(&mut criterion, &format!("{name}: count"), || {
            black_box(text.as_str()).graphemes(true).count()
        });
        let settle = time(&mut criterion, &format!("{name}: settle"), || {
            settle(&shape, black_box(&text))
        });
        rows.push(vec![
            name.to_string(),
            format!("{:.2}", text.len() as f64 / settle.median),
            format!("{:.2}", settle.median / sha.median),
            format!("{:.2}", settle.median / count.median),
            format!("{:.0} %", 100.0 * settle.spread),
        ]);
    }
    println!("\nMeasure, hash, cut and render {BYTES} bytes; ratios of medians in this run:\n");
    let head = [
        "data",
        "GB/s",
        "to SHA-256",
        "to unicode-segmentation's count",
        "spread",
    ];
    print(&head, &rows);
}

fn settle(shape: &Shape, text: &str) -> String {
    let cut = shape.cut(text);
    let measured = Unmeasured::of_cut(text, cut).measure();
    let marker = Marker::not_stored(NotStored::Other, &measured, cut.elided(&measured));
    shape.render(&cut, &marker)
}

const BYTES: usize = 400_000;
