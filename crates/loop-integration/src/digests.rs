//! What a sub-agent tells of its artifacts: a line each instead of the results.

use std::collections::BTreeSet;
use std::ops::Range;

use artifacts_core::{Limit, TokenEstimator as _, TokenWeights, decode_lossy};
use artifacts_fs::{Indexed, Page};
use serde::Serialize;

use crate::ArtifactTools;
use crate::clean::Clean;
use crate::resolve::HEX;

/// What there is to know of an artifact before it is read (SPEC 6.6): its values have 40 tokens at
/// most, as `artifacts_core::TokenWeights` estimates them.
///
/// Serialized, it is an object with these keys in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ArtifactDigest {
    /// What to read it by: its file name, or `art_` and digits of its digest where that is long.
    pub handle: String,
    /// The tool that produced it, or the first of its name; empty where that is not known.
    pub source: String,
    /// Its tokens as `artifacts_core::TokenWeights` estimates them from parts of it.
    pub tokens: u64,
    /// Its first characters, 60 at most, in one line; empty if it can't be read.
    pub preview: String,
}

impl ArtifactTools {
    /// A digest of every artifact, in insertion order, for the agent that gave the task.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use artifacts_core::{ContentType, Limit, OpId};
    /// use artifacts_fs::{ArtifactStore as _, Index, MemoryStore};
    /// use loop_integration::ArtifactTools;
    ///
    /// let store = Arc::new(MemoryStore::default());
    /// let index = Index::default();
    /// let stored = store.store(&OpId::new("op-1"), ContentType::Text, b"name,age\nAda,36\n")?;
    /// index.add((&stored).into(), Some("query"));
    /// let tools = ArtifactTools::new(store, index, Limit::graphemes(1_000)?)?;
    /// assert_eq!(
    ///     serde_json::to_string(&tools.digests())?,
    ///     r#"[{"handle":"op-1.txt","source":"query","tokens":6,"preview":"name,age Ada,36"}]"#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn digests(&self) -> Vec<ArtifactDigest> {
        self.expire();
        let entries = self.index().entries();
        entries.iter().map(|entry| self.digest(entry)).collect()
    }

    fn digest(&self, entry: &Indexed) -> ArtifactDigest {
        let artifact = entry.artifact();
        let opened = self.open(artifact).ok();
        let part = |range, bytes| opened.as_ref()?.page(range, bytes).ok();
        let preview = part(0..artifact.bytes(), PREVIEW_BYTES).map(|page| {
            let text = decode_lossy(page.bytes());
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Clean::whole(&words).to_string()
        });
        let name = artifact.name().as_str();
        let handle = match tokens_of(name) <= HANDLE_TOKENS {
            true => name.to_owned(),
            false => format!("{HEX}{:.16}", artifact.digest().to_string()),
        };
        let source = Clean::whole(entry.source().unwrap_or_default()).to_string();
        let source = first(&source, SOURCE_CLUSTERS, SOURCE_TOKENS).to_owned();
        let tokens = tokens(artifact.bytes(), part);
        let told = [&handle, &source, &tokens.to_string()].map(|value| tokens_of(value));
        let left = MOST_TOKENS.saturating_sub(told.into_iter().sum());
        let preview = preview.unwrap_or_default();
        ArtifactDigest {
            preview: first(&preview, PREVIEW_CLUSTERS, left).to_owned(),
            handle,
            source,
            tokens,
        }
    }
}

fn tokens_of(text: &str) -> u64 {
    TokenWeights::default().tokens(text)
}

/// As many whole clusters from the start of `text`, at most `most`, as have no more than `tokens`
/// tokens.
fn first(text: &str, most: u64, tokens: u64) -> &str {
    let beginnings = (1..=most).rev().filter_map(|clusters| {
        let limit = Limit::graphemes(clusters).and_then(|limit| limit.with_byte_ceiling(u64::MAX));
        Some(limit.ok()?.prefix(text).head())
    });
    let mut fitting = beginnings.filter(|beginning| tokens_of(beginning) <= tokens);
    fitting.next().unwrap_or_default()
}

/// The tokens of `bytes` bytes, of which `part` gives pages: as many to a byte as [`PARTS`] of them
/// have, or one for four bytes where none can be read.
fn tokens(bytes: u64, part: impl Fn(Range<u64>, usize) -> Option<Page>) -> u64 {
    let last = bytes.saturating_sub(PART_BYTES);
    let starts = (0..PARTS).map(|index| last * index / (PARTS - 1));
    let starts = starts.collect::<BTreeSet<_>>();
    let parts = starts.into_iter().map_while(|start| {
        let page = part(start..bytes, PART_BYTES as usize)?;
        let text = decode_lossy(page.bytes());
        Some((page.bytes().len() as u64, tokens_of(&text)))
    });
    let sum = |(bytes, tokens), (more, further)| (bytes + more, tokens + further);
    match parts.fold((0, 0), sum) {
        (0, _) => bytes.div_ceil(4),
        (read, tokens) => (tokens * bytes).div_ceil(read),
    }
}

const MOST_TOKENS: u64 = 40;
const HANDLE_TOKENS: u64 = 14;
const SOURCE_TOKENS: u64 = 8;
const SOURCE_CLUSTERS: u64 = 24;
const PREVIEW_CLUSTERS: u64 = 60;
const PREVIEW_BYTES: usize = 400;

/// How many parts of an artifact its tokens are estimated from, and how large each is.
const PARTS: u64 = 8;
const PART_BYTES: u64 = 4_096;
