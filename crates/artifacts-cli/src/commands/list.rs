//! `artifacts list`: the artifacts that something names.

use std::collections::BTreeMap;
use std::process::ExitCode;

use artifacts_fs::{ArtifactRef, Indexed, Scan};
use loop_integration::OperationState;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{self, counted};
use crate::place::PlaceArg;
use crate::session::recorded;

/// List the artifacts of a run or a directory
///
/// One line each: file name, bytes, whether it is there, the operation, its tool, other names.
/// Nothing is read: `verify` checks the bytes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: PlaceArg,
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
    let place = args.place.open()?;
    let index = place.index()?;
    let named = place.named(&index);
    let recorded = place.transcripts().iter().flat_map(recorded);
    let recorded = recorded.map(|(operation, artifact)| (artifact, operation));
    let operations = recorded.collect::<BTreeMap<_, _>>();
    let scan = place.dir().scan(&named)?.explained_by(&index);
    let states = states(&scan);
    let total = named.len();
    let bytes = named.iter().map(ArtifactRef::bytes).sum::<u64>();
    let skipped = args.from.saturating_sub(1).min(total);
    let rows = named
        .into_iter()
        .skip(skipped)
        .take(args.max.unwrap_or(usize::MAX))
        .map(|artifact| Row {
            state: states.get(&artifact).copied().unwrap_or("missing"),
            aliases: index.aliases(artifact.name()),
            operation: operations.get(&artifact).copied(),
            known: index.find(artifact.name()),
            artifact,
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
        let more = counted(more, "more artifact");
        output::diagnose(&format!("{more}; --from {next} goes on"));
    }
    Ok(ExitCode::SUCCESS)
}

struct Row<'a> {
    artifact: ArtifactRef,
    state: &'static str,
    operation: Option<&'a OperationState>,
    known: Option<Indexed>,
    aliases: Vec<String>,
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
    fn tool(&self) -> Option<&str> {
        let recorded = self.operation.map(OperationState::operation);
        let noted = || self.known.as_ref().and_then(Indexed::source);
        recorded.map_or_else(noted, |operation| operation.tool())
    }

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
        if let Some(tool) = self.tool() {
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
            "tool": self.tool(),
            "names": self.aliases,
        })
    }
}

/// An id or a name may hold anything.
fn one_line(text: &str) -> String {
    text.escape_debug().to_string()
}
