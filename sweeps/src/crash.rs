//! Crashes in simulation (T1, T4): the store's own code, every state, every wrong protocol.

use testkit::sweep::{self, Seen};
use testkit::workloads::Size;

use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally, short: bool) {
    let (size, stride) = match short {
        true => (Size::Short, 8),
        false => (Size::Long, 1),
    };
    report(tally, "one writer", &sweep::crashes(size));
    report(
        tally,
        "two writers, other bytes",
        &sweep::interleavings(stride, false),
    );
    report(
        tally,
        "two writers, equal bytes",
        &sweep::interleavings(stride, true),
    );
    report(tally, "faults at every operation", &sweep::faults(size));
    let mutants = sweep::mutants();
    let caught = mutants
        .iter()
        .filter(|(_, caught)| caught.is_some())
        .count();
    println!("wrong protocols: {caught} of {} caught", mutants.len());
    for (wrong, caught) in mutants {
        let outcome = caught.map(drop).ok_or_else(|| "not caught".to_string());
        tally.case(format!("wrong protocol {wrong:?}"), outcome);
    }
}

fn report(tally: &mut Tally, name: &str, seen: &Seen) {
    println!(
        "{name}: {} runs, {} crash points, {} states, {} violations",
        seen.runs, seen.points, seen.states, seen.violated
    );
    tally.passed(seen.states.saturating_sub(seen.violated));
    for violation in &seen.violations {
        tally.case(name, Err(violation.clone()));
    }
}
