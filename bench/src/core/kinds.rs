//! What is measured of one kind of text.

use std::hint::black_box;

use artifacts_core::{Excerpter, Measure, Measured, Shape, Unmeasured, decode_lossy};
use sha2::{Digest as _, Sha256};
use unicode_segmentation::UnicodeSegmentation as _;

use super::Bounds;
use crate::data::Kind;
use crate::table::{Time, in_turn};

/// How a result reaches the settle path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// In memory, as a text where it is one.
    Whole,
    /// Piece by piece.
    Streamed,
}

impl Way {
    /// What is said of it after the name of the data.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Whole => "",
            Self::Streamed => ", streamed",
        }
    }
}

/// Data of one kind and size.
pub(super) struct Case {
    kind: Kind,
    way: Way,
    bytes: Vec<u8>,
    /// The decoded text.
    text: String,
    shape: Shape,
}

impl Case {
    pub(super) fn of(kind: Kind, way: Way, bytes: usize) -> Self {
        let bytes = kind.bytes(bytes);
        Self {
            kind,
            way,
            text: String::from_utf8_lossy(&bytes).into_owned(),
            bytes,
            shape: Shape::excerpt(),
        }
    }

    pub(super) fn time(&self, rounds: usize, calls: usize) -> Times {
        let text = self.text.as_str();
        let mut measure = || done(Measure::of(black_box(text)));
        // So slow that it would take most of the time.
        let [counted, reference] = in_turn(
            rounds.div_ceil(3),
            calls,
            [&mut measure, &mut || {
                done(black_box(text).graphemes(true).count())
            }],
        );
        let [count, validate, sha_of_text, sha, settle] = in_turn(
            rounds,
            calls,
            [
                &mut measure,
                &mut || done(simdutf8::basic::from_utf8(black_box(text.as_bytes()))),
                &mut || done(Sha256::digest(black_box(text.as_bytes()))),
                &mut || self.hash(),
                &mut || self.settle(),
            ],
        );
        Times {
            kind: self.kind,
            way: self.way,
            bytes: text.len() as f64,
            faster: reference.fast / counted.fast,
            count,
            validate,
            sha_of_text,
            sha,
            settle,
        }
    }

    fn hash(&self) {
        done(Sha256::digest(black_box(self.bytes.as_slice())));
    }

    /// Decides, cuts, measures and hashes as settling does: a text that is known to be one, or
    /// bytes.
    fn settle(&self) {
        let bytes = black_box(self.bytes.as_slice());
        if self.way == Way::Streamed {
            let mut excerpter = Excerpter::new(self.shape);
            excerpter.update(bytes);
            done(excerpter.finish());
        } else if self.kind == Kind::Random {
            match self.shape.shorten_lossy(bytes) {
                Some(lossy) => done((lossy.unmeasured().measure(), lossy)),
                None => {
                    let text = decode_lossy(bytes);
                    done((self.shape.cut(&text), Measured::of(bytes)));
                }
            }
        } else {
            let text = black_box(self.text.as_str());
            let cut = self.shape.shorten(text);
            let cut = cut.unwrap_or_else(|| self.shape.cut(text));
            done(Unmeasured::of_cut(text, cut).measure());
        }
    }
}

/// The times of one case.
pub(super) struct Times {
    kind: Kind,
    way: Way,
    /// Of the text.
    bytes: f64,
    /// How many times as fast as unicode-segmentation.
    faster: f64,
    count: Time,
    validate: Time,
    sha_of_text: Time,
    sha: Time,
    settle: Time,
}

/// The columns of [`Times::row`].
pub(super) const HEAD: [&str; 11] = [
    "data",
    "count GB/s",
    "to unicode-segmentation",
    "at least",
    "",
    "to simdutf8",
    "to SHA-256",
    "settle to SHA-256",
    "at most",
    "",
    "spread",
];

impl Times {
    pub(super) fn row(&self, size: &str, bounds: &mut Bounds) -> Vec<String> {
        let least = least_faster(self.kind);
        let settle = self.settle.fast / self.sha.fast;
        let name = format!("{}{}", self.kind.name(), self.way.suffix());
        let (most, met) = match most_to_hash(self.kind, size) {
            Some(most) => {
                let what = format!("settle {size} of {name}");
                (most.to_string(), bounds.at_most(what, settle, most))
            }
            None => Default::default(),
        };
        let counted = bounds.at_least(format!("count {size} of {name}"), self.faster, least);
        vec![
            name,
            format!("{:.2}", self.bytes / self.count.fast),
            format!("{:.1}", self.faster),
            least.to_string(),
            counted,
            format!("{:.2}", self.count.fast / self.validate.fast),
            format!("{:.2}", self.count.fast / self.sha_of_text.fast),
            format!("{settle:.2}"),
            most,
            met,
            format!("{:.0} %", 100.0 * self.settle.spread),
        ]
    }
}

/// Settling 100 KB and 4 MB, and what ten times the input takes.
pub(super) struct Settled {
    kind: Kind,
    way: Way,
    small: [Time; 2],
    large: [Time; 2],
    growth: f64,
}

/// The columns of [`Settled::row`].
pub(super) const SETTLED_HEAD: [&str; 10] = [
    "data",
    "100 KB to SHA-256",
    "at most",
    "",
    "4 MB to SHA-256",
    "at most",
    "",
    "4 MB to 400 KB",
    "at most",
    "",
];

impl Settled {
    pub(super) fn of(kind: Kind, way: Way) -> Self {
        let small = Case::of(kind, way, 100_000);
        let middle = Case::of(kind, way, 400_000);
        let large = Case::of(kind, way, 4_000_000);
        let [sha, settle] = in_turn(101, 1, [&mut || small.hash(), &mut || small.settle()]);
        let works: [&mut dyn FnMut(); 3] =
            [&mut || large.hash(), &mut || large.settle(), &mut || {
                middle.settle()
            }];
        let [large_sha, large_settle, middle_settle] = in_turn(31, 1, works);
        Self {
            kind,
            way,
            small: [sha, settle],
            large: [large_sha, large_settle],
            growth: large_settle.fast / middle_settle.fast,
        }
    }

    pub(super) fn row(&self, bounds: &mut Bounds) -> Vec<String> {
        let name = format!("{}{}", self.kind.name(), self.way.suffix());
        let mut row = vec![name.clone()];
        for (size, [sha, settle]) in [("100 KB", self.small), ("4 MB", self.large)] {
            let (ratio, most) = (settle.fast / sha.fast, most_to_hash(self.kind, size));
            let most = most.unwrap_or(f64::INFINITY);
            row.extend([
                format!("{ratio:.2}"),
                most.to_string(),
                bounds.at_most(format!("settle {size} of {name}"), ratio, most),
            ]);
        }
        row.extend([
            format!("{:.2}", self.growth),
            "11".to_owned(),
            bounds.at_most(format!("ten times the {name}"), self.growth, 11.0),
        ]);
        row
    }
}

/// Nanoseconds to decide that a text of `bytes` bytes, no more than the limit, passes whole.
pub(super) fn decision(bytes: usize) -> f64 {
    let mut text = Kind::Log.text(bytes);
    text.truncate(bytes);
    let shape = Shape::excerpt();
    let mut decide = || done(shape.shorten(black_box(&text)));
    let [time] = in_turn(31, 10_000, [&mut decide]);
    time.fast
}

/// Takes what was computed, so that it is.
fn done<T>(value: T) {
    black_box(value);
}

/// At least so many times as fast as unicode-segmentation.
fn least_faster(kind: Kind) -> f64 {
    match group(kind) {
        _ if kind == Kind::LogCrlf => 30.0,
        Group::Ascii => 100.0,
        Group::Spaced => 15.0,
        Group::Other => 4.0,
    }
}

/// Settling takes at most so many times as long as the hash; `None` where nothing is promised.
fn most_to_hash(kind: Kind, size: &str) -> Option<f64> {
    match (group(kind), size) {
        (_, "4 KB") => None,
        (Group::Ascii, "100 KB") => Some(1.35),
        (Group::Ascii, "64 MB") => Some(1.0),
        (Group::Ascii, _) => Some(1.15),
        (Group::Spaced, _) => Some(1.6),
        (Group::Other, _) => Some(3.5),
    }
}

/// Kinds with the same bounds.
enum Group {
    Ascii,
    /// Most scalars are clusters of their own.
    Spaced,
    Other,
}

fn group(kind: Kind) -> Group {
    match kind {
        Kind::Log | Kind::LogCrlf | Kind::Source | Kind::Json | Kind::Base64 | Kind::Ansi => {
            Group::Ascii
        }
        Kind::Latin | Kind::Cyrillic | Kind::Cjk | Kind::Korean => Group::Spaced,
        Kind::Hindi | Kind::Thai | Kind::Emoji | Kind::Combining | Kind::Random => Group::Other,
    }
}
