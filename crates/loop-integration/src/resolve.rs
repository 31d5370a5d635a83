//! The one way from a handle that a model writes to an artifact of this run.

use std::fmt;

use artifacts_core::{ArtifactName, ContentType, OpId};
use artifacts_fs::{Gone, Index, Indexed};

use crate::clean::{Clean, is_plain};

/// Finds the artifact that a handle means.
///
/// A handle is a file name, an alias, an op id, `art:<id>`, `art_<the first 8 or more hex digits
/// of the SHA-256>`, or `/large_tool_results/<id>` (SPEC 6.3). It is compared with what the index
/// holds and never joined to a path. Where an id stands for several artifacts, it means the newest.
///
/// ```
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactStore as _, Index, MemoryStore};
/// use loop_integration::resolve;
///
/// let stored = MemoryStore::default().store(&OpId::new("op-1"), ContentType::Text, b"full")?;
/// let index = Index::default();
/// index.add((&stored).into(), None);
/// assert!(resolve(&index, "art:op-1").is_ok());
/// let unresolved = resolve(&index, "../../etc/passwd").unwrap_err();
/// assert_eq!(unresolved.to_string(), "[no artifact found for '../../etc/passwd']");
/// # Ok::<(), artifacts_fs::Error>(())
/// ```
///
/// # Errors
///
/// [`Unresolved`], whose text is the answer to the model.
pub fn resolve(index: &Index, handle: &str) -> Result<Indexed, Unresolved> {
    find(index, handle).ok_or_else(|| Unresolved {
        handle: Clean::new(handle).to_string(),
        gone: gone(index, handle),
    })
}

/// A handle that leads to no artifact of this run, or to one that is there no more. Its text is
/// one line of at most 400 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    handle: String,
    gone: Option<Gone>,
}

impl Unresolved {
    /// Why the artifact is there no more, if it once was.
    #[must_use]
    pub fn gone(&self) -> Option<Gone> {
        self.gone
    }
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.gone {
            Some(gone) => write!(f, "['{}' {gone}]", self.handle),
            None => write!(f, "[no artifact found for '{}']", self.handle),
        }
    }
}

impl std::error::Error for Unresolved {}

/// Whether `alias` can't be taken for another form of handle.
pub(crate) fn is_alias(alias: &str) -> bool {
    let is_plain = |c: char| is_plain(c) && c != '\'' && c != '"';
    !alias.is_empty()
        && alias.trim() == alias
        && alias.len() <= MAX_ALIAS_BYTES
        && alias.chars().all(is_plain)
        && !alias.starts_with(['/', '.'])
        && !alias.starts_with(ID)
        && !alias.starts_with(HEX)
        && ArtifactName::parse(alias).is_err()
}

/// Whether `alias` is the id of an operation whose artifact is there or was.
pub(crate) fn is_id(index: &Index, alias: &str) -> bool {
    by_id(index, alias).is_some() || gone_by_id(index, alias).is_some()
}

fn find(index: &Index, handle: &str) -> Option<Indexed> {
    if let Some(id) = handle.strip_prefix(MOUNT) {
        return by_file(index, id).or_else(|| by_id(index, id));
    }
    if let Some(id) = handle.strip_prefix(ID) {
        return by_id(index, id);
    }
    by_file(index, handle)
        .or_else(|| index.find_alias(handle))
        .or_else(|| by_id(index, handle))
        .or_else(|| by_digest(index, handle.strip_prefix(HEX)?))
}

/// The tombstone of what the handle meant. A digest leads to none.
fn gone(index: &Index, handle: &str) -> Option<Gone> {
    let id = [MOUNT, ID]
        .iter()
        .find_map(|form| handle.strip_prefix(form));
    let id = id.unwrap_or(handle);
    index.gone(id).or_else(|| gone_by_id(index, id))
}

fn gone_by_id(index: &Index, id: &str) -> Option<Gone> {
    let names = ContentType::ALL.map(|content| ArtifactName::for_op(&OpId::new(id), content));
    names.iter().find_map(|name| index.gone(name.as_str()))
}

fn by_file(index: &Index, file: &str) -> Option<Indexed> {
    index.find(&ArtifactName::parse(file).ok()?)
}

fn by_id(index: &Index, id: &str) -> Option<Indexed> {
    let of_op = ArtifactName::for_op(&OpId::new(id), ContentType::Text);
    let stem = of_op.stem();
    index.newest(|entry| {
        let name = entry.artifact().name();
        name.stem() == stem || name.stem() == id
    })
}

fn by_digest(index: &Index, hex: &str) -> Option<Indexed> {
    if hex.len() < MIN_HEX {
        return None;
    }
    index.newest(|entry| entry.artifact().digest().to_string().starts_with(hex))
}

/// Where the artifacts of a run can be read as files.
pub(crate) const MOUNT: &str = "/large_tool_results/";

const ID: &str = "art:";
/// Before digits of an artifact's digest.
pub(crate) const HEX: &str = "art_";
const MIN_HEX: usize = 8;

/// The longest alias.
pub(crate) const MAX_ALIAS_BYTES: usize = 64;
