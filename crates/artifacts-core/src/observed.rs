//! An observation beside its settle record: what it shows of the file, and shorter views of it.

use alloc::string::{String, ToString as _};

use crate::render::MOUNT;
use crate::{MarkerLine, Measure, Shape};

/// An observation taken apart around the marker line that its settle record has.
///
/// The record says that the observation is an excerpt, and with which line; the text is not asked
/// (I8). No tool can print that line in advance: it holds the digest of what the tool returned.
///
/// ```
/// use artifacts_core::{ArtifactName, ContentDigest, MarkerLine};
///
/// let name = ArtifactName::parse("op-1.txt")?;
/// let line = MarkerLine::recorded(name, ContentDigest::of(b"0123456789"), 10, 6);
/// let observation = format!("012\n{line}\n9");
/// let observed = line.observed(&observation, 4).expect("the line is in it");
/// assert_eq!((observed.head(), observed.tail()), ("012", "9"));
/// assert!(line.observed("another text", 4).is_none());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observed<'a> {
    head: &'a str,
    line: &'a str,
    /// Where the line ends in the observation.
    line_end: usize,
    tail: &'a str,
}

impl<'a> Observed<'a> {
    /// What is shown of the start of the file. Empty for a pointer, whose preview is escaped.
    #[must_use]
    pub fn head(&self) -> &'a str {
        self.head
    }

    /// The marker line as the observation has it: a header names the file under a mount.
    #[must_use]
    pub fn line(&self) -> &'a str {
        self.line
    }

    /// Bytes of the observation up to the end of the marker line.
    #[must_use]
    pub fn line_end(&self) -> usize {
        self.line_end
    }

    /// What is shown of the end of the file.
    #[must_use]
    pub fn tail(&self) -> &'a str {
        self.tail
    }
}

impl MarkerLine {
    /// `observation` around this line; `None` if the line is not in it. `shown` counts the
    /// clusters of the file that the observation shows, which tells a hint from the file's text.
    #[must_use]
    pub fn observed<'a>(&self, observation: &'a str, shown: u64) -> Option<Observed<'a>> {
        let under = self.under(MOUNT).to_string();
        if observation.starts_with(&under) {
            let (line, after) = observation.split_at(under.len());
            return Some(Observed {
                head: without_hint("", after, shown),
                line,
                line_end: line.len(),
                tail: "",
            });
        }
        let plain = self.to_string();
        let start = observation.find(&plain)?;
        let (before, rest) = observation.split_at(start);
        let (line, after) = rest.split_at(plain.len());
        let line_end = start.saturating_add(line.len());
        let (head, tail) = match before.strip_suffix('\n') {
            Some(head) => (head, without_hint(head, after, shown)),
            // The note of a pointer.
            None => ("", ""),
        };
        Some(Observed {
            head,
            line,
            line_end,
            tail,
        })
    }
}

/// The text after a marker line, without the hint that may be the first line of it: the text and
/// `head` are `shown` clusters.
fn without_hint<'a>(head: &str, after: &'a str, shown: u64) -> &'a str {
    let text = after.strip_prefix('\n').unwrap_or(after);
    let of_text = shown.saturating_sub(Measure::of(head).graphemes());
    if Measure::of(text).graphemes() == of_text {
        return text;
    }
    let (_, under_hint) = text.split_once('\n').unwrap_or(("", ""));
    match Measure::of(under_hint).graphemes() == of_text {
        true => under_hint,
        false => text,
    }
}

impl Shape {
    /// A shorter view of a settled result for a request, or `None` where the observation passes
    /// whole (SPEC 8.5).
    ///
    /// `line` is the marker line that the record has, `graphemes` the clusters of the whole
    /// result. Where the observation is an excerpt, the view shows less of the same two ends, and
    /// has one marker, which counts what the view leaves out of the whole result (SPEC 2.3).
    ///
    /// ```
    /// use artifacts_core::{ArtifactName, ContentDigest, Limit, MarkerLine, Shape};
    ///
    /// let name = ArtifactName::parse("op-1.txt")?;
    /// let line = MarkerLine::recorded(name, ContentDigest::of(b"all"), 90_000, 88_000);
    /// let observation = format!("{}\n{line}\n{}", "0".repeat(1_500), "9".repeat(500));
    /// let shape = Shape::new(Limit::graphemes(4)?);
    /// let view = shape.shorten_recorded(&observation, &line, 90_000).expect("a shorter text");
    /// assert!(view.starts_with("000\n[... elided 89,996 chars (90,000 bytes total); full result"));
    /// assert!(view.ends_with(" ...]\n9"));
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    #[must_use]
    pub fn shorten_recorded(
        &self,
        observation: &str,
        line: &MarkerLine,
        graphemes: u64,
    ) -> Option<String> {
        let whole = self.shorten(observation)?;
        let shown = graphemes.saturating_sub(line.elided());
        let cut = match line.observed(observation, shown) {
            Some(observed) => self.cut_ends(observed.head(), observed.tail()),
            None => whole,
        };
        let elided = graphemes.saturating_sub(cut.shown());
        Some(self.render_recorded(&cut, &line.clone().with_elided(elided)))
    }
}
