//! `artifacts fork`: a copy of a run that goes its own way.

use std::path::PathBuf;
use std::process::ExitCode;

use artifacts_fs::ArtifactRef;

use crate::failure::{Exit, Failure};
use crate::output::{self, counted};
use crate::session::SessionArg;

/// Copy a run: its transcript, and the artifacts that the transcript names
///
/// Exit status 1 if an artifact is missing or altered; everything else is copied then.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// The transcript of the copy, which must not be there yet
    #[arg(value_name = "NEW.jsonl")]
    target: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let fork = loop_integration::fork(&args.session.path, &args.target);
    let fork = fork.map_err(|error| args.session.told(error))?;
    let lists = [
        ("missing", &fork.missing),
        ("altered", &fork.altered),
        ("another file has its name", &fork.clashing),
    ];
    let mut text = String::new();
    for (why, list) in lists {
        for name in list.iter().map(ArtifactRef::name) {
            text.push_str(&format!("not copied  {name}: {why}\n"));
        }
    }
    for (artifact, why) in &fork.removed {
        text.push_str(&format!("not copied  {}: {why}\n", artifact.name()));
    }
    text.push_str(&format!(
        "{} copied\n",
        counted(fork.copied.len(), "artifact")
    ));
    output::write(text.as_bytes())?;
    match fork.is_whole() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(Exit::Found.into()),
    }
}
