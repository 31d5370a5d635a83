//! The shape of an observation: which limit decides, which rendering shows what is over it.

use crate::limit::{Budget, three_quarters};
use crate::{Cut, Limit};

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
    /// One line naming `/large_tool_results/<id>`, then the first lines.
    Header,
}

/// A limit and a rendering: everything that turns a text into what the model is shown.
///
/// ```
/// use artifacts_core::{Limit, Rendering, Shape};
///
/// let shape = Shape::new(Limit::graphemes(4)?).with_rendering(Rendering::HeadNote);
/// let cut = shape.cut("0123456789");
/// assert_eq!((cut.head(), cut.tail()), ("0123", ""));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    limit: Limit,
    rendering: Rendering,
}

impl Shape {
    /// Excerpts of `limit`: three quarters from the start, one from the end.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            rendering: Rendering::Excerpt,
        }
    }

    /// The same limit, shown as `rendering`.
    #[must_use]
    pub fn with_rendering(self, rendering: Rendering) -> Self {
        Self { rendering, ..self }
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

    /// The parts of `text` that are shown. Always cuts: ask [`Limit::fits`] first.
    #[must_use]
    pub fn cut<'a>(&self, text: &'a str) -> Cut<'a> {
        let (head, tail) = self.budgets();
        Cut::of(text, self.limit.unit(), head, tail)
    }

    /// What the head and the tail may hold.
    fn budgets(&self) -> (Budget, Budget) {
        let Budget { units, bytes } = self.limit.budget();
        match self.rendering {
            Rendering::Excerpt => {
                let head = Budget {
                    units: three_quarters(units),
                    bytes: three_quarters(bytes),
                };
                let tail = Budget {
                    units: units.saturating_sub(head.units),
                    bytes: bytes.saturating_sub(head.bytes),
                };
                (head, tail)
            }
            Rendering::HeadNote => (Budget { units, bytes }, Budget::default()),
            Rendering::Pointer => (
                Budget {
                    units: units.min(PREVIEW),
                    bytes: bytes.min(PREVIEW.saturating_mul(8)),
                },
                Budget::default(),
            ),
            Rendering::Header => (
                Budget {
                    units: units.min(HEADER),
                    bytes: bytes.min(HEADER.saturating_mul(8)),
                },
                Budget::default(),
            ),
        }
    }
}

/// Most units in the preview of a pointer.
const PREVIEW: u64 = 200;

/// Most units under a header line.
const HEADER: u64 = 2_000;
