//! The proof, offline, that the four places of every observation are equal (SPEC 5.10).

use std::fmt;

use artifacts_core::{MarkerLine, OpId, SettledDigest};
use artifacts_fs::{ArtifactRef, ArtifactStore};

use crate::{Message, OperationState, Transcript};

/// What the four places say of one operation. An agent with a session format of its own fills it
/// from its own records; [`Transcript::places`] fills it from ours.
#[derive(Debug, Clone)]
pub struct Places<'a> {
    /// The operation.
    pub op_id: &'a OpId,
    /// The content of the message in the conversation.
    pub conversation: &'a str,
    /// The content of the message in the session's file.
    pub transcript: &'a str,
    /// The content of the event, where events were kept.
    pub event: Option<&'a str>,
    /// The digest on the settle record; none where the outcome is unknown.
    pub digest: Option<SettledDigest>,
    /// The artifact on the settle record.
    pub artifact: Option<ArtifactRef>,
    /// Graphemes that the string leaves out; where it leaves out some, it must name the artifact.
    pub elided_chars: u64,
}

/// What an audit found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Audit {
    operations: u64,
    artifacts: u64,
    findings: Vec<Finding>,
}

/// A place that is not as the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    op_id: OpId,
    difference: Difference,
}

/// Which place differs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// The conversation's string is not the session file's.
    Conversation,
    /// The event's string is not the session file's.
    Event,
    /// The settle record's digest is not that of the string.
    Digest,
    /// The string does not name the artifact's file and digest.
    Marker,
    /// The artifact can't be read as what the record says: the store's own message.
    Artifact(String),
}

/// Compares the places of each operation and, with a store, reads each artifact.
///
/// ```
/// use artifacts_core::Shape;
/// use loop_integration::{Operation, Places, Settler, ToolResult, audit};
///
/// let settled = Settler::new(Shape::excerpt()).settle(&Operation::new("op-1"), ToolResult::success("ok"));
/// let places = Places {
///     op_id: settled.operation().op_id(),
///     conversation: settled.observation(),
///     transcript: settled.observation(),
///     event: Some("something else"),
///     digest: Some(*settled.result().digest()),
///     artifact: None,
///     elided_chars: 0,
/// };
/// let audit = audit([places], None);
/// assert_eq!(audit.findings()[0].to_string(), "operation \"op-1\": the event is another string");
/// ```
pub fn audit<'a>(
    places: impl IntoIterator<Item = Places<'a>>,
    store: Option<&dyn ArtifactStore>,
) -> Audit {
    let mut audit = Audit::default();
    for places in places {
        audit.operations += 1;
        let found = |difference| Finding {
            op_id: places.op_id.clone(),
            difference,
        };
        audit.findings.extend(differences(&places).map(found));
        if let (Some(artifact), Some(store)) = (&places.artifact, store) {
            audit.artifacts += 1;
            if let Err(error) = store.read(artifact) {
                audit
                    .findings
                    .push(found(Difference::Artifact(error.to_string())));
            }
        }
    }
    audit
}

fn differences(places: &Places<'_>) -> impl Iterator<Item = Difference> {
    let digest = SettledDigest::of(places.transcript.as_bytes());
    let names = |artifact: &ArtifactRef| {
        places.elided_chars == 0
            || places.transcript.contains(artifact.name().as_str())
                && places.transcript.contains(&artifact.digest().to_string())
    };
    [
        (places.conversation != places.transcript).then_some(Difference::Conversation),
        places
            .event
            .is_some_and(|event| event != places.transcript)
            .then_some(Difference::Event),
        places
            .digest
            .is_some_and(|recorded| recorded != digest)
            .then_some(Difference::Digest),
        places
            .artifact
            .as_ref()
            .is_some_and(|artifact| !names(artifact))
            .then_some(Difference::Marker),
    ]
    .into_iter()
    .flatten()
}

impl Audit {
    /// Whether all places of all operations are equal.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// Operations looked at.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// Artifacts read.
    #[must_use]
    pub fn artifacts(&self) -> u64 {
        self.artifacts
    }

    /// What differs, in the order of the operations.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl Finding {
    /// The operation.
    #[must_use]
    pub fn op_id(&self) -> &OpId {
        &self.op_id
    }

    /// Which place differs.
    #[must_use]
    pub fn difference(&self) -> &Difference {
        &self.difference
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {:?}: ", self.op_id.as_str())?;
        match &self.difference {
            Difference::Conversation => f.write_str("the conversation holds another string"),
            Difference::Event => f.write_str("the event is another string"),
            Difference::Digest => f.write_str("the settle record has another digest"),
            Difference::Marker => f.write_str("the observation does not name the artifact"),
            Difference::Artifact(error) => f.write_str(error),
        }
    }
}

impl Transcript {
    /// The places of every settled operation: a loaded transcript is its own conversation.
    pub fn places(&self) -> impl Iterator<Item = Places<'_>> {
        self.operations().filter_map(|state| {
            let settled = state.settled()?;
            let text = self.answer(settled.op_id()).and_then(Message::text)?;
            Some(Places {
                op_id: settled.op_id(),
                conversation: text,
                transcript: text,
                event: None,
                digest: settled.result_digest().copied(),
                artifact: settled.artifact().map(|artifact| artifact.reference()),
                elided_chars: settled
                    .artifact()
                    .map_or(0, |artifact| artifact.elided_chars()),
            })
        })
    }

    /// Every artifact that a settle record names, or, while there is none, the line of a message
    /// that says what its settle record will be (SPEC 4.8).
    #[must_use]
    pub fn artifacts(&self) -> Vec<ArtifactRef> {
        self.operations()
            .filter_map(|state| {
                let envelope = state.settled().or(state.settling.as_deref())?;
                envelope.artifact().map(|artifact| artifact.reference())
            })
            .collect()
    }

    /// What marker lines name in observations whose lines do not say what was to be recorded, as
    /// another program may have written them. It proves nothing, and is there so that nothing is
    /// taken for an orphan too early.
    #[must_use]
    pub fn mentioned(&self) -> Vec<ArtifactRef> {
        self.operations()
            .filter(|state| match state.settled() {
                Some(settled) => settled.is_recovered(),
                None => state.settling.is_none(),
            })
            .flat_map(|state| self.named_by_message(state))
            .collect()
    }

    fn named_by_message(&self, state: &OperationState) -> Vec<ArtifactRef> {
        let answer = self.answer(state.operation().op_id());
        let text = answer.and_then(Message::text).unwrap_or_default();
        let lines = text.split('\n').filter_map(|line| line.parse().ok());
        lines
            .filter_map(|line: MarkerLine| {
                let bytes = line.stored_part().unwrap_or(line.bytes());
                Some(ArtifactRef::new(
                    line.file()?.clone(),
                    *line.digest(),
                    bytes,
                ))
            })
            .collect()
    }
}
