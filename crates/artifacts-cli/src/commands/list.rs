//! `artifacts list`: the artifacts that the records name.

use std::collections::BTreeMap;
use std::process::ExitCode;

use artifacts_fs::{ArtifactRef, Scan};
use loop_integration::{OperationState, Transcript};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;
use crate::session::{SessionArg, recorded};

/// List the artifacts of a run
///
/// One line each: file name, bytes, whether it is there, the operation, its tool. Nothing is read:
/// `verify` checks the bytes.
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
    let transcript = args.session.load()?;
    let scan = args.session.dir().scan(&transcript.artifacts())?;
    let scan = args.session.explain(scan, &transcript)?;
    let states = states(&scan);
    let rows = rows(&transcript, &states);
    if args.json {
        let artifacts = rows.iter().map(Row::as_json).collect::<Vec<_>>();
        let bytes = rows.iter().map(|row| row.artifact.bytes()).sum::<u64>();
        return output::write_json(&json!({"artifacts": artifacts, "bytes": bytes}));
    }
    let text = rows.iter().map(Row::as_line).collect::<String>();
    output::write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

struct Row<'a> {
    artifact: ArtifactRef,
    state: &'static str,
    operation: &'a OperationState,
}

fn rows<'a>(
    transcript: &'a Transcript,
    states: &BTreeMap<&ArtifactRef, &'static str>,
) -> Vec<Row<'a>> {
    recorded(transcript)
        .map(|(operation, artifact)| Row {
            state: states.get(&artifact).copied().unwrap_or("missing"),
            artifact,
            operation,
        })
        .collect()
}

fn states(scan: &Scan) -> BTreeMap<&ArtifactRef, &'static str> {
    let lists = [
        (&scan.intact, "present"),
        (&scan.missing, "missing"),
        (&scan.short, "short"),
        (&scan.altered, "altered"),
    ];
    let removed = scan
        .removed
        .iter()
        .map(|(artifact, _)| (artifact, "removed"));
    lists
        .into_iter()
        .flat_map(|(list, state)| list.iter().map(move |artifact| (artifact, state)))
        .chain(removed)
        .collect()
}

impl Row<'_> {
    fn as_line(&self) -> String {
        let operation = self.operation.operation();
        let tool = operation
            .tool()
            .map(|tool| format!(" ({})", one_line(tool)));
        format!(
            "{}  {} bytes  {}  {}{}\n",
            self.artifact.name(),
            self.artifact.bytes(),
            self.state,
            one_line(operation.op_id().as_str()),
            tool.unwrap_or_default(),
        )
    }

    fn as_json(&self) -> Value {
        let operation = self.operation.operation();
        let recorded = self
            .operation
            .settled()
            .and_then(|settled| settled.artifact());
        json!({
            "file": self.artifact.name().as_str(),
            "digest": self.artifact.digest().to_string(),
            "bytes": self.artifact.bytes(),
            "chars": recorded.map(|artifact| artifact.chars()),
            "elided-chars": recorded.map(|artifact| artifact.elided_chars()),
            "state": self.state,
            "op-id": operation.op_id().as_str(),
            "tool": operation.tool(),
        })
    }
}

/// An id or a name may hold anything.
fn one_line(text: &str) -> String {
    text.escape_debug().to_string()
}
