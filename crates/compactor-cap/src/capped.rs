//! The cap itself: how much of a tool's text a summarizer is sent.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use core::fmt;

use artifacts_core::{Limit, Measure};

use crate::text::Text;
use crate::{ArtifactRecord, Error, ErrorKind, ToolCall, ToolResult};

/// `tool_result_cap`: how many grapheme clusters of each tool result, and of each call's
/// arguments, a summarizer is sent (SPEC 8.1).
///
/// A cluster may hold any number of bytes, so a cap also has a byte ceiling of 8 bytes for each
/// cluster, like every [`Limit`] (SPEC 1.4). A text at the cap stays as it is where it is within
/// that ceiling, too: 2,000 emoji of 25 bytes each are at the cap, over the ceiling, and cut.
///
/// ```
/// use compactor_cap::{ToolResult, ToolResultCap};
///
/// let cap = ToolResultCap::new(4)?;
/// assert_eq!(
///     cap.result(&ToolResult::new("0123456789")).to_string(),
///     "0123\n... [6 more characters of tool output, truncated for summarization]",
/// );
/// assert_eq!(cap.result(&ToolResult::new("0123")).to_string(), "0123");
/// assert_eq!(ToolResultCap::default().graphemes(), 2_000);
/// # Ok::<(), compactor_cap::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ToolResultCap {
    limit: Limit,
    markers: MarkerLines,
}

/// Whether a capped result keeps the marker line that its record allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum MarkerLines {
    Leave,
    Keep,
}

impl ToolResultCap {
    /// The cap without configuration, in grapheme clusters.
    pub const DEFAULT: u64 = 2_000;

    /// A cap of `graphemes` clusters.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cap`] if `graphemes` is 0.
    pub fn new(graphemes: u64) -> Result<Self, Error> {
        match Limit::graphemes(graphemes) {
            Ok(limit) => Ok(Self {
                limit,
                markers: MarkerLines::Leave,
            }),
            Err(_) => Err(Error::new(
                ErrorKind::Cap,
                format!(
                    "tool_result_cap must be at least 1, got {graphemes}: leave it out for {}",
                    Self::DEFAULT
                ),
            )),
        }
    }

    /// The same cap, with the marker line of a capped result kept, so that a summary can name the
    /// artifact (SPEC 8.3). Only a result with a record has one.
    #[must_use]
    pub fn keeping_marker_lines(self) -> Self {
        Self {
            markers: MarkerLines::Keep,
            ..self
        }
    }

    /// The cap in grapheme clusters.
    #[must_use]
    pub fn graphemes(&self) -> u64 {
        self.limit.amount()
    }

    /// The cap as a limit, for the start-up check of all caps.
    ///
    /// A summarizer that must see every marker is a cap behind the settle path, as a host's is. One
    /// that [keeps marker lines](Self::keeping_marker_lines) loses none, and needs no check.
    ///
    /// ```
    /// use artifacts_core::{Limit, Shape, Stage, check_order};
    /// use compactor_cap::ToolResultCap;
    ///
    /// let settles = Stage::settles("limit", Shape::excerpt());
    /// let cap = Stage::cuts("tool_result_cap", ToolResultCap::default().limit());
    /// let refused = check_order(&[settles, cap]).unwrap_err().to_string();
    /// assert!(refused.starts_with("tool_result_cap (2,000 characters) would cut the marker out of"));
    ///
    /// let small = Shape::new(Limit::graphemes(1_000)?.with_byte_ceiling(1_000)?);
    /// assert!(check_order(&[Stage::settles("limit", small), cap]).is_ok());
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    #[must_use]
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// What a summarizer is sent of `result`.
    #[must_use]
    pub fn result<'a>(&self, result: &'a ToolResult<'_>) -> Capped<'a> {
        let text = result.as_text();
        let start = text.start(self.reach());
        let behind = text.after(start.len());
        let mut capped = self.text(start, behind, Capping::Result);
        if self.markers == MarkerLines::Keep && capped.more() > 0 {
            let shown = capped.head.len();
            capped.marker = result
                .artifact()
                .and_then(|record| kept_line(record, &text.whole(), shown));
        }
        capped
    }

    /// What a summarizer is sent of the arguments of `call`.
    #[must_use]
    pub fn arguments<'a>(&self, call: &'a ToolCall<'_>) -> Capped<'a> {
        self.text(call.arguments().into(), [], Capping::Arguments)
    }

    /// A start of so many bytes, and of the scalar after them, decides what is kept.
    fn reach(&self) -> usize {
        usize::try_from(self.limit.byte_ceiling())
            .unwrap_or(usize::MAX)
            .saturating_add(4)
    }

    /// Caps the text that begins with `start`, which decides, and goes on `behind` it.
    fn text<'a>(
        &self,
        start: Cow<'a, str>,
        behind: impl IntoIterator<Item = &'a str>,
        what: Capping,
    ) -> Capped<'a> {
        let prefix = self.limit.prefix(&start);
        let behind = behind.into_iter().map(|piece| -> &str { piece });
        let rest = [prefix.rest()].into_iter().chain(behind);
        let left_out = LeftOut {
            more: Measure::of_pieces(rest).graphemes(),
            what,
        };
        let (shown, length) = (prefix.graphemes(), prefix.head().len());
        Capped {
            head: Text::from(start).into_start(length),
            shown,
            left_out,
            marker: None,
        }
    }
}

/// The marker line of the observation `text`, word for word, unless its first `shown` bytes show
/// it; where the observation has none, the line that its record allows.
fn kept_line(record: &ArtifactRecord, text: &str, shown: usize) -> Option<String> {
    let line = record.marker_line();
    match line.observed(text, record.shown()) {
        Some(observed) if observed.line_end() <= shown => None,
        Some(observed) => Some(observed.line().into()),
        None => Some(line.to_string()),
    }
}

impl Default for ToolResultCap {
    fn default() -> Self {
        Self::new(Self::DEFAULT).expect("because the default is not 0")
    }
}

/// A text within its cap, and a line that says how much is left out (SPEC 8.2).
///
/// ```
/// use compactor_cap::{ToolCall, ToolResultCap};
///
/// let call = ToolCall::new("write_file", r#"{"content":"…"}"#);
/// let capped = ToolResultCap::new(2)?.arguments(&call);
/// assert_eq!((capped.head(), capped.more()), (r#"{""#, 13));
/// # Ok::<(), compactor_cap::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capped<'a> {
    head: Cow<'a, str>,
    shown: u64,
    left_out: LeftOut,
    marker: Option<String>,
}

impl Capped<'_> {
    /// The start of the text: all of it if it is within the cap.
    #[must_use]
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Grapheme clusters in the head.
    #[must_use]
    pub fn shown(&self) -> u64 {
        self.shown
    }

    /// Grapheme clusters left out; 0 if the text is whole.
    #[must_use]
    pub fn more(&self) -> u64 {
        self.left_out.more
    }

    /// The marker line that is kept; none where the head shows it already.
    #[must_use]
    pub fn marker(&self) -> Option<&str> {
        self.marker.as_deref()
    }
}

impl Capped<'_> {
    /// How much is left out.
    pub(crate) fn left_out(&self) -> LeftOut {
        self.left_out
    }
}

impl fmt::Display for Capped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.head, self.left_out)?;
        match &self.marker {
            Some(marker) => write!(f, "\n{marker}"),
            None => Ok(()),
        }
    }
}

/// How much of a text is left out; written as the line that says so, or as nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeftOut {
    more: u64,
    what: Capping,
}

/// What is capped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Capping {
    Result,
    Arguments,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.what {
            _ if self.more == 0 => return Ok(()),
            Capping::Result => "tool output",
            Capping::Arguments => "tool-call arguments",
        };
        let more = self.more;
        write!(
            f,
            "\n... [{more} more characters of {what}, truncated for summarization]"
        )
    }
}
