//! What goes wrong, and when.

/// What happens instead of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It fails with this error number of Linux. A sync that fails loses what it covered: the
    /// pages count as clean and are never written.
    Error(i32),
    /// A write takes a single byte.
    Short,
    /// A write says that it took everything, and took a byte less.
    Lie,
}

/// How long a fault lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Persistence {
    /// One operation.
    Once,
    /// That operation and every later one of its kind.
    Kind,
    /// That operation and every later one, clean-up included.
    Everything,
}

/// A fault at the n-th operation.
#[derive(Debug, Clone)]
pub struct Plan {
    at: u64,
    fault: Fault,
    persistence: Persistence,
    kind: Option<String>,
}

impl Plan {
    /// Strikes the operation with number `at`, counted from 0.
    #[must_use]
    pub fn new(at: u64, fault: Fault, persistence: Persistence) -> Self {
        Self {
            at,
            fault,
            persistence,
            kind: None,
        }
    }

    pub(super) fn fault(&mut self, number: u64, op: &str) -> Option<Fault> {
        if matches!(self.fault, Fault::Short | Fault::Lie) && op != "write" {
            return None;
        }
        if number == self.at {
            self.kind = Some(op.to_string());
            return Some(self.fault);
        }
        let goes_on = match self.persistence {
            Persistence::Once => false,
            Persistence::Kind => self.kind.as_deref() == Some(op),
            Persistence::Everything => true,
        };
        (number > self.at && goes_on).then_some(self.fault)
    }
}
