//! Bytes in pieces against the whole (SPEC 1.8).

use artifacts_core::{Excerpter, Limit, LossyCut, Measured, Rendering, Shape, Unit};

use super::same;

/// An [`Excerpter`] gives what the whole string gives, however its input is divided, and so do
/// bytes in memory that are decoded where they are shown.
///
/// The first eight bytes choose the shape and the pieces; the others are the tool result.
///
/// # Errors
///
/// What differs.
pub fn excerpter(input: &[u8]) -> Result<(), String> {
    let Some((choice, result)) = input.split_first_chunk::<8>() else {
        return Ok(());
    };
    let shape = shape(choice)?;
    let [.., first, second] = *choice;
    let mut excerpter = Excerpter::new(shape);
    let mut rest = result;
    let mut size = usize::from(first);
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(size.min(rest.len()));
        excerpter.update(piece);
        rest = behind;
        size = (size * 7 + usize::from(second)) % 97 + 1;
    }
    let excerpted = excerpter.finish();
    let text = String::from_utf8_lossy(result);
    same("measured", excerpted.measured(), &Measured::of(result))?;
    same("cut", excerpted.cut(), shape.shorten(&text))?;
    let lossy = shape.shorten_lossy(result);
    same(
        "cut in memory",
        lossy.as_ref().map(LossyCut::cut),
        shape.shorten(&text),
    )?;
    if let Some(lossy) = &lossy {
        let measured = lossy.unmeasured().measure();
        same("measured in memory", &measured, excerpted.measured())?;
    }
    match excerpted.cut() {
        Some(_) => Ok(()),
        None => same("whole", excerpted.whole(), Some(text.as_ref())),
    }
}

fn shape(choice: &[u8; 8]) -> Result<Shape, String> {
    let [amount, unit, rendering, ceiling, snap, trailer, ..] = *choice;
    let unit = match unit % 3 {
        0 => Unit::Graphemes,
        1 => Unit::Bytes,
        _ => Unit::Scalars,
    };
    let rendering = match rendering % 8 {
        0 => Rendering::Pointer,
        1 => Rendering::HeadNote,
        2 => Rendering::Header,
        _ => Rendering::Excerpt,
    };
    let said = |error: artifacts_core::Error| error.to_string();
    let mut limit = Limit::new(unit, 1 + u64::from(amount)).map_err(said)?;
    if ceiling % 2 == 1 {
        limit = limit
            .with_byte_ceiling(1 + 4 * u64::from(ceiling))
            .map_err(said)?;
    }
    let growth = match ceiling % 4 {
        0 | 1 => artifacts_core::Growth::Allowed,
        _ => artifacts_core::Growth::Never,
    };
    Ok(Shape::new(limit)
        .with_rendering(rendering)
        .with_growth(growth)
        .with_line_snap(u32::from(snap / 4))
        .with_trailer(u32::from(trailer / 64)))
}
