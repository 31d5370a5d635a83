//! Counting: how large a text is, in every unit a limit can be given in.

use alloc::string::String;
use alloc::vec::Vec;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::{ContentDigest, ContentHasher};

/// How large a text is (SPEC 1.1).
///
/// Graphemes are extended grapheme clusters (UAX #29), scalars are Unicode scalar values, lines
/// are split at `\n` only and a last line without one counts.
///
/// ```
/// use artifacts_core::Measure;
///
/// let measure = Measure::of("e\u{301}\r\n");
/// assert_eq!(measure.graphemes(), 2);
/// assert_eq!(measure.scalars(), 4);
/// assert_eq!(measure.bytes(), 5);
/// assert_eq!(measure.lines(), 1);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Measure {
    graphemes: u64,
    bytes: u64,
    scalars: u64,
    lines: u64,
}

impl Measure {
    /// Counts `text` in one pass.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let newlines = text.bytes().filter(|byte| *byte == b'\n').count();
        let open_line = usize::from(!text.is_empty() && !text.ends_with('\n'));
        Self {
            graphemes: text.graphemes(true).count() as u64,
            bytes: text.len() as u64,
            scalars: text.chars().count() as u64,
            lines: newlines.saturating_add(open_line) as u64,
        }
    }

    /// Extended grapheme clusters.
    #[must_use]
    pub fn graphemes(&self) -> u64 {
        self.graphemes
    }

    /// Bytes, as `ls` shows them.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Unicode scalar values.
    #[must_use]
    pub fn scalars(&self) -> u64 {
        self.scalars
    }

    /// Lines.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }
}

/// What is known of a tool result's full bytes after one pass: size, digest, damage.
///
/// Built from the bytes only, so the parts always belong together. For bytes that are not UTF-8,
/// graphemes, scalars and lines are those of the lossy decoding (one U+FFFD per maximal invalid
/// subpart), while bytes and digest are those of the raw bytes (SPEC 1.7).
///
/// ```
/// use artifacts_core::Measured;
///
/// let measured = Measured::of(b"a\xFFb");
/// assert_eq!(measured.measure().graphemes(), 3);
/// assert_eq!(measured.measure().bytes(), 3);
/// assert_eq!(measured.replaced(), 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    measure: Measure,
    digest: ContentDigest,
    replaced: u64,
}

impl Measured {
    /// Measures and hashes `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut meter = Meter::default();
        meter.update(bytes);
        meter.finish()
    }

    /// The counts.
    #[must_use]
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// SHA-256 of the raw bytes.
    #[must_use]
    pub fn digest(&self) -> &ContentDigest {
        &self.digest
    }

    /// How many invalid UTF-8 sequences the text shows as U+FFFD; 0 for UTF-8.
    #[must_use]
    pub fn replaced(&self) -> u64 {
        self.replaced
    }
}

/// Measures and hashes bytes that arrive piece by piece, split anywhere.
///
/// ```
/// use artifacts_core::{Measured, Meter};
///
/// let mut meter = Meter::default();
/// meter.update(b"\xF0\x9F");
/// meter.update(b"\x8E\x89");
/// assert_eq!(meter.finish(), Measured::of("🎉".as_bytes()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Meter {
    hasher: ContentHasher,
    bytes: Vec<u8>,
}

impl Meter {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
        self.bytes.extend_from_slice(bytes);
    }

    /// What was taken, measured.
    #[must_use]
    pub fn finish(self) -> Measured {
        let text = String::from_utf8_lossy(&self.bytes);
        let replaced = self
            .bytes
            .utf8_chunks()
            .filter(|chunk| !chunk.invalid().is_empty())
            .count() as u64;
        Measured {
            measure: Measure {
                bytes: self.bytes.len() as u64,
                ..Measure::of(&text)
            },
            digest: self.hasher.finish(),
            replaced,
        }
    }
}
