//! What passed, failed and was skipped, one line each.

/// Counts of checks.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    passed: u32,
    failed: u32,
    skipped: u32,
}

impl Tally {
    /// Counts a check by its outcome, which says what was seen, or what was wrong.
    pub(crate) fn check(&mut self, name: &str, outcome: Result<String, String>) {
        match outcome {
            Ok(seen) => {
                self.passed += 1;
                println!("ok       {name}: {seen}");
            }
            Err(wrong) => {
                self.failed += 1;
                println!("FAILED   {name}: {wrong}");
            }
        }
    }

    /// Counts a check that this machine can't do.
    pub(crate) fn skip(&mut self, name: &str, why: &str) {
        self.skipped += 1;
        println!("skipped  {name}: {why}");
    }

    /// Prints the totals; returns how many failed.
    pub(crate) fn finish(&self) -> u32 {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        println!("{passed} passed, {failed} failed, {skipped} skipped");
        *failed
    }
}
