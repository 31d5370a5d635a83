//! What the user is told beside the results.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells of the first result that could not be stored, of the first that is no UTF-8, and of the
/// policies that the first listing shows to be nobody's.
pub(super) struct Notices {
    tell: Box<dyn Fn(&str) + Send + Sync>,
    is_told: AtomicBool,
    is_other_than_utf8_told: AtomicBool,
    are_tools_told: AtomicBool,
}

impl Notices {
    pub(super) fn told_by(tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            tell: Box::new(tell),
            is_told: AtomicBool::new(false),
            is_other_than_utf8_told: AtomicBool::new(false),
            are_tools_told: AtomicBool::new(false),
        }
    }

    pub(super) fn not_stored(&self, tool: &str, why: &str) {
        if !self.is_told.swap(true, Ordering::Relaxed) {
            (self.tell)(&format!(
                "the result of {tool} could not be stored, and others may not be: {why}"
            ));
        }
    }

    /// Of a result in a line with so many invalid sequences.
    pub(super) fn not_utf8(&self, sequences: u64) {
        if !self.is_other_than_utf8_told.swap(true, Ordering::Relaxed) {
            (self.tell)(&format!(
                "a result has {sequences} invalid UTF-8 sequences, which JSON can't have: they are \
                 stored and shown as U+FFFD, and those of others will be"
            ));
        }
    }

    pub(super) fn unknown_tools(&self, tools: &[Arc<str>]) {
        if !self.are_tools_told.swap(true, Ordering::Relaxed) && !tools.is_empty() {
            let names = tools.iter().map(|name| format!("{name:?}"));
            let names = names.collect::<Vec<_>>().join(", ");
            (self.tell)(&format!(
                "the policy file names tools that the server does not have, so correct it: {names}"
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
            .field("are_tools_told", &self.are_tools_told)
            .finish_non_exhaustive()
    }
}
