//! `cargo xtask eval tokens`: fits the weights of the token estimate to a real vocabulary, and
//! writes how far off the estimate is on texts that were not fitted to.

mod fit;
mod generated;
mod sets;

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use artifacts_core::{TokenEstimator, TokenFeatures, TokenWeights};
use artifacts_tokens::Tiktoken;

use sets::{Half, Set};

/// Fits, measures, writes `docs/tokens.md`.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let exact = Tiktoken::o200k();
    let default = TokenWeights::default();
    let fitted = fit::fit(&sets::all(Half::Fitted)?, &exact);
    println!(
        "fitted weights, in thousandths of a token: {:?}",
        fitted.milli_tokens()
    );
    let nearest = |one: &u32, other: &u32| one.abs_diff(*other) <= 1;
    let mut pairs = fitted.milli_tokens().iter().zip(default.milli_tokens());
    match pairs.all(|(one, other)| nearest(one, other)) {
        true => println!("the default weights are these"),
        false => {
            println!("the default weights are others: see crates/artifacts-core/src/tokens.rs")
        }
    }
    let held = sets::all(Half::Held)?;
    let mut page = HEAD.to_owned();
    for set in &held {
        page.push_str(&row(set, &exact, &default));
    }
    page.push_str(&weights(&default));
    print!("{page}");
    speed(&held, &exact, &default);
    write_page(&page)
}

/// The error of the whole set, and of its samples of 2 KB.
fn row(set: &Set, exact: &Tiktoken, weights: &TokenWeights) -> String {
    let samples = set.samples();
    let whole = |tokens: &dyn Fn(&str) -> f64| samples.iter().map(|text| tokens(text)).sum::<f64>();
    let bytes = whole(&|text| text.len() as f64);
    let real = whole(&|text| exact.tokens(text) as f64);
    let estimate = whole(&|text| weights.tokens(text) as f64);
    let fours = whole(&|text| text.chars().count() as f64 / 4.0);
    let mut errors = samples
        .iter()
        .map(|text| (weights.tokens(text) as f64 / exact.tokens(text).max(1) as f64 - 1.0).abs())
        .collect::<Vec<_>>();
    errors.sort_by(f64::total_cmp);
    let worst = errors.last().copied().unwrap_or_default();
    let percent = |estimated: f64| format!("{:+.0} %", (estimated / real - 1.0) * 100.0);
    format!(
        "| {} | {:.0} | {} | {} | {:.0} % |\n",
        set.name,
        real / bytes * 1_000.0,
        percent(fours),
        percent(estimate),
        worst * 100.0
    )
}

fn weights(weights: &TokenWeights) -> String {
    let mut table = String::from(WEIGHTS_HEAD);
    let named = TokenFeatures::NAMES.iter().zip(weights.milli_tokens());
    for (name, weight) in named {
        let _ = writeln!(table, "| {name} | {:.3} |", f64::from(*weight) / 1_000.0);
    }
    table
}

/// Prints how fast both read, which no page quotes.
fn speed(held: &[Set], exact: &Tiktoken, weights: &TokenWeights) {
    let text = held
        .iter()
        .flat_map(|set| set.samples())
        .collect::<String>();
    let mib_per_second = |estimator: &dyn TokenEstimator, text: &str| {
        let start = Instant::now();
        black_box(estimator.tokens(black_box(text)));
        text.len() as f64 / 1e6 / start.elapsed().as_secs_f64()
    };
    println!(
        "\n{:.0} KB of the held texts: estimate {:.0} MB/s, exact {:.0} MB/s",
        text.len() as f64 / 1e3,
        mib_per_second(weights, &text),
        mib_per_second(exact, &text),
    );
    let large = text.repeat(64_000_000 / text.len().max(1));
    let start = Instant::now();
    let sampled = black_box(weights.tokens(black_box(&large)));
    println!(
        "{:.0} MB of them: {:.2} ms, {:+.1} % from as many times the small estimate",
        large.len() as f64 / 1e6,
        start.elapsed().as_secs_f64() * 1e3,
        (sampled as f64 / large.len() as f64 * text.len() as f64 / weights.tokens(&text) as f64
            - 1.0)
            * 100.0
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a page of the repository, not an artifact"
)]
fn write_page(page: &str) -> Result<(), Box<dyn Error>> {
    std::fs::write(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tokens.md"),
        page,
    )?;
    Ok(())
}

const HEAD: &str = "\
# The token estimate

`TokenWeights::default()` estimates tokens without a tokenizer. `cargo xtask eval tokens` fits its weights to the o200k
vocabulary, measures it on other texts than those, and writes this page. The fitted texts and the held ones have different
subjects, templates, files and seeds: `bench/data/tokens`, `bench/src/tokens`.

Errors are of the estimated number against the counted one: in all, and for the worst sample of about 2 KB (of a paragraph
where the set is one). `chars / 4` is what many programs use.

| held texts | tokens/KB | chars / 4 | estimate | worst held sample |
|---|---|---|---|---|
";

const WEIGHTS_HEAD: &str = "
The worst held sample is no bound: a script or a kind of text that was not fitted can be many times further off, such as
long runs of a rare sign. Lao, Khmer and Burmese are fitted to nothing: they have the weights of other scripts. A model of
another vendor has another vocabulary. Stack traces come out too high, by more than `chars / 4`: the names that they repeat are
few tokens each. Where a number decides something, use an exact tokenizer: `artifacts-tokens`.

| what is counted | tokens each |
|---|---|
";
