//! Crashes and faults on the simulated file system (P1, P2, P3, P4, P5, P10, P11).

use testkit::sweep::{self, Seen};
use testkit::workloads::Size;

#[track_caller]
fn check(seen: &Seen, states: u64) {
    assert_eq!(seen.violations, [""; 0]);
    assert!(seen.states >= states, "only {} states", seen.states);
}

#[test]
fn every_crash_of_one_writer_leaves_only_whole_and_acknowledged_artifacts() {
    check(&sweep::crashes(Size::Short), 2_000);
}

#[test]
fn two_writers_of_one_operation_each_keep_what_they_were_told() {
    check(&sweep::interleavings(173, false), 2_000);
    check(&sweep::interleavings(173, true), 2_000);
}

#[test]
fn after_a_fault_nothing_untrue_was_told_and_nothing_is_left() {
    check(&sweep::faults(Size::Short), 3_000);
}

#[test]
fn every_wrong_protocol_is_caught() {
    let missed: Vec<_> = sweep::mutants()
        .into_iter()
        .filter_map(|(wrong, caught)| caught.is_none().then_some(wrong))
        .collect();
    assert_eq!(missed, []);
}
