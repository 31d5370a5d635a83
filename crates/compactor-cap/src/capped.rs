//! The cap itself: how much of a tool's text a summarizer is sent.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString as _};
use core::{fmt, iter};

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
        let kept = self.kept_result(text);
        Capped {
            marker: self.marker(result, &kept),
            ..kept.capped(text.first(kept.bytes), Capping::Result)
        }
    }

    /// What a summarizer is sent of the arguments of `call`.
    #[must_use]
    pub fn arguments<'a>(&self, call: &'a ToolCall<'_>) -> Capped<'a> {
        let arguments = call.arguments();
        let kept = self.kept_arguments(arguments);
        kept.capped(arguments.split_at(kept.bytes).0.into(), Capping::Arguments)
    }

    /// What is kept of the text of a result.
    pub(crate) fn kept_result(&self, text: &Text<'_>) -> Kept {
        // A start of so many bytes, and of the scalar after them, decides.
        let ceiling = usize::try_from(self.limit.byte_ceiling()).unwrap_or(usize::MAX);
        let start = text.start(ceiling.saturating_add(4));
        self.kept(&start, text.after(start.len()))
    }

    /// What is kept of the arguments of a call.
    pub(crate) fn kept_arguments(&self, arguments: &str) -> Kept {
        self.kept(arguments, iter::empty())
    }

    /// What is kept of the text that begins with `start`, which decides, and goes on `behind` it.
    fn kept<'t>(&self, start: &'t str, behind: impl Iterator<Item = &'t str> + Clone) -> Kept {
        let measured = |text| Measure::of_pieces(iter::once(text).chain(behind.clone()));
        // Most tool text is ASCII and needs one count, not one of each side of the cut.
        let whole = begins_plainly(start).then(|| measured(start));
        let told = whole.and_then(|whole| self.told_by(&whole));
        let (bytes, graphemes) = told.unwrap_or_else(|| {
            let prefix = self.limit.prefix(start);
            (prefix.head().len(), prefix.graphemes())
        });
        let more = match whole {
            Some(whole) => whole.graphemes().saturating_sub(graphemes),
            None => measured(start.split_at(bytes).1).graphemes(),
        };
        Kept {
            bytes,
            graphemes,
            more,
        }
    }

    /// How many bytes and clusters are kept of a text of the measure `whole`, if that tells: all of
    /// a text within the cap; of one of which every byte is a cluster, as many as the cap has.
    fn told_by(&self, whole: &Measure) -> Option<(usize, u64)> {
        let (bytes, graphemes) = (whole.bytes(), whole.graphemes());
        let cap = self.limit.amount();
        let kept = match graphemes == bytes {
            _ if graphemes <= cap && bytes <= self.limit.byte_ceiling() => bytes,
            true => cap,
            false => return None,
        };
        Some((usize::try_from(kept).ok()?, graphemes.min(cap)))
    }

    /// The marker line beside what is `kept` of `result`.
    pub(crate) fn marker(&self, result: &ToolResult<'_>, kept: &Kept) -> Option<String> {
        if self.markers == MarkerLines::Leave || kept.more == 0 {
            return None;
        }
        let record = result.artifact()?;
        kept_line(record, &result.text(), kept.bytes)
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

/// Whether each of the first bytes is a cluster, as far as they tell.
fn begins_plainly(text: &str) -> bool {
    let (first, _) = text.as_bytes().split_at(text.len().min(64));
    first.is_ascii()
}

/// How much of a text is kept: whole clusters from its start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    pub(crate) bytes: usize,
    pub(crate) graphemes: u64,
    /// Clusters behind them.
    pub(crate) more: u64,
}

impl Kept {
    /// The capped text whose start `head` is kept.
    fn capped(self, head: Cow<'_, str>, what: Capping) -> Capped<'_> {
        Capped {
            head,
            shown: self.graphemes,
            left_out: LeftOut {
                more: self.more,
                what,
            },
            marker: None,
        }
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
    pub(crate) more: u64,
    pub(crate) what: Capping,
}

/// What is capped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capping {
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
