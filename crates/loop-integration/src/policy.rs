//! What happens to a tool's results: cut, passed whole, or handed to code.

use artifacts_core::{Limit, Shape};
use serde_json::Value;

/// The policy of one tool (SPEC 5.6), resolved once per operation and recorded with its dispatch.
///
/// ```
/// use artifacts_core::{Limit, Shape};
/// use loop_integration::Policy;
///
/// let policy = Policy::limited(Shape::new(Limit::graphemes(4_000)?));
/// assert_eq!(policy.shape().map(|shape| shape.limit().amount()), Some(4_000));
/// assert!(Policy::exempt().shape().is_none());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Policy(Treatment);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) enum Treatment {
    Limited(Shape),
    Raw(Shape),
    #[default]
    Exempt,
}

impl Policy {
    /// Results over the shape's limit are stored and cut.
    #[must_use]
    pub fn limited(shape: Shape) -> Self {
        Self(Treatment::Limited(shape))
    }

    /// Results pass whole and are never stored: those of retrieval tools, whose pages are bounded
    /// already.
    #[must_use]
    pub fn exempt() -> Self {
        Self(Treatment::Exempt)
    }

    /// Results pass whole, because code reads them, and those over the shape's limit are stored
    /// as well, so that they can be named and read again.
    #[must_use]
    pub fn raw(shape: Shape) -> Self {
        Self(Treatment::Raw(shape))
    }

    /// The shape, if the policy has a limit.
    #[must_use]
    pub fn shape(&self) -> Option<&Shape> {
        match &self.0 {
            Treatment::Limited(shape) | Treatment::Raw(shape) => Some(shape),
            Treatment::Exempt => None,
        }
    }

    /// Whether results pass whole, whatever their size.
    ///
    /// ```
    /// use artifacts_core::Shape;
    /// use loop_integration::Policy;
    ///
    /// assert!(Policy::exempt().passes_whole() && Policy::raw(Shape::excerpt()).passes_whole());
    /// assert!(!Policy::limited(Shape::excerpt()).passes_whole());
    /// ```
    #[must_use]
    pub fn passes_whole(&self) -> bool {
        !matches!(self.0, Treatment::Limited(_))
    }

    /// The word that a dispatch record has for it: `limited`, `raw` or `exempt`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.0 {
            Treatment::Limited(_) => "limited",
            Treatment::Raw(_) => "raw",
            Treatment::Exempt => "exempt",
        }
    }

    /// The policy for an MCP tool whose definition has this `_meta`: a size hint under
    /// `anthropic/maxResultSizeChars` sets the limit of a limited policy, up to 500,000
    /// graphemes. Anything else in `_meta` changes nothing.
    ///
    /// ```
    /// use artifacts_core::Shape;
    /// use loop_integration::Policy;
    ///
    /// let meta = serde_json::json!({"anthropic/maxResultSizeChars": 200_000});
    /// let policy = Policy::limited(Shape::excerpt()).with_mcp_meta(&meta);
    /// assert_eq!(policy.shape().map(|shape| shape.limit().amount()), Some(200_000));
    /// ```
    #[must_use]
    pub fn with_mcp_meta(self, meta: &Value) -> Self {
        let hint = meta.get(MAX_RESULT_SIZE).and_then(Value::as_u64);
        let limit = hint.and_then(|chars| Limit::graphemes(chars.min(MOST_CHARS)).ok());
        match (self.0, limit) {
            (Treatment::Limited(shape), Some(limit)) => Self::limited(shape.with_limit(limit)),
            _ => self,
        }
    }

    pub(crate) fn treatment(&self) -> Treatment {
        self.0
    }
}

/// The key that an MCP server puts a tool's size hint under.
const MAX_RESULT_SIZE: &str = "anthropic/maxResultSizeChars";

/// The largest size hint that is followed, in graphemes.
const MOST_CHARS: u64 = 500_000;
