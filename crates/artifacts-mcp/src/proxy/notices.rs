//! What the user is told beside the results.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells of the first result that could not be stored.
pub(super) struct Notices {
    tell: Box<dyn Fn(&str) + Send + Sync>,
    is_told: AtomicBool,
}

impl Notices {
    pub(super) fn told_by(tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            tell: Box::new(tell),
            is_told: AtomicBool::new(false),
        }
    }

    pub(super) fn not_stored(&self, tool: &str, why: &str) {
        if !self.is_told.swap(true, Ordering::Relaxed) {
            (self.tell)(&format!(
                "the result of {tool} could not be stored, and others may not be: {why}"
            ));
        }
    }
}

impl Default for Notices {
    fn default() -> Self {
        Self::told_by(|_| {})
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notices")
            .field("is_told", &self.is_told)
            .finish_non_exhaustive()
    }
}
