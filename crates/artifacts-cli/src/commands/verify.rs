//! `artifacts verify`: reads every artifact and checks it against its record.

use std::process::ExitCode;

use loop_integration::{Pending, Transcript, audit};
use serde_json::{Value, json};

use crate::commands::scan::{Finding, names};
use crate::failure::{Exit, Failure};
use crate::output::{self, counted};
use crate::place::PlaceArg;

/// Check a run: the transcript, and every artifact against the digest that was noted
///
/// The transcript's observations are checked against their recorded digests as it is read. Exit
/// status 1 if an artifact is missing, short, altered or misnamed, or the transcript is damaged; not
/// for what was pruned, an operation that is pending or a torn last line, which are told.
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
    let place = args.place.open().map_err(Failure::into_finding)?;
    let index = place.index()?;
    let scan = place.dir().verify(&place.named(&index))?;
    let scan = place.explain(scan, &index);
    let transcripts = place.transcripts();
    let audit = audit(transcripts.iter().flat_map(Transcript::places), None);
    let findings = Finding::of_records(&scan);
    let differences = audit
        .findings()
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    let operations = transcripts.iter().flat_map(Transcript::operations).count();
    let intact = scan.intact.len();
    let pending = transcripts.iter().flat_map(Transcript::pending);
    let pending = pending.collect::<Vec<_>>();
    let torn = transcripts.iter().map(Transcript::torn_bytes).sum::<u64>();
    if args.json {
        output::write_json(&json!({
            "operations": operations,
            "pending": pending.iter().map(pending_as_json).collect::<Vec<_>>(),
            "torn-bytes": torn,
            "intact": names(&scan.intact),
            "findings": findings.iter().map(Finding::as_json).collect::<Vec<_>>(),
            "differences": differences,
        }))?;
    } else {
        let mut text = findings.iter().map(Finding::as_line).collect::<String>();
        for difference in &differences {
            text.push_str(&format!("differs  {difference}\n"));
        }
        for pending in &pending {
            let (op_id, state) = told(pending);
            text.push_str(&format!("pending  {}: {state}\n", op_id.escape_debug()));
        }
        if torn > 0 {
            text.push_str(&format!(
                "note     the last line is torn ({torn} bytes): its writer was stopped, and the \
                 next to append sets it aside\n"
            ));
        }
        let removed = match scan.removed.len() {
            0 => String::new(),
            removed => format!(", {removed} removed on purpose"),
        };
        text.push_str(&format!(
            "{}, {} pending; {} intact, {} not{removed}\n",
            counted(operations, "operation"),
            pending.len(),
            counted(intact, "artifact"),
            findings.len() - scan.removed.len()
        ));
        output::write(text.as_bytes())?;
    }
    match scan.is_sound() && audit.is_clean() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(Exit::Found.into()),
    }
}

/// The operation that is left to do, and what is known of it.
fn told(pending: &Pending) -> (&str, &'static str) {
    match pending {
        Pending::NeverRan(call) => (call.id(), "the model asked for it and it never ran"),
        Pending::Unanswered(operation) => (
            operation.op_id().as_str(),
            "it was dispatched and has no message",
        ),
        Pending::Unsettled(operation) => (
            operation.op_id().as_str(),
            "it has its message and no settle record",
        ),
        _ => ("", "it is not done"),
    }
}

fn pending_as_json(pending: &Pending) -> Value {
    let (id, state) = told(pending);
    json!({"id": id, "state": state})
}
