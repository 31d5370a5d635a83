//! Measuring with criterion, and the table of ratios.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;

use crate::clock::Clock;

/// The times of one function: nanoseconds for one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    /// Half of the calls were faster.
    pub(crate) median: f64,
    /// A tenth of the calls were faster: what a call takes when a shared disk is not in the way.
    pub(crate) fast: f64,
    /// Half of the interquartile range, as a share of the median.
    pub(crate) spread: f64,
}

/// A criterion that samples briefly and draws nothing.
pub(crate) fn criterion() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(500))
}

/// Times `work` under `criterion`.
pub(crate) fn time<T>(criterion: &mut Criterion, name: &str, mut work: impl FnMut() -> T) -> Time {
    let samples = RefCell::new(Vec::new());
    criterion.bench_function(name, |bencher| {
        bencher.iter_custom(|calls| {
            let start = Instant::now();
            for _ in 0..calls {
                black_box(work());
            }
            let taken = start.elapsed();
            samples
                .borrow_mut()
                .push(taken.as_nanos() as f64 / calls.max(1) as f64);
            taken
        });
    });
    Time::of(samples.into_inner())
}

/// Times two functions in turn, `rounds` times each after one round to warm up: for work so long
/// that a busy machine would change between one and the other.
pub(crate) fn interleaved<A, B>(
    rounds: usize,
    one: impl FnMut() -> A,
    other: impl FnMut() -> B,
) -> (Time, Time) {
    in_turns(rounds, Clock::Wall, one, other)
}

/// As [`interleaved`] in time of the processor, for work that waits for nothing: what else the
/// machine does takes no part.
pub(crate) fn interleaved_work<A, B>(
    rounds: usize,
    one: impl FnMut() -> A,
    other: impl FnMut() -> B,
) -> (Time, Time) {
    in_turns(rounds, Clock::Processor, one, other)
}

fn in_turns<A, B>(
    rounds: usize,
    clock: Clock,
    mut one: impl FnMut() -> A,
    mut other: impl FnMut() -> B,
) -> (Time, Time) {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    let mut time_one = || ones.push(nanos(clock, &mut one));
    let mut time_other = || others.push(nanos(clock, &mut other));
    for round in 0..=rounds {
        // In turn the first: whoever follows the other's sync has less to wait for, or more.
        if round % 2 == 0 {
            time_one();
            time_other();
        } else {
            time_other();
            time_one();
        }
    }
    ones.remove(0);
    others.remove(0);
    (Time::of(ones), Time::of(others))
}

/// What one call takes. Letting go of what was made is not part of making it.
fn nanos<T>(clock: Clock, work: &mut impl FnMut() -> T) -> f64 {
    let start = clock.now();
    let made = black_box(work());
    let taken = clock.now().saturating_sub(start).as_nanos() as f64;
    drop(made);
    taken
}

/// Times several functions in turn, as [`interleaved`] does two; a sample is the mean of `calls`
/// calls.
pub(crate) fn in_turn<const N: usize>(
    rounds: usize,
    calls: usize,
    mut works: [&mut dyn FnMut(); N],
) -> [Time; N] {
    let mut samples = [(); N].map(|()| Vec::new());
    for round in 0..=rounds {
        for (work, samples) in works.iter_mut().zip(&mut samples) {
            let start = Instant::now();
            for _ in 0..calls {
                work();
            }
            let taken = start.elapsed().as_nanos() as f64 / calls.max(1) as f64;
            // The first round warms up.
            if round > 0 {
                samples.push(taken);
            }
        }
    }
    samples.map(Time::of)
}

impl Time {
    /// The times of these samples, in nanoseconds.
    pub(crate) fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (samples.len().saturating_sub(1)) as f64 * share;
            samples.get(index as usize).copied().unwrap_or(f64::NAN)
        };
        Self {
            median: at(0.5),
            fast: at(0.1),
            spread: (at(0.75) - at(0.25)) / 2.0 / at(0.5),
        }
    }
}

/// One line of a table: what was measured, beside what, their ratio and what it may be at most.
/// Without a bound the ratio is there to be read.
pub(crate) fn row(
    name: &str,
    beside: &str,
    at_most: Option<f64>,
    (ours, bare): (Time, Time),
) -> Vec<String> {
    let ratio = ours.fast / bare.fast;
    let verdict = match at_most {
        None => "",
        Some(at_most) if ratio <= at_most => "ok",
        Some(_) => "over",
    };
    vec![
        name.to_owned(),
        format!("{:.0}", ours.fast / 1e3),
        beside.to_owned(),
        format!("{:.0}", bare.fast / 1e3),
        format!("{ratio:.2}"),
        at_most.map_or_else(String::new, |at_most| format!("{at_most:.2}")),
        verdict.to_owned(),
        format!("{:.2}", ours.median / bare.median),
        format!("{:.0} %", 100.0 * ours.spread.max(bare.spread)),
    ]
}

/// Prints a Markdown table.
pub(crate) fn print(head: &[&str], rows: &[Vec<String>]) {
    print!("{}", markdown(head, rows));
}

/// A Markdown table.
pub(crate) fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut table = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        table.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    table
}
