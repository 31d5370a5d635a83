//! Which artifacts a policy removes: a pure decision, to be looked at before it is applied.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::time::{Duration, SystemTime};

use artifacts_core::ArtifactName;

use crate::Gone;
use crate::list::{Entry, Listed, ListedArtifact};
use crate::usage::Tally;

/// What may be removed. The default removes nothing, ever (SPEC 4.9).
///
/// Each condition that is set removes what it names; an artifact that none names is kept.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use artifacts_fs::{ArtifactDir, Policy};
///
/// # let tmp = tempfile::tempdir()?;
/// let store = ArtifactDir::beside(tmp.path().join("run.jsonl"));
/// let policy = Policy::forever().older_than(Policy::ONE_DAY).max_total_bytes(1 << 30);
/// let plan = policy.plan(&store.entries()?, SystemTime::UNIX_EPOCH);
/// println!("{plan}");
/// assert_eq!(store.apply(&plan)?.removed.files, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    older_than: Option<Duration>,
    max_total_bytes: Option<u64>,
    max_count: Option<u64>,
    referenced: Option<BTreeSet<ArtifactName>>,
}

/// What a [`Policy`] would remove from a directory. `Display` prints it for a dry run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    removals: Vec<Removal>,
    kept: Tally,
}

/// One file to be removed, as it was when the plan was made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removal {
    /// Its name in the directory.
    pub name: OsString,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was written.
    pub modified: SystemTime,
    /// When it was stored last, or anything about it changed.
    pub changed: SystemTime,
    /// Why it goes.
    pub reason: Reason,
}

/// Why a file is to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A staging file without a writer, older than an hour.
    Leftover,
    /// Older than the policy keeps.
    Age,
    /// Named by none of the transcripts.
    Unreferenced,
    /// There are more artifacts than the policy keeps, and older ones go first.
    Count,
    /// They are larger together than the policy keeps, and older ones go first.
    TotalBytes,
}

impl Policy {
    /// A day, the usual time to live.
    pub const ONE_DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// How old a staging file must be to be taken for a leftover.
    pub const LEFTOVER_AGE: Duration = Duration::from_secs(60 * 60);

    /// Removes no artifact.
    #[must_use]
    pub fn forever() -> Self {
        Self::default()
    }

    /// Removes artifacts older than `age`. One of exactly that age is kept, and so is one whose
    /// time lies in the future.
    #[must_use]
    pub fn older_than(self, age: Duration) -> Self {
        Self {
            older_than: Some(age),
            ..self
        }
    }

    /// Removes the oldest until all together have at most `bytes`.
    #[must_use]
    pub fn max_total_bytes(self, bytes: u64) -> Self {
        Self {
            max_total_bytes: Some(bytes),
            ..self
        }
    }

    /// Removes the oldest until there are at most `count`.
    #[must_use]
    pub fn max_count(self, count: u64) -> Self {
        Self {
            max_count: Some(count),
            ..self
        }
    }

    /// Removes those that are not among `names`: what every transcript of the directory names.
    #[must_use]
    pub fn unreferenced_by(self, names: impl IntoIterator<Item = ArtifactName>) -> Self {
        Self {
            referenced: Some(names.into_iter().collect()),
            ..self
        }
    }

    /// Decides over a listing, at the time `now`. Touches nothing.
    #[must_use]
    pub fn plan(&self, entries: &[Entry], now: SystemTime) -> Plan {
        let mut plan = Plan::default();
        let mut kept = Vec::new();
        let artifacts = entries.iter().filter_map(|entry| match entry {
            Entry::Artifact(artifact) => Some(&artifact.name),
            _ => None,
        });
        let artifacts = artifacts.collect::<BTreeSet<_>>();
        for entry in entries {
            match entry {
                Entry::Artifact(artifact) => match self.reason(artifact, now) {
                    Some(reason) => plan.removals.push(removal(artifact, reason)),
                    None => kept.push(artifact),
                },
                Entry::Staging(file) if is_older(file.modified, Self::LEFTOVER_AGE, now) => {
                    plan.removals.push(leftover(file));
                }
                // A cache goes with its artifact; one whose artifact is gone goes as old ones do.
                Entry::Cache(cache)
                    if !artifacts.contains(&cache.artifact)
                        && is_older(cache.file.modified, Self::LEFTOVER_AGE, now) =>
                {
                    plan.removals.push(leftover(&cache.file));
                }
                Entry::Staging(_) | Entry::Cache(_) | Entry::Index(_) | Entry::Foreign(_) => {}
            }
        }
        kept.sort_by(|a, b| (b.modified, &b.name).cmp(&(a.modified, &a.name)));
        for artifact in kept {
            let mut tally = plan.kept;
            tally.add(artifact.bytes);
            let over = |max: Option<u64>, value| max.is_some_and(|max| value > max);
            // Once a newer one did not fit, no older one is kept: what goes is always a tail.
            let last = plan.removals.last().map(|removal| removal.reason);
            match last {
                Some(reason @ (Reason::Count | Reason::TotalBytes)) => {
                    plan.removals.push(removal(artifact, reason));
                }
                _ if over(self.max_count, tally.files) => {
                    plan.removals.push(removal(artifact, Reason::Count));
                }
                _ if over(self.max_total_bytes, tally.bytes) => {
                    plan.removals.push(removal(artifact, Reason::TotalBytes));
                }
                _ => plan.kept = tally,
            }
        }
        plan.removals
            .sort_by(|a, b| (a.modified, &a.name).cmp(&(b.modified, &b.name)));
        plan
    }

    fn reason(&self, artifact: &ListedArtifact, now: SystemTime) -> Option<Reason> {
        let is_named = |names: &BTreeSet<_>| names.contains(&artifact.name);
        if self
            .referenced
            .as_ref()
            .is_some_and(|names| !is_named(names))
        {
            return Some(Reason::Unreferenced);
        }
        let age = self.older_than?;
        is_older(artifact.modified, age, now).then_some(Reason::Age)
    }
}

impl Plan {
    /// What would be removed, the oldest first.
    #[must_use]
    pub fn removals(&self) -> &[Removal] {
        &self.removals
    }

    /// The artifacts that would be kept.
    #[must_use]
    pub fn kept(&self) -> Tally {
        self.kept
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes: u64 = 0;
        for removal in &self.removals {
            bytes = bytes.saturating_add(removal.bytes);
            let name = removal.name.to_string_lossy();
            let name = name.escape_debug();
            writeln!(
                f,
                "remove {name} ({} bytes): {}",
                removal.bytes, removal.reason
            )?;
        }
        let (files, kept) = (self.removals.len(), self.kept);
        write!(
            f,
            "{files} to remove ({bytes} bytes), {} to keep ({} bytes)",
            kept.files, kept.bytes
        )
    }
}

impl Reason {
    /// What is said of an artifact that goes for this reason; nothing where nobody names it.
    pub(crate) fn tombstone(self) -> Option<Gone> {
        match self {
            Self::Age => Some(Gone::Expired),
            Self::Count | Self::TotalBytes => Some(Gone::Evicted),
            Self::Unreferenced | Self::Leftover => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Leftover => "left behind by a writer",
            Self::Age => "too old",
            Self::Unreferenced => "named by no transcript",
            Self::Count => "too many",
            Self::TotalBytes => "too large together",
        })
    }
}

/// Whether `modified` is further back than `age`; a time in the future is not.
fn is_older(modified: SystemTime, age: Duration, now: SystemTime) -> bool {
    now.duration_since(modified).is_ok_and(|past| past > age)
}

fn removal(artifact: &ListedArtifact, reason: Reason) -> Removal {
    Removal {
        name: artifact.name.as_str().into(),
        bytes: artifact.bytes,
        modified: artifact.modified,
        changed: artifact.changed,
        reason,
    }
}

fn leftover(file: &Listed) -> Removal {
    Removal {
        name: file.name.clone(),
        bytes: file.bytes,
        modified: file.modified,
        changed: file.changed,
        reason: Reason::Leftover,
    }
}
