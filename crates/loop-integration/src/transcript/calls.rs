//! The calls that a model asked for, until they are dispatched.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ToolCall;

/// Calls of tools that no dispatch record answers yet, oldest first. Their ids may repeat.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenCalls {
    calls: BTreeMap<u64, ToolCall>,
    /// Where the calls of each id are.
    places: BTreeMap<Arc<str>, BTreeSet<u64>>,
    next: u64,
}

impl OpenCalls {
    /// Adds calls of a message.
    pub(super) fn open(&mut self, calls: &[ToolCall]) {
        for call in calls {
            let places = self.places.entry(Arc::clone(&call.id)).or_default();
            places.insert(self.next);
            self.calls.insert(self.next, call.clone());
            self.next += 1;
        }
    }

    /// Takes away the oldest call with this id, if there is one.
    pub(super) fn answer(&mut self, id: &str) {
        let Some(places) = self.places.get_mut(id) else {
            return;
        };
        if let Some(oldest) = places.pop_first() {
            self.calls.remove(&oldest);
        }
        if places.is_empty() {
            self.places.remove(id);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls.values()
    }
}
