//! `artifacts excerpt`: pure; nothing is stored, and the marker says so.

use std::path::PathBuf;
use std::process::ExitCode;

use artifacts_core::{Excerpted, Excerpter, Growth, Marker, NotStored, SettledDigest, Shape};
use serde_json::json;

use crate::cli::UnitName;
use crate::failure::Failure;
use crate::input::Input;
use crate::output;
use crate::shape::{RenderName, shape};

/// Print what a model would be shown of a text; nothing is stored
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The most that is shown, and the size above which a text is cut
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 16_384
    )]
    limit: u64,
    /// What the limit counts
    #[arg(long, value_enum, default_value_t)]
    unit: UnitName,
    /// The operation that printed the text, repeated in the JSON
    #[arg(long, value_name = "ID")]
    op_id: Option<String>,
    /// Print one JSON object instead of the text
    #[arg(long)]
    json: bool,
    /// The text; - or nothing reads standard input
    file: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let shape = shape(Some(args.limit), args.unit.into(), RenderName::Excerpt)?
        .with_growth(Growth::Allowed);
    let mut excerpter = Excerpter::new(shape);
    Input::open(args.file)?.stream(|piece| excerpter.update(piece))?;
    let excerpted = excerpter.finish();
    let (observation, elided) = observation(&shape, &excerpted);
    if !args.json {
        output::write(observation.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    output::write_json(&json!({
        "op-id": args.op_id,
        "observation": observation,
        "digest": SettledDigest::of(observation.as_bytes()).to_string(),
        "measure": output::measure(excerpted.measured().measure()),
        "elided-chars": elided,
    }))
}

fn observation(shape: &Shape, excerpted: &Excerpted) -> (String, u64) {
    match excerpted.cut() {
        Some(cut) => {
            let elided = cut.elided(excerpted.measured());
            let marker = Marker::not_stored(NotStored::NoSession, excerpted.measured(), elided);
            (shape.render(&cut, &marker), elided)
        }
        None => (excerpted.whole().unwrap_or_default().to_string(), 0),
    }
}
