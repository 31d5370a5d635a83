//! The sweeps over the simulated file system: crashes, interleavings, faults, mutants.

use std::fmt;

use crate::model::{Run, Step, Workload};
use crate::mutants::Wrong;
use crate::promises;
use crate::sim::{Fault, Persistence, Plan, State};
use crate::workloads::{BLOCK, Size, body, with_directory, workloads};

/// What a sweep saw.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Seen {
    /// How many runs.
    pub runs: u64,
    /// How many moments a crash was tried at.
    pub points: u64,
    /// How many distinct states the crashes left.
    pub states: u64,
    /// What did not hold, the first few.
    pub violations: Vec<String>,
    /// How many did not hold.
    pub violated: u64,
    /// Ends the sweep at the first violation.
    first_only: bool,
}

impl Seen {
    fn is_done(&self) -> bool {
        self.first_only && self.violated > 0
    }

    fn violation(&mut self, workload: &Workload, what: impl fmt::Display) {
        self.violated += 1;
        if self.violations.len() < 5 {
            self.violations.push(format!("{}: {what}", workload.name()));
        }
    }
}

/// Crashes at every moment of every workload of one writer (P1, P2, P3).
#[must_use]
pub fn crashes(size: Size) -> Seen {
    let mut seen = Seen::default();
    crash_all(&mut seen, size, Wrong::Nothing);
    seen
}

fn crash_all(seen: &mut Seen, size: Size, wrong: Wrong) {
    for workload in workloads(size) {
        if seen.is_done() {
            return;
        }
        let sim = workload.sim();
        sim.record();
        let run = Run::new(&sim, wrong);
        seen.runs += 1;
        for step in workload.steps() {
            if let Err(error) = run.step(step) {
                seen.violation(&workload, error);
            }
        }
        if !promises::leftovers(&sim.state()).is_empty() {
            seen.violation(&workload, "a staging file is left");
        }
        check_all(seen, &workload, &sim.recorded());
    }
}

/// Two writers of the same operation in one directory: every `stride`-th of the interleavings
/// of their first changes, with a crash at every moment (P10).
#[must_use]
pub fn interleavings(stride: usize, equal: bool) -> Seen {
    let mut seen = Seen::default();
    interleave(&mut seen, stride, equal, Wrong::Nothing);
    seen
}

fn interleave(seen: &mut Seen, stride: usize, equal: bool, wrong: Wrong) {
    let orders = orders(CHANGES, CHANGES);
    for order in orders.into_iter().step_by(stride.max(1)) {
        if seen.is_done() {
            return;
        }
        let bodies = [body(1, 1), body(if equal { 1 } else { 2 }, 1)];
        let steps = bodies.clone().map(|body| Step::Settle("op-1", body));
        let workload = Workload::new("two writers", with_directory(), steps.to_vec());
        let sim = workload.sim();
        let first = Run::new(&sim.as_writer(0), wrong);
        let second = Run::new(&sim.as_writer(1), wrong).with_other_transcript();
        let runs = [first, second];
        // Each has settled before, so that the race is about this one operation.
        for (run, op) in runs.iter().zip(["op-8", "op-9"]) {
            let _ = run.step(&Step::Settle(op, body(1, 1)));
        }
        sim.record();
        sim.schedule(order);
        seen.runs += 1;
        let failed: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = runs
                .iter()
                .zip(&steps)
                .enumerate()
                .map(|(writer, (run, step))| {
                    let sim = sim.as_writer(writer);
                    scope.spawn(move || {
                        let outcome = run.step(step);
                        sim.finish();
                        outcome.err()
                    })
                })
                .collect();
            let joined = threads
                .into_iter()
                .filter_map(|thread| thread.join().unwrap());
            joined.collect()
        });
        for error in failed {
            seen.violation(&workload, error);
        }
        check_all(seen, &workload, &sim.recorded());
    }
}

/// Every fault at every operation of every workload (P4, P5, P11); what is told must be true, in
/// memory and after a crash.
#[must_use]
pub fn faults(size: Size) -> Seen {
    let mut seen = Seen::default();
    fault_all(&mut seen, size, Wrong::Nothing);
    seen
}

fn fault_all(seen: &mut Seen, size: Size, wrong: Wrong) {
    for workload in workloads(Size::Short).into_iter().filter(is_small) {
        for persistence in [
            Persistence::Once,
            Persistence::Kind,
            Persistence::Everything,
        ] {
            for fault in faults_of(size) {
                let (mut at, mut ops) = (0, 1);
                while at < ops && !seen.is_done() {
                    let plan = Plan::new(at, fault, persistence);
                    ops = fault_at(seen, &workload, &plan, wrong);
                    at += 1;
                }
            }
        }
    }
}

/// Every mutant with whether it was caught, and by what.
#[must_use]
pub fn mutants() -> Vec<(Wrong, Option<String>)> {
    let caught = |wrong| {
        let mut seen = Seen {
            first_only: true,
            ..Seen::default()
        };
        crash_all(&mut seen, Size::Short, wrong);
        fault_all(&mut seen, Size::Short, wrong);
        interleave(&mut seen, 97, false, wrong);
        seen.violations.into_iter().next()
    };
    Wrong::ALL.map(|wrong| (wrong, caught(wrong))).into()
}

/// Runs a workload with a fault; returns how many operations there were to strike.
fn fault_at(seen: &mut Seen, workload: &Workload, plan: &Plan, wrong: Wrong) -> u64 {
    let sim = workload.sim();
    sim.plan(Some(plan.clone()));
    let run = Run::new(&sim, wrong);
    for step in workload.steps() {
        // A failure is told; what must not be is that something untrue is told.
        let _ = run.step(step);
    }
    let (ops, struck) = (sim.ops(), sim.struck());
    sim.plan(None);
    seen.runs += 1;
    let state = sim.state();
    let left = promises::leftovers(&state);
    if !left.is_empty() && !struck.contains("remove") {
        seen.violation(workload, format!("{plan:?} left {left:?}"));
    }
    check_all(seen, workload, &[state]);
    ops
}

fn check_all(seen: &mut Seen, workload: &Workload, moments: &[State]) {
    let bodies = workload.bodies();
    for moment in moments {
        if seen.is_done() {
            return;
        }
        seen.points += 1;
        for state in moment.crashes() {
            seen.states += 1;
            for violation in promises::violations(&state, &bodies) {
                seen.violation(workload, violation);
            }
            if let Some(violation) = promises::fails_again(&state, workload.steps()) {
                seen.violation(workload, violation);
            }
        }
    }
}

fn faults_of(size: Size) -> Vec<Fault> {
    let errors: &[i32] = match size {
        Size::Short => &[EIO, ENOSPC, EINTR, EACCES],
        Size::Long => &[EIO, ENOSPC, EDQUOT, EINTR, EACCES, EROFS, EMFILE, ENOSYS],
    };
    let errors = errors.iter().map(|errno| Fault::Error(*errno));
    errors.chain([Fault::Short, Fault::Lie]).collect()
}

fn is_small(workload: &Workload) -> bool {
    let size = |step: &Step| match step {
        Step::Settle(_, body) | Step::Stream(_, body) => body.len(),
        Step::Batch(items) => items.iter().map(|(_, body)| body.len()).sum(),
        Step::Remove(_) => 0,
    };
    workload.steps().iter().all(|step| size(step) <= 3 * BLOCK)
}

/// All orders of so many changes of each of two writers.
fn orders(first: usize, second: usize) -> Vec<Vec<usize>> {
    if first == 0 || second == 0 {
        return vec![[vec![0; first], vec![1; second]].concat()];
    }
    let with = |writer: usize, rest: Vec<Vec<usize>>| {
        rest.into_iter().map(move |mut order| {
            order.insert(0, writer);
            order
        })
    };
    let zero = with(0, orders(first - 1, second));
    zero.chain(with(1, orders(first, second - 1))).collect()
}

/// How many changes of each writer are interleaved in every way.
const CHANGES: usize = 7;

const EINTR: i32 = 4;
const EIO: i32 = 5;
const EACCES: i32 = 13;
const EMFILE: i32 = 24;
const ENOSPC: i32 = 28;
const EROFS: i32 = 30;
const ENOSYS: i32 = 38;
const EDQUOT: i32 = 122;
