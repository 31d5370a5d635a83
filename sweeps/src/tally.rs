//! What passed, failed and was skipped.

use std::fmt;
use std::time::{Duration, Instant};

/// Counts of cases, and when to stop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
    deadline: Option<Instant>,
}

impl Tally {
    /// Sweeps for so many seconds, whatever the numbers of cases say.
    pub(crate) fn within(seconds: u64) -> Self {
        Self {
            deadline: Some(Instant::now() + Duration::from_secs(seconds)),
            ..Self::default()
        }
    }

    /// Whether random cases go on, of which `done` were done and `wanted` are wanted without a time.
    pub(crate) fn goes_on(&self, done: u64, wanted: u64) -> bool {
        match self.deadline {
            Some(_) => !self.is_over(),
            None => done < wanted,
        }
    }

    /// Whether the time is over, so that the cases that are left are not tried.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Works for one of `shares` of the time that is left, so that there is some for what follows.
    pub(crate) fn for_a_share(&mut self, shares: u32, work: impl FnOnce(&mut Self)) {
        let (whole, now) = (self.deadline, Instant::now());
        self.deadline = whole.map(|end| now + end.saturating_duration_since(now) / shares);
        work(self);
        self.deadline = whole;
    }

    /// Counts a case by its outcome, and prints what failed.
    pub(crate) fn case(&mut self, name: impl fmt::Display, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(why) => {
                self.failed += 1;
                println!("FAILED   {name}: {why}");
            }
        }
    }

    /// Counts cases that were checked together.
    pub(crate) fn passed(&mut self, cases: u64) {
        self.passed += cases;
    }

    /// Counts a case that this machine can't do.
    pub(crate) fn skip(&mut self, name: impl fmt::Display, why: impl fmt::Display) {
        self.skipped += 1;
        println!("skipped  {name}: {why}");
    }

    /// What was added since `before`.
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            passed: self.passed - before.passed,
            failed: self.failed - before.failed,
            skipped: self.skipped - before.skipped,
            deadline: None,
        }
    }

    /// Prints the totals; returns how many failed.
    pub(crate) fn finish(self) -> u64 {
        println!("{self}");
        self.failed
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        match self.skipped {
            0 => Ok(()),
            skipped => write!(f, ", {skipped} skipped"),
        }
    }
}
