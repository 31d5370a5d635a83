//! Spans with sizes, outcome and time, and never a word of content (SPEC 5.9).

use std::time::Instant;

use tracing::field::Empty;
use tracing::{Span, info_span};

use crate::{Kept, Operation, Settled};

/// A span that says how long it lasted. Telemetry only: nothing settled depends on it.
#[derive(Debug)]
pub(crate) struct Timed {
    span: Span,
    began: Instant,
}

/// The span of one settle.
pub(crate) fn settle(operation: &Operation, bytes: usize) -> Timed {
    Timed::new(info_span!(
        "settle",
        op_id = operation.op_id().as_str(),
        tool = operation.tool(),
        bytes,
        observation_bytes = Empty,
        outcome = Empty,
        kept = Empty,
        micros = Empty,
    ))
}

/// The span of a write, or of a batch of writes, of `bytes` bytes.
pub(crate) fn store(bytes: usize) -> Span {
    info_span!("store", bytes)
}

/// The span of rendering what is shown of `bytes` bytes.
pub(crate) fn excerpt(bytes: u64) -> Span {
    info_span!("excerpt", bytes)
}

/// Fills in what is known at the end.
pub(crate) fn settled(timed: &Timed, settled: &Settled) {
    let span = &timed.span;
    if span.is_disabled() {
        return;
    }
    let kept = match settled.kept() {
        Kept::Whole => "whole",
        Kept::Stored(_) => "stored",
        Kept::NotStored(_) => "not stored",
    };
    span.record("observation_bytes", settled.observation().len());
    span.record("outcome", settled.outcome().as_str());
    span.record("kept", kept);
    let micros = timed.began.elapsed().as_micros();
    span.record("micros", u64::try_from(micros).unwrap_or(u64::MAX));
}

impl Timed {
    fn new(span: Span) -> Self {
        Self {
            span,
            began: Instant::now(),
        }
    }

    pub(crate) fn enter(&self) -> tracing::span::Entered<'_> {
        self.span.enter()
    }
}
