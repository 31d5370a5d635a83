//! `--limit`, `--unit` and `--render` as a shape.

use artifacts_core::{Limit, Rendering, Shape, Unit};
use clap::ValueEnum;

use crate::failure::Failure;

/// How a result over its limit is shown.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum RenderName {
    /// The first and the last part, and one line between them
    #[default]
    Excerpt,
    /// A JSON object with a preview and the file's name
    Pointer,
    /// The first part and one line
    HeadNote,
    /// One line, then the first lines
    Header,
}

/// The shape for the flags; without a limit, that of the rendering's own preset.
pub(crate) fn shape(limit: Option<u64>, unit: Unit, render: RenderName) -> Result<Shape, Failure> {
    let preset = match render {
        RenderName::Excerpt => Shape::excerpt(),
        RenderName::Pointer => Shape::pointer(),
        RenderName::HeadNote => Shape::head_note(),
        RenderName::Header => Shape::excerpt().with_rendering(Rendering::Header),
    };
    let limit = match limit {
        Some(amount) => amount,
        None if unit == Unit::Graphemes => return Ok(preset),
        None => Shape::excerpt().limit().amount(),
    };
    match Limit::new(unit, limit) {
        Ok(limit) => Ok(Shape::new(limit).with_rendering(preset.rendering())),
        Err(_) if unit == Unit::Tokens => Err(Failure::input(format!(
            "--limit {limit} is too small: it must be at least 1000 tokens"
        ))),
        Err(_) => Err(Failure::input(format!(
            "--limit {limit} is too small: it must be at least 1"
        ))),
    }
}
