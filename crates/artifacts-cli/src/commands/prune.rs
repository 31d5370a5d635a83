//! `artifacts prune`: an explicit, printable removal; a dry run unless told otherwise.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use artifacts_fs::{Applied, Entry, Left, Plan, Policy};
use loop_integration::Transcript;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;
use crate::session::{SessionArg, unanswered_stems};

/// Plan which artifacts of a run to remove, and remove them with --apply
///
/// Without --apply nothing is removed. What was left behind by writers more than an hour ago is
/// always in the plan. A run replays the same with any of its artifacts removed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// Remove artifacts older than this: 90s, 30m, 24h, 7d
    #[arg(long, value_name = "AGE", value_parser = age)]
    older_than: Option<Duration>,
    /// Remove the oldest until the rest is at most this large: 1000000, 500K, 20M, 1G
    #[arg(long, value_name = "BYTES", value_parser = size)]
    max_bytes: Option<u64>,
    /// Remove artifacts that no transcript of the directory names: run.jsonl and run.log share one
    #[arg(long)]
    unreferenced: bool,
    /// Remove what the plan names
    #[arg(long)]
    apply: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let dir = args.session.dir();
    // Listed before the transcript is read: what is stored meanwhile is not in the list, or not as
    // it is listed, and what was stored before belongs to an operation that is dispatched.
    let entries = dir.entries()?;
    let transcript = args.session.load()?;
    let now = now();
    let mut policy = Policy::forever();
    if let Some(age) = args.older_than {
        policy = policy.older_than(age);
    }
    if let Some(bytes) = args.max_bytes {
        policy = policy.max_total_bytes(bytes);
    }
    if args.unreferenced {
        let transcripts = [vec![transcript.clone()], args.session.siblings()?].concat();
        policy = policy.unreferenced_by(referenced(&transcripts, &entries, now));
    }
    let plan = policy.plan(&entries, now);
    let applied = match args.apply {
        true => {
            let index = args.session.index_for(&transcript, &plan)?;
            Some(dir.apply_noted(&plan, &index)?)
        }
        false => None,
    };
    if args.json {
        return output::write_json(&as_json(&plan, applied.as_ref()));
    }
    let mut text = format!("{plan}\n");
    match applied {
        Some(applied) => text.push_str(&report(&applied)),
        None if plan.removals().is_empty() => {}
        None => text.push_str("nothing was removed; add --apply to remove\n"),
    }
    output::write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// What the records and messages name, and what an operation may be storing at this moment.
fn referenced(
    transcripts: &[Transcript],
    entries: &[Entry],
    now: SystemTime,
) -> Vec<artifacts_core::ArtifactName> {
    let open = transcripts.iter().flat_map(unanswered_stems);
    let open = open.collect::<BTreeSet<_>>();
    let in_doubt = entries.iter().filter_map(|entry| match entry {
        Entry::Artifact(artifact) => {
            let stored = artifact.modified.max(artifact.changed);
            let age = now.duration_since(stored).unwrap_or_default();
            let is_young = age <= Policy::LEFTOVER_AGE;
            let kept = is_young && open.contains(artifact.name.stem());
            kept.then(|| artifact.name.clone())
        }
        _ => None,
    });
    let recorded = transcripts
        .iter()
        .flat_map(|transcript| {
            transcript
                .artifacts()
                .into_iter()
                .chain(transcript.mentioned())
        })
        .map(|artifact| artifact.name().clone());
    recorded.chain(in_doubt).collect()
}

fn report(applied: &Applied) -> String {
    let mut text = format!(
        "removed {} files, {} bytes\n",
        applied.removed.files, applied.removed.bytes
    );
    for (name, why) in &applied.left {
        let name = name.to_string_lossy();
        text.push_str(&format!("left {}: {}\n", name.escape_debug(), reason(*why)));
    }
    text
}

fn reason(left: Left) -> &'static str {
    match left {
        Left::Gone => "it was gone",
        Left::Changed => "it is not the file that was planned for",
        Left::InUse => "its writer is at work",
        _ => "the system refused",
    }
}

fn as_json(plan: &Plan, applied: Option<&Applied>) -> Value {
    let removals = plan.removals().iter().map(|removal| {
        json!({
            "file": removal.name.to_string_lossy(),
            "bytes": removal.bytes,
            "reason": removal.reason.to_string(),
        })
    });
    let applied = applied.map(|applied| {
        let left = applied
            .left
            .iter()
            .map(|(name, why)| json!({"file": name.to_string_lossy(), "reason": reason(*why)}));
        json!({
            "files": applied.removed.files,
            "bytes": applied.removed.bytes,
            "left": left.collect::<Vec<_>>(),
        })
    });
    json!({
        "plan": removals.collect::<Vec<_>>(),
        "keep": {"files": plan.kept().files, "bytes": plan.kept().bytes},
        "removed": applied,
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "the command line is where the clock is read"
)]
fn now() -> SystemTime {
    SystemTime::now()
}

fn age(text: &str) -> Result<Duration, String> {
    const UNITS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let seconds = scaled(text, &UNITS).filter(|_| !text.ends_with(|c: char| c.is_ascii_digit()));
    seconds
        .map(Duration::from_secs)
        .ok_or_else(|| "expected a number and s, m, h or d, as in 24h".into())
}

fn size(text: &str) -> Result<u64, String> {
    const UNITS: [(char, u64); 3] = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30)];
    scaled(text, &UNITS).ok_or_else(|| "expected bytes, or a number and K, M or G".into())
}

fn scaled(text: &str, units: &[(char, u64)]) -> Option<u64> {
    let unit = units.iter().find(|(unit, _)| text.ends_with(*unit));
    let (digits, scale) = match unit {
        Some((unit, scale)) => (text.strip_suffix(*unit)?, *scale),
        None => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_a_unit() {
        assert_eq!(age("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(age("24h"), Ok(Policy::ONE_DAY));
        assert_eq!(age("7d"), Ok(Duration::from_secs(7 * 86_400)));
        for text in ["", "7", "h", "-1h", "1w", "1.5h", "999999999999999999d"] {
            assert!(age(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn sizes_may_have_a_unit() {
        assert_eq!(size("0"), Ok(0));
        assert_eq!(size("500K"), Ok(512_000));
        assert_eq!(size("1G"), Ok(1 << 30));
        for text in ["", "K", "1T", "-1", "99999999999999999999"] {
            assert!(size(text).is_err(), "{text:?}");
        }
    }
}
