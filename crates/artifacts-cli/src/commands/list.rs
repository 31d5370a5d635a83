//! `artifacts list`: the artifacts that the records name.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use artifacts_fs::{ArtifactRef, Index, Scan};
use loop_integration::{OperationState, Transcript};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;
use crate::session::{SessionArg, recorded};

/// List the artifacts of a run
///
/// One line each: file name, bytes, whether it is there, the operation, its tool, other names.
/// Nothing is read: `verify` checks the bytes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// Begin with this one, counted from 1
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 1
    )]
    from: usize,
    /// Print at most this many; all are counted
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let transcript = args.session.load()?;
    let index = args.session.index(&transcript)?;
    let named = named(&transcript, &index);
    let artifacts = named.iter().map(|(artifact, _)| artifact.clone());
    let scan = args.session.dir().scan(&artifacts.collect::<Vec<_>>())?;
    let scan = scan.explained_by(&index);
    let states = states(&scan);
    let (total, bytes) = (
        named.len(),
        named.iter().map(|(artifact, _)| artifact.bytes()),
    );
    let bytes = bytes.sum::<u64>();
    let skipped = args.from.saturating_sub(1).min(total);
    let rows = named
        .into_iter()
        .skip(skipped)
        .take(args.max.unwrap_or(usize::MAX))
        .map(|(artifact, operation)| Row {
            state: states.get(&artifact).copied().unwrap_or("missing"),
            aliases: index.aliases(artifact.name()),
            artifact,
            operation,
        })
        .collect::<Vec<_>>();
    if args.json {
        let artifacts = rows.iter().map(Row::as_json).collect::<Vec<_>>();
        return output::write_json(&json!({
            "artifacts": artifacts,
            "total": total,
            "bytes": bytes,
        }));
    }
    let text = rows.iter().map(Row::as_line).collect::<String>();
    output::write(text.as_bytes())?;
    let shown = skipped.saturating_add(rows.len());
    if shown < total {
        let (more, next) = (total - shown, shown.saturating_add(1));
        output::diagnose(&format!("{more} more artifacts; --from {next} goes on"));
    }
    Ok(ExitCode::SUCCESS)
}

struct Row<'a> {
    artifact: ArtifactRef,
    state: &'static str,
    operation: Option<&'a OperationState>,
    aliases: Vec<String>,
}

/// What the records name, then what the index alone has.
fn named<'a>(
    transcript: &'a Transcript,
    index: &Index,
) -> Vec<(ArtifactRef, Option<&'a OperationState>)> {
    let mut named = recorded(transcript)
        .map(|(operation, artifact)| (artifact, Some(operation)))
        .collect::<Vec<_>>();
    let known = named.iter().map(|(artifact, _)| artifact.name().clone());
    let known = known.collect::<BTreeSet<_>>();
    let entries = index.entries();
    let others = entries.iter().map(|entry| entry.artifact());
    let others = others.filter(|artifact| !known.contains(artifact.name()));
    named.extend(others.map(|artifact| (artifact.clone(), None)));
    named
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
        let operation = self.operation.map(OperationState::operation);
        let mut line = format!(
            "{}  {} bytes  {}",
            self.artifact.name(),
            self.artifact.bytes(),
            self.state
        );
        if let Some(operation) = operation {
            line.push_str(&format!("  {}", one_line(operation.op_id().as_str())));
        }
        if let Some(tool) = operation.and_then(|operation| operation.tool()) {
            line.push_str(&format!(" ({})", one_line(tool)));
        }
        for alias in &self.aliases {
            line.push_str(&format!("  \"{}\"", one_line(alias)));
        }
        line.push('\n');
        line
    }

    fn as_json(&self) -> Value {
        let operation = self.operation.map(OperationState::operation);
        let settled = self.operation.and_then(OperationState::settled);
        let recorded = settled.and_then(|settled| settled.artifact());
        json!({
            "file": self.artifact.name().as_str(),
            "digest": self.artifact.digest().to_string(),
            "bytes": self.artifact.bytes(),
            "chars": recorded.map(|artifact| artifact.chars()),
            "elided-chars": recorded.map(|artifact| artifact.elided_chars()),
            "state": self.state,
            "op-id": operation.map(|operation| operation.op_id().as_str()),
            "tool": operation.and_then(|operation| operation.tool()),
            "names": self.aliases,
        })
    }
}

/// An id or a name may hold anything.
fn one_line(text: &str) -> String {
    text.escape_debug().to_string()
}
