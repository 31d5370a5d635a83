//! Stubs for old observations.

use alloc::format;
use alloc::string::String;

use crate::ToolResult;

/// From which age on a result is shown as one line naming its artifact (SPEC 8.6).
///
/// Age counts results, not time. With a step, the boundary moves once in so many results, so that
/// requests in between begin with the same bytes and a provider's prompt cache holds.
///
/// ```
/// use compactor_cap::Ageing;
///
/// let ageing = Ageing::keeping(10).in_steps_of(5);
/// assert_eq!((ageing.old_of(14), ageing.old_of(15), ageing.old_of(19)), (0, 5, 5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ageing {
    keep: u64,
    step: u64,
}

impl Ageing {
    /// The newest `results` tool results stay; older ones may become stubs.
    #[must_use]
    pub fn keeping(results: u64) -> Self {
        Self {
            keep: results,
            step: 1,
        }
    }

    /// The boundary moves by `results` at a time; 0 counts as 1.
    #[must_use]
    pub fn in_steps_of(self, results: u64) -> Self {
        Self {
            step: results.max(1),
            ..self
        }
    }

    /// How many of `results` tool results are old: the first so many.
    #[must_use]
    pub fn old_of(self, results: u64) -> u64 {
        let past = results.saturating_sub(self.keep);
        past.saturating_sub(past % self.step)
    }

    /// The line for `result`, if a record names its artifact and the line is shorter than the
    /// text.
    pub(crate) fn stub(self, result: &ToolResult<'_>) -> Option<String> {
        let record = result.artifact()?;
        let line = record.marker_line().with_elided(record.whole_graphemes());
        let stub = format!("{OLD}\n{line}");
        (stub.len() < result.as_text().len()).then_some(stub)
    }
}

const OLD: &str = "[this tool result is old and no longer shown here]";
