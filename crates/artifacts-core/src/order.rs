//! The start-up check: caps on the way of a tool result, in an order that loses nothing silently.

use alloc::format;
use alloc::string::String;

use crate::cut::{HEADER_BYTES, MARKER_ROOM, POINTER_BYTES};
use crate::text::Thousands;
use crate::{Error, ErrorKind, Growth, Limit, Rendering, Shape, Unit};

/// One cap on the way of a tool result from the tool to the model, under the name of the setting
/// that a user knows it by.
///
/// ```
/// use artifacts_core::{Limit, Shape, Stage, Unit, check_order};
///
/// let settle = Stage::settles("limit", Shape::excerpt());
/// let host = Stage::cuts("host.max_output", Limit::new(Unit::Bytes, 10_000)?);
/// assert!(check_order(&[settle, host]).is_err(), "the host would cut the marker away");
///
/// let small = Shape::new(Limit::graphemes(8_000)?.with_byte_ceiling(9_000)?);
/// assert!(check_order(&[Stage::settles("limit", small), host]).is_ok());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage<'a> {
    setting: &'a str,
    does: Does,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Cuts(Limit),
    Captures(u64),
    Settles(Shape),
    Views(Shape),
}

impl<'a> Stage<'a> {
    /// Cuts to `limit` and keeps nothing of the rest: a tool's own truncation, a host's cap on
    /// what a hook or a server returns.
    #[must_use]
    pub fn cuts(setting: &'a str, limit: Limit) -> Self {
        Self {
            setting,
            does: Does::Cuts(limit),
        }
    }

    /// Takes in the first `bytes` bytes of a result, and lets the marker say so.
    #[must_use]
    pub fn captures(setting: &'a str, bytes: u64) -> Self {
        Self {
            setting,
            does: Does::Captures(bytes),
        }
    }

    /// Stores what is over the limit of `shape` and passes an observation on: the settle path.
    #[must_use]
    pub fn settles(setting: &'a str, shape: Shape) -> Self {
        Self {
            setting,
            does: Does::Settles(shape),
        }
    }

    /// Shows each result within `shape` without storing anything: a view for a request, of
    /// messages whose records are not at hand. It belongs behind the settle path.
    #[must_use]
    pub fn views(setting: &'a str, shape: Shape) -> Self {
        Self {
            setting,
            does: Does::Views(shape),
        }
    }
}

/// Refuses caps that together lose data silently; `stages` in order, from the tool to the model
/// (SPEC 5.6).
///
/// - Nothing cuts a result, or shows only a part of it, before it is settled: what it drops would
///   be in no artifact.
/// - A capture that stops is over the limit for certain, so that a marker says that it stopped.
/// - Nothing behind a settle path cuts an observation, or takes in its first bytes only, however
///   large it may be, also where another settle path follows: the marker would be lost.
///
/// # Errors
///
/// [`ErrorKind::Order`], naming both settings and what to set.
pub fn check_order(stages: &[Stage<'_>]) -> Result<(), Error> {
    let mut settled: Option<(&str, Shape)> = None;
    for (index, stage) in stages.iter().enumerate() {
        let behind = stages.iter().skip(index).find_map(Stage::settling);
        match (stage.does, settled, behind) {
            (Does::Settles(shape), ..) => settled = Some((stage.setting, shape)),
            (Does::Cuts(limit), Some(before), _) => check_behind(stage.setting, limit, before)?,
            (Does::Views(shape), Some(before), _) if !passes_whole(shape, before.1) => {
                check_behind(stage.setting, shape.limit(), before)?;
            }
            (Does::Captures(bytes), Some((setting, shape)), _) => {
                // A capture of no byte at all is a cap of less than any limit can say.
                let limit = Limit::new(Unit::Bytes, bytes.max(1))?;
                check_behind(stage.setting, limit, (setting, shape))?;
            }
            (Does::Cuts(limit), None, Some((setting, shape))) => {
                return Err(refused(format!(
                    "{} ({}) drops what {setting} ({}) would store: remove {0}, or capture more and say so",
                    stage.setting,
                    size(limit),
                    size(shape.limit()),
                )));
            }
            (Does::Views(view), None, Some((setting, shape))) => {
                return Err(refused(format!(
                    "{} ({}) shows only a part of what {setting} ({}) would store: view after {setting}, not before",
                    stage.setting,
                    size(view.limit()),
                    size(shape.limit()),
                )));
            }
            (Does::Captures(bytes), None, Some(next)) => {
                check_capture(stage.setting, bytes, next)?;
            }
            (Does::Cuts(_) | Does::Captures(_) | Does::Views(_), _, _) => {}
        }
    }
    Ok(())
}

impl<'a> Stage<'a> {
    fn settling(&self) -> Option<(&'a str, Shape)> {
        match self.does {
            Does::Settles(shape) => Some((self.setting, shape)),
            Does::Cuts(_) | Does::Captures(_) | Does::Views(_) => None,
        }
    }
}

/// Whether an observation passes whole because it was made under the same shape (SPEC 2.4).
fn passes_whole(view: Shape, settled: Shape) -> bool {
    view == settled && view.growth() == Growth::Never
}

fn check_behind(cuts: &str, limit: Limit, (setting, shape): (&str, Shape)) -> Result<(), Error> {
    let largest = Observation::of(&shape);
    let unit = match limit.unit() {
        Unit::Graphemes => largest.graphemes,
        Unit::Bytes => largest.bytes,
        Unit::Scalars | Unit::Tokens => largest.scalars,
    };
    let budget = limit.budget();
    if unit <= budget.units && largest.bytes <= budget.bytes {
        return Ok(());
    }
    // Bytes bound every other unit, so this ceiling is enough whatever the unit is.
    let most = budget.units.min(budget.bytes);
    let advice = match largest.ceiling_within(most) {
        0 => format!("raise {cuts}"),
        ceiling => format!(
            "raise {cuts}, or give {setting} a byte ceiling of at most {}",
            Thousands(ceiling)
        ),
    };
    Err(refused(format!(
        "{cuts} ({}) would cut the marker out of what {setting} ({}) passes on, up to {} bytes: {advice}",
        size(limit),
        size(shape.limit()),
        Thousands(largest.bytes),
    )))
}

fn check_capture(captures: &str, bytes: u64, (setting, shape): (&str, Shape)) -> Result<(), Error> {
    let largest = Observation::of(&shape).bytes;
    if bytes > largest {
        return Ok(());
    }
    Err(refused(format!(
        "{captures} ({} bytes) stops before {setting} ({}) is surely reached, so no marker would say that the rest is missing: raise {captures} above {}",
        Thousands(bytes),
        size(shape.limit()),
        Thousands(largest),
    )))
}

/// The most that the settle path passes on, in each unit.
struct Observation {
    bytes: u64,
    scalars: u64,
    graphemes: u64,
    /// Bytes of a marker and a hint beside the text.
    beside: u64,
    /// Bytes that are passed on whatever the limit.
    least: u64,
}

impl Observation {
    fn of(shape: &Shape) -> Self {
        let budget = shape.limit().budget();
        let (bytes, scalars, graphemes) = match shape.limit().unit() {
            Unit::Graphemes => (budget.bytes, budget.bytes, budget.units),
            Unit::Bytes => (budget.units, budget.units, budget.units),
            Unit::Scalars | Unit::Tokens => {
                (budget.units.saturating_mul(4), budget.units, budget.units)
            }
        };
        // What fits has up to the limit; what passes rather than grow has up to `beside` more, or
        // up to `least`.
        let (beside, least) = match shape.rendering() {
            Rendering::Excerpt | Rendering::HeadNote => (MARKER_ROOM, 0),
            Rendering::Pointer => (0, POINTER_BYTES),
            Rendering::Header => (0, HEADER_BYTES),
        };
        let whole = |text: u64| text.min(budget.bytes).saturating_add(beside).max(least);
        Self {
            bytes: whole(bytes),
            scalars: whole(scalars),
            graphemes: whole(graphemes),
            beside,
            least,
        }
    }

    /// The byte ceiling of a limit that passes at most `most` bytes on; 0 if there is none.
    fn ceiling_within(&self, most: u64) -> u64 {
        match self.least <= most {
            true => most.saturating_sub(self.beside),
            false => 0,
        }
    }
}

fn size(limit: Limit) -> String {
    let unit = match limit.unit() {
        Unit::Graphemes => "characters",
        Unit::Bytes => "bytes",
        Unit::Scalars => "scalars",
        Unit::Tokens => "tokens",
    };
    format!("{} {unit}", Thousands(limit.amount()))
}

fn refused(message: String) -> Error {
    Error::new(ErrorKind::Order, message)
}
