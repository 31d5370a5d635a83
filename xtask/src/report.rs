//! How a command reports: one line for each check, then the totals.

/// The checks of one command, printed as they come.
#[derive(Debug, Default)]
pub(crate) struct Report {
    passed: usize,
    failed: usize,
    skipped: usize,
    quiet: bool,
}

impl Report {
    /// What [`finish`](Self::finish) returns when nothing failed.
    pub(crate) const CLEAN: usize = 0;

    /// A report that keeps quiet about what passed.
    pub(crate) fn quiet() -> Self {
        Self {
            quiet: true,
            ..Self::default()
        }
    }

    /// Records a check that found nothing.
    pub(crate) fn pass(&mut self, name: &str, detail: &str) {
        self.passed += 1;
        if !self.quiet {
            println!("ok       {name}: {detail}");
        }
    }

    /// Records a check that found something.
    pub(crate) fn fail(&mut self, name: &str, detail: &str) {
        self.failed += 1;
        println!("FAILED   {name}: {detail}");
    }

    /// Records a check that this machine can't run.
    pub(crate) fn skip(&mut self, name: &str, reason: &str) {
        self.skipped += 1;
        println!("skipped  {name}: {reason}");
    }

    /// Records a check by what it found: nothing is a pass.
    pub(crate) fn check(&mut self, name: &str, detail: &str, findings: &[String]) {
        if findings.is_empty() {
            return self.pass(name, detail);
        }
        for finding in findings {
            println!("         {finding}");
        }
        self.fail(name, &format!("{} found; {detail}", findings.len()));
    }

    /// Adds the totals of `inner` as one check, whose own checks have printed themselves.
    pub(crate) fn nest(&mut self, name: &str, inner: Self) {
        let Self {
            passed,
            failed,
            skipped,
            ..
        } = inner;
        let detail = format!("{passed} checks passed, {failed} failed, {skipped} skipped");
        match failed {
            0 => self.pass(name, &detail),
            _ => self.fail(name, &detail),
        }
    }

    /// Prints the totals; returns how many checks failed.
    pub(crate) fn finish(self) -> usize {
        let Self {
            passed,
            failed,
            skipped,
            ..
        } = self;
        if skipped > 0 {
            println!("{skipped} skipped");
        }
        println!("{passed} passed, {failed} failed");
        failed
    }
}
