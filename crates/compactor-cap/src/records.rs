//! Settle records beside a conversation whose messages don't carry them.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use artifacts_core::SettledDigest;

use crate::{ArtifactRecord, Message, Part, ToolResult};

/// The settle records of a conversation, by the call id of the results they are about.
///
/// A record is used for a result only if the result's text has the digest that the record was
/// settled with. So a call id that a provider gives twice, or a text that was changed since, never
/// gets the artifact of another result.
///
/// That holds for what this crate makes, too: a [view](crate::request_view) has other texts, so
/// take records beside the conversation, and make every view and summary from there. A result with
/// parts that count as text beside its observation has no record either.
///
/// ```
/// use artifacts_core::{ArtifactName, ContentDigest, SettledDigest};
/// use compactor_cap::{ArtifactRecord, Message, Part, Records};
/// use serde_json::json;
///
/// let name = ArtifactName::parse("op-1.txt")?;
/// let record = ArtifactRecord::new(name, ContentDigest::of(b"0123456789"), 10, 10, 6);
/// let mut records = Records::default();
/// records.insert("call-1", SettledDigest::of(b"012 9"), record.clone());
///
/// let conversation = [json!({"role": "tool", "tool_call_id": "call-1", "content": "012 9"})];
/// let recorded = records.beside(&conversation);
/// let [message] = recorded.as_slice() else { unreachable!() };
/// let parts = message.parts();
/// let [Part::Result(result)] = parts.as_slice() else { unreachable!() };
/// assert_eq!(result.artifact(), Some(&record));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Records(BTreeMap<String, BTreeMap<SettledDigest, ArtifactRecord>>);

impl Records {
    /// Adds the record of a result of the call `call_id`, whose observation has the digest
    /// `settled` (the record's `result-digest`). The first record of a call and a digest stays.
    pub fn insert(
        &mut self,
        call_id: impl Into<String>,
        settled: SettledDigest,
        record: ArtifactRecord,
    ) {
        self.0
            .entry(call_id.into())
            .or_default()
            .entry(settled)
            .or_insert(record);
    }

    /// `messages`, each with the records that are about its results.
    #[must_use]
    pub fn beside<'a, M: Message>(&'a self, messages: &'a [M]) -> Vec<Recorded<'a, M>> {
        messages
            .iter()
            .map(|message| Recorded {
                message,
                records: self,
            })
            .collect()
    }

    fn find(&self, result: &ToolResult<'_>) -> Option<&ArtifactRecord> {
        let of_call = self.0.get(result.call_id()?)?;
        of_call.get(&SettledDigest::of(result.text().as_bytes()))
    }
}

/// A message with the [`Records`] that may be about its results.
#[derive(Debug, PartialEq, Eq)]
pub struct Recorded<'a, M> {
    message: &'a M,
    records: &'a Records,
}

impl<'a, M> Recorded<'a, M> {
    /// The message without records.
    #[must_use]
    pub fn message(&self) -> &'a M {
        self.message
    }
}

impl<M> Clone for Recorded<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Recorded<'_, M> {}

impl<M: Message> Message for Recorded<'_, M> {
    fn role(&self) -> &str {
        self.message.role()
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = self.message.parts();
        for part in &mut parts {
            if let Part::Result(result) = part
                && let Some(record) = self.records.find(result)
            {
                result.record(record.clone());
            }
        }
        parts
    }
}
