//! A result on its way to its observation: shaped, redacted, decided upon, not stored yet.

use std::borrow::Cow;
use std::sync::Arc;

use artifacts_core::{Cut, Limit, LossyCut, Shape, Unit, Unmeasured, count_invalid, decode_lossy};
use artifacts_fs::StoreItem;

use crate::policy::Treatment;
use crate::settled::Facts;
use crate::tool_result::Body;
use crate::{Ending, Kept, Operation, Settled, SettledResult, ToolResult};

/// What is settled, after the tool's own shaping and the redaction.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    pub(crate) operation: &'a Operation,
    pub(crate) result: ToolResult,
    pub(crate) treatment: Treatment,
    /// Places that the redaction changed.
    pub(crate) redacted: u64,
    /// Graphemes that the turn's budget left it, where they are fewer than it shows by its policy.
    pub(crate) turn_limit: Option<u64>,
    /// The most bytes of the text that are stored.
    pub(crate) cap_bytes: u64,
}

/// What happens to the text.
#[derive(Debug)]
pub(crate) enum Decision<'t> {
    /// It is the observation.
    Whole(Cow<'t, str>),
    /// It is the observation, and is stored as well.
    WholeAndStored(Cow<'t, str>),
    /// It is stored, and these ends of it are shown.
    Cut(Shape, Ends<'t>),
}

/// The ends of a text that are shown.
#[derive(Debug)]
pub(crate) enum Ends<'t> {
    OfText(Cut<'t>),
    /// Of bytes that are no UTF-8: the ends alone are decoded.
    OfBytes(LossyCut<'t>),
}

impl Decision<'_> {
    pub(crate) fn is_stored(&self) -> bool {
        !matches!(self, Self::Whole(_))
    }
}

impl Ends<'_> {
    pub(crate) fn cut(&self) -> Cut<'_> {
        match self {
            Self::OfText(cut) => *cut,
            Self::OfBytes(lossy) => lossy.cut(),
        }
    }
}

impl Prepared<'_> {
    /// The text of the result, lossily decoded where it is no UTF-8.
    fn text(&self) -> Cow<'_, str> {
        match &self.result.body {
            Body::Text(text) => Cow::Borrowed(text),
            Body::Bytes(bytes) => decode_lossy(bytes),
        }
    }

    /// Decides by the text, the policy and the parts alone, before anything is stored (I2).
    pub(crate) fn decide(&self) -> Decision<'_> {
        let answer = self.result.answer.as_ref();
        match self.treatment {
            _ if self.result.ending == Ending::Unknown => Decision::Whole(self.text()),
            _ if answer.is_some_and(|answer| answer.is_observation) => Decision::Whole(self.text()),
            Treatment::Limited(shape) => match self.shorten(&shape) {
                Some(ends) => Decision::Cut(shape, ends),
                None => Decision::Whole(self.text()),
            },
            Treatment::Raw(shape) => {
                let text = self.text();
                match shape.limit().fits(&text) {
                    true => Decision::Whole(text),
                    false => Decision::WholeAndStored(text),
                }
            }
            Treatment::Exempt => Decision::Whole(self.text()),
        }
    }

    /// The ends to show, unless the whole text passes.
    fn shorten(&self, shape: &Shape) -> Option<Ends<'_>> {
        match &self.result.body {
            Body::Text(text) => shape.shorten(text).map(Ends::OfText),
            Body::Bytes(bytes) => shape.shorten_lossy(bytes).map(Ends::OfBytes),
        }
    }

    /// All bytes of the text; what was counted for `decision` is not counted again.
    pub(crate) fn unmeasured<'s>(&'s self, decision: &Decision<'s>) -> Unmeasured<'s> {
        match (&self.result.body, decision) {
            (Body::Text(text), Decision::Cut(_, Ends::OfText(cut))) => {
                Unmeasured::of_cut(text, *cut)
            }
            (Body::Bytes(_), Decision::Cut(_, Ends::OfBytes(lossy))) => lossy.unmeasured(),
            _ => self.result.bytes().into(),
        }
    }

    /// What is stored.
    pub(crate) fn item<'s>(&'s self, decision: &Decision<'s>) -> StoreItem<'s> {
        let cap = usize::try_from(self.cap_bytes).unwrap_or(usize::MAX);
        StoreItem {
            op_id: self.operation.op_id(),
            content: self.result.content,
            bytes: match self.result.bytes().get(..cap) {
                Some(first) => first.into(),
                None => self.unmeasured(decision),
            },
        }
    }

    /// The observation `body`, in its framing, with what is known of the result.
    pub(crate) fn finish(&self, body: &str, kept: Kept, facts: Facts) -> Settled {
        let result = &self.result;
        Settled {
            operation: self.operation.clone(),
            result: SettledResult::new(framed(result, body)),
            parts: result.parts.as_slice().into(),
            ending: result.ending,
            kept,
            capture: result.capture,
            is_background: result.framing.is_background,
            facts: Facts {
                redacted: self.redacted,
                turn_limit: self.turn_limit,
                error: result.recorded_error(),
                ..facts
            },
        }
    }

    /// Invalid UTF-8 sequences; only bytes that are no UTF-8 are held as bytes.
    pub(crate) fn replaced(&self) -> u64 {
        match &self.result.body {
            Body::Text(_) => 0,
            Body::Bytes(bytes) => count_invalid(bytes),
        }
    }
}

/// The treatment with `taken` units of its limit used by something else. What is left is never
/// less than [`LEAST`], or than the limit where that is lower.
pub(crate) fn lowered(treatment: Treatment, taken: u64) -> Treatment {
    match treatment {
        Treatment::Limited(shape) if taken > 0 => {
            let limit = shape.limit();
            let least = match limit.unit() {
                Unit::Tokens => LEAST_TOKENS,
                _ => LEAST,
            };
            let left = limit.amount().saturating_sub(taken);
            let amount = left.max(least).min(limit.amount());
            let ceiling = |lower: Limit| lower.byte_ceiling().min(limit.byte_ceiling());
            let lower = Limit::new(limit.unit(), amount);
            let lower = lower.and_then(|lower| lower.with_byte_ceiling(ceiling(lower)));
            Treatment::Limited(lower.map_or(shape, |lower| shape.with_limit(lower)))
        }
        _ => treatment,
    }
}

/// The shape with a limit of so many graphemes, and the byte ceiling that it had.
pub(crate) fn of_graphemes(shape: Shape, graphemes: u64) -> Shape {
    let ceiling = shape.limit().byte_ceiling();
    let lower = Limit::graphemes(graphemes).and_then(|lower| lower.with_byte_ceiling(ceiling));
    lower.map_or(shape, |lower| shape.with_limit(lower))
}

fn framed(result: &ToolResult, body: &str) -> Arc<str> {
    let framing = &result.framing;
    if framing.before.is_empty() && framing.after.is_empty() {
        return body.into();
    }
    [framing.before.as_str(), body, framing.after.as_str()]
        .concat()
        .into()
}

/// Parts leave at least this much of a text's limit, in its own unit; a turn's budget at least so
/// many graphemes of a text.
pub(crate) const LEAST: u64 = 512;

/// The lowest limit in tokens.
const LEAST_TOKENS: u64 = 1_000;
