//! What a settle record says of a result's artifact.

use artifacts_core::{ArtifactName, Capture, ContentDigest, MarkerLine};

/// The `artifact` of a settle record, typed: file, digest, size, how much the observation leaves
/// out (SPEC 5.2).
///
/// Take it from a record, never from the text of a result: a tool can print anything.
///
/// ```
/// use artifacts_core::{ArtifactName, ContentDigest};
/// use compactor_cap::ArtifactRecord;
///
/// let name = ArtifactName::parse("op-1.txt")?;
/// let record = ArtifactRecord::new(name, ContentDigest::of(b"0123456789"), 10, 10, 6);
/// assert!(record.marker_line().to_string().starts_with("[... elided 6 chars (10 bytes total);"));
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactRecord {
    name: ArtifactName,
    digest: ContentDigest,
    bytes: u64,
    graphemes: u64,
    elided: u64,
    capture: Capture,
    replaced: u64,
    total: Option<Total>,
}

/// The size of a result of which the file holds only the first part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Total {
    bytes: u64,
    graphemes: u64,
}

impl ArtifactRecord {
    /// The record of a file of `bytes` bytes and `graphemes` grapheme clusters, of which the
    /// observation leaves out `elided` clusters.
    #[must_use]
    pub fn new(
        name: ArtifactName,
        digest: ContentDigest,
        bytes: u64,
        graphemes: u64,
        elided: u64,
    ) -> Self {
        Self {
            name,
            digest,
            bytes,
            graphemes,
            elided,
            capture: Capture::Complete,
            replaced: 0,
            total: None,
        }
    }

    /// The same record of a file that holds only the first part of a result of `bytes` bytes and
    /// `graphemes` grapheme clusters. The observation leaves out clusters of that result.
    ///
    /// ```
    /// use artifacts_core::{ArtifactName, ContentDigest};
    /// use compactor_cap::ArtifactRecord;
    ///
    /// let name = ArtifactName::parse("op-1.txt")?;
    /// let record = ArtifactRecord::new(name, ContentDigest::of(b"0123"), 4, 4, 6).with_total(10, 10);
    /// let line = record.marker_line().to_string();
    /// assert!(line.contains("(10 bytes total); first 4 bytes of the result: op-1.txt"), "{line}");
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_total(self, bytes: u64, graphemes: u64) -> Self {
        let total = Some(Total { bytes, graphemes });
        Self { total, ..self }
    }

    /// The same record, with whether the tool's output was captured to its end.
    #[must_use]
    pub fn with_capture(self, capture: Capture) -> Self {
        Self { capture, ..self }
    }

    /// The same record of a result of which `replaced` invalid UTF-8 sequences are shown as
    /// U+FFFD.
    #[must_use]
    pub fn with_replaced(self, replaced: u64) -> Self {
        Self { replaced, ..self }
    }

    /// The file's name.
    #[must_use]
    pub fn name(&self) -> &ArtifactName {
        &self.name
    }

    /// SHA-256 of the file's bytes.
    #[must_use]
    pub fn digest(&self) -> &ContentDigest {
        &self.digest
    }

    /// Bytes in the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Grapheme clusters in the file.
    #[must_use]
    pub fn graphemes(&self) -> u64 {
        self.graphemes
    }

    /// Grapheme clusters that the observation leaves out.
    #[must_use]
    pub fn elided(&self) -> u64 {
        self.elided
    }

    /// Grapheme clusters of the whole result.
    pub(crate) fn whole_graphemes(&self) -> u64 {
        self.total.map_or(self.graphemes, |total| total.graphemes)
    }

    /// Grapheme clusters of the result that the observation shows.
    pub(crate) fn shown(&self) -> u64 {
        self.whole_graphemes().saturating_sub(self.elided)
    }

    /// The marker line from the record's fields, as an excerpt and a head with a note have it. In a
    /// header the file is named under a mount.
    #[must_use]
    pub fn marker_line(&self) -> MarkerLine {
        let line = MarkerLine::recorded(self.name.clone(), self.digest, self.bytes, self.elided)
            .with_capture(self.capture)
            .with_replaced(self.replaced);
        match self.total {
            Some(total) => line.with_total(total.bytes),
            None => line,
        }
    }
}
