//! What passed, failed and was skipped.

use std::fmt;

/// Counts of cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Tally {
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
