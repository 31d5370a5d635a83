//! `artifacts verify`: reads every artifact and checks it against its record.

use std::process::ExitCode;

use loop_integration::audit;
use serde_json::json;

use crate::commands::scan::{Finding, names};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::session::SessionArg;

/// Check a run: the transcript, and every artifact against its recorded digest
///
/// The transcript's observations are checked against their recorded digests as it is read. Exit
/// status 1 if an artifact is missing, short, altered or misnamed, or the transcript is damaged.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let transcript = args.session.load().map_err(Failure::into_finding)?;
    let scan = args.session.dir().verify(&transcript.artifacts())?;
    let audit = audit(transcript.places(), None);
    let findings = Finding::of_records(&scan);
    let differences = audit
        .findings()
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    let operations = transcript.operations().count();
    let (intact, pending) = (scan.intact.len(), transcript.pending().len());
    if args.json {
        output::write_json(&json!({
            "operations": operations,
            "pending": pending,
            "intact": names(&scan.intact),
            "findings": findings.iter().map(Finding::as_json).collect::<Vec<_>>(),
            "differences": differences,
        }))?;
    } else {
        let mut text = findings.iter().map(Finding::as_line).collect::<String>();
        for difference in &differences {
            text.push_str(&format!("differs  {difference}\n"));
        }
        text.push_str(&format!(
            "{operations} operations, {pending} pending; {intact} artifacts intact, {} not\n",
            findings.len()
        ));
        output::write(text.as_bytes())?;
    }
    match scan.is_sound() && audit.is_clean() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(Exit::Found.into()),
    }
}
