//! The fuzz targets on any toolchain: random inputs and changed seeds, for a time, with a fixed
//! number of kinds of change. cargo-fuzz in `fuzz/` runs the same targets guided by coverage.

mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use sweeps::targets::{TARGETS, Target};

use crate::random::Random;
use crate::tally::Tally;

/// Each target for its share of `seconds` (60; with `short`, 10).
pub(crate) fn run(tally: &mut Tally, seconds: Option<u64>, short: bool) {
    let seconds = seconds.unwrap_or(if short { 10 } else { 60 });
    let share = Duration::from_secs(seconds) / TARGETS.len() as u32;
    let seed = u64::from(std::process::id());
    println!("fuzz: seed {seed}");
    for (name, target) in TARGETS {
        let mut random = Random::new(seed);
        let (start, mut inputs) = (Instant::now(), 0);
        while start.elapsed() < share {
            let input = mutate::input(&mut random);
            if let Err(why) = check(target, &input) {
                let (input, why) = shrunk(target, input, why);
                tally.case(format!("{name} of \"{}\"", input.escape_ascii()), Err(why));
                break;
            }
            inputs += 1;
        }
        tally.passed(inputs);
        println!("fuzz: {name}: {inputs} inputs");
    }
}

/// A panic is a finding as well.
fn check(target: Target, input: &[u8]) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| target(input))).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panicked: {}", said.unwrap_or("no message")))
    })
}

/// The input without every piece that can be left out.
fn shrunk(target: Target, mut input: Vec<u8>, mut why: String) -> (Vec<u8>, String) {
    let mut size = input.len() / 2;
    while size > 0 {
        let mut start = 0;
        while start < input.len() {
            let mut smaller = input.clone();
            smaller.drain(start..(start + size).min(input.len()));
            match check(target, &smaller) {
                Err(still) => (input, why) = (smaller, still),
                Ok(()) => start += size,
            }
        }
        size /= 2;
    }
    (input, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_holds_on_the_seeds_and_on_changes_of_them() {
        let mut random = Random::new(1);
        let seeds = mutate::SEEDS.iter().map(|seed| seed.as_bytes().to_vec());
        let changed = (0..100).map(|_| mutate::input(&mut random));
        for input in seeds.chain(changed) {
            for (name, target) in TARGETS {
                assert_eq!(check(target, &input), Ok(()), "{name} of {input:?}");
            }
        }
    }

    #[test]
    fn a_finding_is_shrunk_to_what_makes_it_one() {
        let finds = |input: &[u8]| match input.contains(&b'!') {
            true => panic!("found"),
            false => Ok(()),
        };
        let (input, why) = shrunk(finds, b"a long input! and more".to_vec(), String::new());
        assert_eq!(input, b"!");
        assert_eq!(why, "panicked: found");
    }
}
