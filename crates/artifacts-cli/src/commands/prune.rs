//! `artifacts prune`: an explicit, printable removal; a dry run unless told otherwise.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use artifacts_fs::{Applied, Entry, Left, ListedArtifact, Plan, Policy};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{self, counted};
use crate::place::{Named, Place, PlaceArg};
use crate::session::unanswered_stems;

/// Plan which artifacts of a run or a directory to remove, and remove them with --apply
///
/// Without --apply nothing is removed. The plan lists the oldest first, as it removes. What was left
/// behind by writers more than an hour ago is always in the plan. A run replays the same with any of its artifacts removed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: PlaceArg,
    /// Remove artifacts older than this: 90s, 30m, 24h, 7d
    #[arg(long, value_name = "AGE", value_parser = age)]
    older_than: Option<Duration>,
    /// Remove the oldest until the rest is at most this large: 1000000, 500K, 20M, 1G, where K is
    /// 1,024 bytes, M 1,024 K and G 1,024 M
    #[arg(long, value_name = "BYTES", value_parser = size)]
    max_bytes: Option<u64>,
    /// Remove artifacts that nothing names: no transcript of the directory, as run.jsonl and run.log
    /// share one, not its index, and not the call log. Where the proxy or a hook stores too, nothing
    /// that is younger than an hour
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
    let dir = args.place.dir();
    // Listed before the transcript is read: what is stored meanwhile is not in the list, or not as
    // it is listed, and what was stored before belongs to an operation that is dispatched.
    let entries = dir.entries()?;
    let place = args.place.open()?;
    let now = now();
    let mut policy = Policy::forever();
    if let Some(age) = args.older_than {
        policy = policy.older_than(age);
    }
    if let Some(bytes) = args.max_bytes {
        policy = policy.max_total_bytes(bytes);
    }
    if args.unreferenced {
        policy = policy.unreferenced_by(referenced(&place, &entries, now)?);
    }
    let plan = policy.plan(&entries, now);
    let applied = match args.apply {
        true => Some(dir.apply_noted(&plan, &place.index_for(&plan)?)?),
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

/// What is named by something, and what an operation, the proxy or a hook may be storing at this
/// moment.
fn referenced(place: &Place, entries: &[Entry], now: SystemTime) -> Result<Named, Failure> {
    if !place.is_run() {
        return Err(Failure::input(
            "--unreferenced needs --session: only a transcript tells what its run names; \
             --older-than and --max-bytes serve a directory",
        ));
    }
    let transcripts = place.all_transcripts()?;
    let written_down = place.written_down()?;
    let stems = transcripts.iter().flat_map(unanswered_stems);
    let open = Open {
        stems: stems.collect(),
        is_shared: written_down.is_some(),
    };
    let recorded = transcripts.iter().flat_map(|transcript| {
        let artifacts = transcript.artifacts().into_iter();
        artifacts.chain(transcript.mentioned())
    });
    let recorded = recorded.map(|artifact| artifact.name().clone());
    let mut named = written_down.unwrap_or_default();
    named.extend(recorded);
    let artifacts = entries.iter().filter_map(|entry| match entry {
        Entry::Artifact(artifact) => Some(artifact),
        _ => None,
    });
    let in_doubt = artifacts.filter(|artifact| open.may_name(artifact, now));
    named.extend(in_doubt.map(|artifact| artifact.name.clone()));
    Ok(named)
}

/// What may yet be named.
struct Open {
    /// The operations without an answer.
    stems: BTreeSet<String>,
    /// Whether others than the run store in the directory, who write a name down after the file.
    is_shared: bool,
}

impl Open {
    fn may_name(&self, artifact: &ListedArtifact, now: SystemTime) -> bool {
        let stored = artifact.modified.max(artifact.changed);
        let age = now.duration_since(stored).unwrap_or_default();
        let is_open = self.is_shared || self.stems.contains(artifact.name.stem());
        is_open && age <= Policy::LEFTOVER_AGE
    }
}

fn report(applied: &Applied) -> String {
    let mut text = format!(
        "removed {}, {}\n",
        counted(applied.removed.files, "file"),
        counted(applied.removed.bytes, "byte"),
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
    use artifacts_core::{ContentType, OpId};
    use artifacts_fs::{ArtifactDir, ArtifactStore as _};

    use super::*;

    #[test]
    fn what_is_stored_beside_a_run_is_kept_for_an_hour_without_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let dir = ArtifactDir::at(folder.path().join("run.artifacts"));
        let op_id = OpId::new("op-1");
        let stored = dir.store(&op_id, ContentType::Text, b"text").unwrap();
        let [Entry::Artifact(artifact)] = &dir.entries().unwrap()[..] else {
            panic!("one artifact");
        };
        assert_eq!(&artifact.name, stored.name());
        let after = |seconds| artifact.changed + Duration::from_secs(seconds);
        let alone = Open {
            stems: BTreeSet::new(),
            is_shared: false,
        };
        assert!(!alone.may_name(artifact, after(0)));
        let shared = Open {
            is_shared: true,
            ..alone
        };
        assert!(shared.may_name(artifact, after(3_600)));
        assert!(!shared.may_name(artifact, after(3_601)));
        let open = Open {
            stems: BTreeSet::from(["op-1".to_owned()]),
            is_shared: false,
        };
        assert!(open.may_name(artifact, after(3_600)));
    }

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
