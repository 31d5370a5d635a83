//! The lines of `index.jsonl`: changes that belong together, and a check.
//!
//! `{"changes":[…],"check":"…"}`, where the check is the first 16 hex digits of the SHA-256 of the
//! list as it is written. A line counts as a whole or not at all, so a torn one changes nothing.

use std::time::{Duration, SystemTime};

use artifacts_core::{ArtifactName, ContentDigest};
use serde::{Deserialize, Serialize};

use super::contents::{Change, Tombstone};
use super::entry::{Gone, Indexed, Whole};
use crate::ArtifactRef;

/// The line for `changes`, with its line feed.
pub(super) fn encode(changes: &[Change]) -> String {
    let changes = changes.iter().map(Wire::of).collect::<Vec<_>>();
    let list = serde_json::to_string(&changes).expect("because every field is a text or a number");
    format!("{HEAD}{list}{MIDDLE}{}{TAIL}\n", check(&list))
}

/// The changes of a line without its line feed; `None` if it is not one of ours, whole.
pub(super) fn decode(line: &[u8]) -> Option<Vec<Change>> {
    let line = std::str::from_utf8(line).ok()?;
    let (list, checked) = line
        .strip_prefix(HEAD)?
        .strip_suffix(TAIL)?
        .rsplit_once(MIDDLE)?;
    if checked != check(list) {
        return None;
    }
    let changes: Vec<Wire> = serde_json::from_str(list).ok()?;
    changes.into_iter().map(Wire::into_change).collect()
}

/// The line that says of the one before it, of `bytes` bytes, that a killed writer began it: it
/// never was, and nothing is damaged.
pub(super) fn torn(bytes: usize) -> String {
    format!("{{\"torn\":{bytes}}}\n")
}

/// How many bytes the line before `line` has, if it says that it was torn.
pub(super) fn torn_before(line: &[u8]) -> Option<usize> {
    let line = std::str::from_utf8(line).ok()?;
    line.strip_prefix("{\"torn\":")?
        .strip_suffix('}')?
        .parse()
        .ok()
}

fn check(list: &str) -> String {
    let digest = ContentDigest::of(list.as_bytes()).to_string();
    digest.chars().take(CHECK_DIGITS).collect()
}

const HEAD: &str = r#"{"changes":"#;
const MIDDLE: &str = r#","check":""#;
const TAIL: &str = r#""}"#;
const CHECK_DIGITS: usize = 16;

/// A change as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
enum Wire {
    Kept {
        file: String,
        digest: String,
        bytes: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<String>,
        /// The size and the digest of the whole result, if this is its first part.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        whole: Option<(u64, String)>,
        /// Microseconds since 1970.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stored: Option<u64>,
    },
    /// An artifact that is stored again becomes the newest.
    Moved {
        file: String,
    },
    Gone {
        file: String,
        why: Why,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        digest: Option<String>,
    },
    Named {
        alias: String,
        file: String,
    },
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Why {
    Evicted,
    Expired,
    Covered,
}

impl Wire {
    fn of(change: &Change) -> Self {
        let file = |name: &ArtifactName| name.as_str().to_owned();
        match change {
            Change::Put(entry) => Self::Kept {
                file: file(entry.artifact.name()),
                digest: entry.artifact.digest().to_string(),
                bytes: entry.artifact.bytes(),
                source: entry.source().map(str::to_owned),
                whole: entry
                    .whole
                    .map(|whole| (whole.bytes, whole.digest.to_string())),
                stored: entry.stored.and_then(micros),
            },
            Change::Take(name) => Self::Moved { file: file(name) },
            Change::Bury(name, tombstone) => Self::Gone {
                file: file(name),
                why: tombstone.why.into(),
                digest: tombstone.digest.map(|digest| digest.to_string()),
            },
            Change::Name(alias, name) => Self::Named {
                alias: alias.clone(),
                file: file(name),
            },
        }
    }

    fn into_change(self) -> Option<Change> {
        let name = |file: &str| ArtifactName::parse(file).ok();
        Some(match self {
            Self::Kept {
                file,
                digest,
                bytes,
                source,
                whole,
                stored,
            } => {
                let artifact = ArtifactRef::new(name(&file)?, digest.parse().ok()?, bytes);
                let mut entry = Indexed::new(artifact, source.as_deref());
                if let Some((bytes, digest)) = whole {
                    let digest = digest.parse().ok()?;
                    entry.whole = Some(Whole { bytes, digest });
                }
                entry.stored = stored.and_then(time);
                Change::Put(entry)
            }
            Self::Moved { file } => Change::Take(name(&file)?),
            Self::Gone { file, why, digest } => {
                let digest = match digest {
                    Some(digest) => Some(digest.parse().ok()?),
                    None => None,
                };
                let why = why.into();
                Change::Bury(name(&file)?, Tombstone { why, digest })
            }
            Self::Named { alias, file } => Change::Name(alias, name(&file)?),
        })
    }
}

fn micros(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_micros()).ok()
}

fn time(micros: u64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_micros(micros))
}

impl From<Gone> for Why {
    fn from(gone: Gone) -> Self {
        match gone {
            Gone::Evicted => Self::Evicted,
            Gone::Expired => Self::Expired,
            Gone::Covered => Self::Covered,
        }
    }
}

impl From<Why> for Gone {
    fn from(why: Why) -> Self {
        match why {
            Why::Evicted => Self::Evicted,
            Why::Expired => Self::Expired,
            Why::Covered => Self::Covered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes() -> Vec<Change> {
        let name = ArtifactName::parse("op-1.txt").unwrap();
        let mut entry = Indexed::new(
            ArtifactRef::new(name.clone(), ContentDigest::of(b"full"), 4),
            Some("a \"tool\"\n"),
        );
        entry.whole = Some(Whole {
            bytes: 9,
            digest: ContentDigest::of(b"the whole"),
        });
        entry.stored = time(1_767_225_600_000_001);
        vec![
            Change::Take(name.clone()),
            Change::Put(entry),
            Change::Name("report".into(), name.clone()),
            Change::Bury(
                name,
                Tombstone {
                    why: Gone::Expired,
                    digest: Some(ContentDigest::of(b"full")),
                },
            ),
        ]
    }

    #[test]
    fn a_line_reads_as_it_was_written() {
        let line = encode(&changes());
        assert_eq!(line.matches('\n').count(), 1);
        insta::assert_snapshot!("line", line);
        assert_eq!(decode(line.trim_end().as_bytes()), Some(changes()));
        assert_eq!(decode(encode(&[]).trim_end().as_bytes()), Some(Vec::new()));
    }

    #[test]
    fn no_line_with_a_changed_or_missing_byte_is_read() {
        let line = encode(&changes());
        let line = line.trim_end().as_bytes();
        for at in 0..line.len() {
            assert_eq!(decode(&line[..at]), None, "up to {at}");
            let mut changed = line.to_vec();
            changed[at] ^= 1;
            assert_eq!(decode(&changed), None, "at {at}");
        }
    }
}
