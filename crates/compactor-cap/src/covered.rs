//! Which artifacts a summary covers.

use alloc::collections::BTreeSet;

use artifacts_core::ArtifactName;

use crate::{Message, Part};

/// The artifacts of the tool results in `messages`, for a retention plan that lets go of what a
/// summary covers (SPEC 8.4).
///
/// Told by records alone. A name in the words of a user or an assistant, or one that a tool
/// printed, covers nothing: a plan made from text could delete what was only spoken of.
///
/// ```
/// use compactor_cap::covered;
/// use serde_json::json;
///
/// let text = "[... full result: op-1.txt sha256 ...]";
/// assert!(covered(&[json!({"role": "user", "content": text})]).is_empty());
/// assert!(covered(&[json!({"role": "tool", "content": text})]).is_empty());
/// ```
#[must_use]
pub fn covered<M: Message>(messages: &[M]) -> BTreeSet<ArtifactName> {
    let mut names = BTreeSet::new();
    for message in messages {
        for part in message.parts() {
            if let Part::Result(result) = part {
                names.extend(result.artifact().map(|record| record.name().clone()));
            }
        }
    }
    names
}
