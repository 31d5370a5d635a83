//! Counting and settling without a disk, against the bounds that the core is built for; written
//! to `docs/benchmarks.md`.

mod kinds;
mod machine;
mod runs;
mod stream;

pub(crate) use stream::memory_bytes;

use std::error::Error;
use std::fmt::Display;

use crate::data::Kind;
use crate::table::markdown;
use kinds::{Case, Settled, Way};

/// Measures everything, prints the document and writes it.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let mut bounds = Bounds::default();
    // First, while nothing else has taken memory.
    let stream = stream::section(&mut bounds)?;
    let mut sections = vec![decision(&mut bounds)];
    let mut settled = Vec::new();
    let mut tables = SIZES.map(|_| Vec::new());
    let streamed = (Kind::Random, Way::Streamed);
    let data = Kind::ALL.map(|kind| (kind, Way::Whole)).into_iter();
    for (kind, way) in data.chain([streamed]) {
        for ((name, bytes, rounds, calls), rows) in SIZES.iter().zip(&mut tables) {
            let case = Case::of(kind, way, *bytes);
            rows.push(case.time(*rounds, *calls).row(name, &mut bounds));
        }
        settled.push(Settled::of(kind, way).row(&mut bounds));
        println!("measured: {}{}", kind.name(), way.suffix());
    }
    for ((name, ..), rows) in SIZES.iter().zip(&tables) {
        sections.push(format!("## {name}\n\n{}", markdown(&kinds::HEAD, rows)));
    }
    sections.push(format!(
        "## Settling 100 KB and 4 MB, and ten times the input\n\n{}",
        markdown(&kinds::SETTLED_HEAD, &settled)
    ));
    sections.push(runs::section(&mut bounds));
    sections.push(stream);
    let document = [
        INTRODUCTION,
        &machine::section(),
        &bounds.section(),
        &sections.join("\n"),
    ];
    let document = document.join("\n");
    println!("\n{document}");
    write(&document)
}

/// How long it takes to decide that a result fits, without reading it.
fn decision(bounds: &mut Bounds) -> String {
    let rows = [1_000, 4_000, 16_384].map(|bytes| {
        let nanoseconds = kinds::decision(bytes);
        vec![
            bytes.to_string(),
            format!("{nanoseconds:.1}"),
            "50".to_owned(),
            bounds.at_most(format!("decide {bytes} bytes"), nanoseconds, 50.0),
        ]
    });
    let head = ["bytes", "ns", "at most", ""];
    format!(
        "## Deciding that a result fits\n\n{}",
        markdown(&head, &rows)
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "a document of the repository, not an artifact"
)]
fn write(document: &str) -> Result<(), Box<dyn Error>> {
    std::fs::write(DOCUMENT, document)?;
    println!("written: {DOCUMENT}");
    Ok(())
}

/// Which bounds are met.
#[derive(Default)]
struct Bounds {
    met: usize,
    missed: Vec<String>,
}

impl Bounds {
    fn at_most(&mut self, what: impl Display, value: f64, bound: f64) -> String {
        self.check(what, value <= bound, value, bound)
    }

    fn at_least(&mut self, what: impl Display, value: f64, bound: f64) -> String {
        self.check(what, value >= bound, value, bound)
    }

    fn check(&mut self, what: impl Display, met: bool, value: f64, bound: f64) -> String {
        if met {
            self.met += 1;
            return "met".to_owned();
        }
        self.missed
            .push(format!("{what}: {value:.2}, bound {bound}"));
        "missed".to_owned()
    }

    fn section(&self) -> String {
        let all = self.met + self.missed.len();
        let mut section = format!("## Bounds\n\n{} of {all} met.\n", self.met);
        if !self.missed.is_empty() {
            section.push_str("Missed:\n\n");
        }
        for missed in &self.missed {
            section.push_str(&format!("- {missed}\n"));
        }
        section
    }
}

/// Name, bytes, rounds, and calls in each round.
const SIZES: [(&str, usize, usize, usize); 3] = [
    ("4 KB", 4_000, 31, 50),
    ("400 KB", 400_000, 21, 1),
    ("64 MB", 64_000_000, 6, 1),
];

const DOCUMENT: &str = "docs/benchmarks.md";

const INTRODUCTION: &str = "\
# Benchmarks of the core

Written by `cargo xtask bench core`. Every ratio is of times taken in turn in one process: of the
fastest tenth of the rounds, which is the fastest round where there are few. *Spread* is half of the
interquartile range, as a share of the median, of the settle. The data are generated, the same in
every run; random bytes are counted in their lossy decoding and settled as they are, once in memory
and once through `Excerpter`.

- *count*: `Measure::of`, against `graphemes(true).count()` of unicode-segmentation (how many times
  as fast), against validation by simdutf8 and against SHA-256 by sha2 (how many times as long).
- *settle*: decide, cut with the default shape, measure and hash, against SHA-256 alone. What fits
  is cut all the same.
- *bound*: what the core is built to reach. Where one is missed the result is slower than meant, not
  another.
";
