//! The shape of an observation: which limit decides, which rendering shows what is over it.

use alloc::format;

use crate::limit::Budget;
use crate::{Error, ErrorKind, Limit, Unit};

/// How a result that is over its limit is shown; whichever is chosen is the one string (SPEC 3.7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rendering {
    /// Head, marker line, tail.
    #[default]
    Excerpt,
    /// A JSON object with `pointer`, `preview`, `sizeBytes` and `note`.
    Pointer,
    /// The head and one line naming the file.
    HeadNote,
    /// One line naming `/large_tool_results/<file>`, then the first lines.
    Header,
}

impl Rendering {
    /// The word that a record or a flag has for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Excerpt => "excerpt",
            Self::Pointer => "pointer",
            Self::HeadNote => "head-note",
            Self::Header => "header",
        }
    }
}

/// Whether a result may be replaced by an observation that is not shorter than it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Growth {
    /// A result whose observation might not be shorter passes whole (SPEC 2.4), also where the
    /// marker that it would get is shorter than the longest: what passes does not depend on the
    /// store. [`Shape::shorten`] says how far over its limit such a result can be.
    #[default]
    Never,
    /// Every result over the limit is cut.
    Allowed,
}

/// A limit, a rendering and the options of both: everything that turns a text into what the model
/// is shown.
///
/// ```
/// use artifacts_core::{Limit, Rendering, Shape};
///
/// let shape = Shape::new(Limit::graphemes(4)?).with_rendering(Rendering::HeadNote);
/// let cut = shape.cut("0123456789");
/// assert_eq!((cut.head(), cut.tail()), ("0123", ""));
///
/// let even = Shape::new(Limit::graphemes(4)?).with_split(1, 1)?;
/// let cut = even.cut("0123456789");
/// assert_eq!((cut.head(), cut.tail()), ("01", "89"));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    limit: Limit,
    rendering: Rendering,
    growth: Growth,
    head_parts: u32,
    tail_parts: u32,
    snap_bytes: u32,
    trailer_lines: u32,
}

impl Shape {
    /// Excerpts of `limit`: three quarters from the start, one from the end.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            rendering: Rendering::Excerpt,
            growth: Growth::Never,
            head_parts: 3,
            tail_parts: 1,
            snap_bytes: 0,
            trailer_lines: 0,
        }
    }

    /// The same shape with another limit.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// The same limit, shown as `rendering`.
    #[must_use]
    pub fn with_rendering(self, rendering: Rendering) -> Self {
        Self { rendering, ..self }
    }

    /// Whether an observation may be longer than its result. The default is never.
    #[must_use]
    pub fn with_growth(self, growth: Growth) -> Self {
        Self { growth, ..self }
    }

    /// Splits the limit of an excerpt into `head` parts from the start and `tail` parts from the
    /// end. The head's share is rounded up.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Split`] if both are 0.
    pub fn with_split(self, head: u32, tail: u32) -> Result<Self, Error> {
        if head == 0 && tail == 0 {
            return Err(Error::new(
                ErrorKind::Split,
                format!("split must have a part for the head or the tail, got {head}:{tail}"),
            ));
        }
        Ok(Self {
            head_parts: head,
            tail_parts: tail,
            ..self
        })
    }

    /// Moves each cut of an excerpt or of a head with a note to a line edge, where giving up at
    /// most `slack_bytes` of what could be shown reaches one. 0, the default, never moves a cut.
    #[must_use]
    pub fn with_line_snap(self, slack_bytes: u32) -> Self {
        Self {
            snap_bytes: slack_bytes,
            ..self
        }
    }

    /// Shows the last `lines` lines of an excerpt's text whatever the split, an exit code for
    /// instance. They take their room from the head; beyond the limit they are cut.
    #[must_use]
    pub fn with_trailer(self, lines: u32) -> Self {
        Self {
            trailer_lines: lines,
            ..self
        }
    }

    /// The limit that decides.
    #[must_use]
    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// The rendering of what is over the limit.
    #[must_use]
    pub fn rendering(&self) -> Rendering {
        self.rendering
    }

    /// Whether an observation may be longer than its result.
    #[must_use]
    pub fn growth(&self) -> Growth {
        self.growth
    }

    /// The parts of an excerpt's limit that its head and its tail take.
    #[must_use]
    pub fn split(&self) -> (u32, u32) {
        (self.head_parts, self.tail_parts)
    }

    /// How many bytes a cut may give up to end at a line edge.
    #[must_use]
    pub fn line_snap(&self) -> u32 {
        self.snap_bytes
    }

    /// How many lines at the end of an excerpt's text are always shown.
    #[must_use]
    pub fn trailer(&self) -> u32 {
        self.trailer_lines
    }

    /// What the head of an excerpt may hold.
    pub(crate) fn head_share(&self) -> Budget {
        let Budget { units, bytes } = self.limit.budget();
        Budget {
            units: self.share(units),
            bytes: self.share(bytes),
        }
    }

    /// `ceil(amount * head / (head + tail))`.
    fn share(&self, amount: u64) -> u64 {
        let (head, tail) = (u128::from(self.head_parts), u128::from(self.tail_parts));
        let parts = head.saturating_add(tail).max(1);
        let share = u128::from(amount).saturating_mul(head).div_ceil(parts);
        u64::try_from(share).unwrap_or(amount)
    }
}

/// Shapes that follow the designs other agents use (SPEC 1.3).
///
/// ```
/// use artifacts_core::{Rendering, Shape, Unit};
///
/// assert_eq!(Shape::excerpt().limit().amount(), 16_384);
/// assert_eq!(Shape::pointer().rendering(), Rendering::Pointer);
/// assert_eq!(Shape::head_note().limit().unit(), Unit::Scalars);
/// assert!(Shape::offload(999).is_err());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
impl Shape {
    /// 16,384 graphemes, shown as head, marker and tail.
    #[must_use]
    pub fn excerpt() -> Self {
        Self::new(Limit::EXCERPT)
    }

    /// 51,200 bytes, shown as a pointer with a preview of 200 characters.
    #[must_use]
    pub fn pointer() -> Self {
        Self::new(Limit::POINTER).with_rendering(Rendering::Pointer)
    }

    /// 16,000 scalars, shown as a head with a note.
    #[must_use]
    pub fn head_note() -> Self {
        Self::new(Limit::HEAD_NOTE).with_rendering(Rendering::HeadNote)
    }

    /// `tokens` tokens of four scalars each, shown as a header with the first lines.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`] below 1,000 tokens.
    pub fn offload(tokens: u64) -> Result<Self, Error> {
        Ok(Self::new(Limit::new(Unit::Tokens, tokens)?).with_rendering(Rendering::Header))
    }
}

/// The default shape is [`Shape::excerpt`].
impl Default for Shape {
    fn default() -> Self {
        Self::excerpt()
    }
}
