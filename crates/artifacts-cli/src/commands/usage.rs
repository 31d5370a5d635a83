//! `artifacts usage`: how much a directory holds.

use std::process::ExitCode;

use artifacts_fs::Tally;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{self, counted};
use crate::place::PlaceArg;

/// Print how much a directory of artifacts holds
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: PlaceArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    // A mistyped path is told from a run without artifacts.
    let usage = args.place.open()?.dir().usage()?;
    let tallies = [
        ("artifacts", usage.artifacts),
        ("caches", usage.caches),
        ("leftovers", usage.leftovers),
        ("index", usage.index),
        ("foreign", usage.foreign),
    ];
    if args.json {
        let fields = tallies.map(|(name, tally)| (name.to_string(), as_json(tally)));
        return output::write_json(&Value::Object(fields.into_iter().collect()));
    }
    let line = |(name, tally): (&str, Tally)| {
        let (files, bytes) = (counted(tally.files, "file"), counted(tally.bytes, "byte"));
        format!("{name}: {files}, {bytes}\n")
    };
    output::write(tallies.map(line).concat().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(tally: Tally) -> Value {
    json!({"files": tally.files, "bytes": tally.bytes})
}
