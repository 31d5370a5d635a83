//! What an artifact is, in a few lines: type, size, lines, JSON shape.

use std::fmt;
use std::io::{self, BufReader};

use artifacts_core::{ContentType, count_invalid};
use artifacts_fs::{Error, OpenArtifact};

use crate::json_shape;

/// What an artifact is. Its text is five lines at most, the last of at most 1,000 bytes.
///
/// ```
/// use artifacts_core::{ContentType, OpId};
/// use artifacts_fs::{ArtifactStore as _, MemoryStore};
/// use loop_integration::Description;
///
/// let store = MemoryStore::default();
/// let json = br#"{"users": [{"id": 1}, {"id": 2, "name": "Ada"}]}"#;
/// let stored = store.store(&OpId::new("op-1"), ContentType::Json, json)?;
/// let description = Description::of(&store.open(&(&stored).into())?)?;
/// assert_eq!(
///     description.to_string(),
///     "type: application/json, valid UTF-8\n\
///      size: 48 bytes\n\
///      lines: 1, the longest is line 1 with 48 bytes\n\
///      shape: {\"users\": [2 × {\"id\": number, \"name\"?: string}]}",
/// );
/// # Ok::<(), artifacts_fs::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Description {
    /// The content type that its name tells.
    pub content: ContentType,
    /// Its size in bytes.
    pub bytes: u64,
    /// Lines, split at `\n` only.
    pub lines: u64,
    /// The number of its longest line, counted from 1; 0 if it is empty.
    pub longest_line: u64,
    /// The bytes of that line, without its line end.
    pub longest_line_bytes: u64,
    /// Invalid UTF-8 sequences; 0 for text.
    pub invalid_sequences: u64,
    /// Whether it is no text, whatever its name tells: it has invalid sequences, and a NUL or as many
    /// of them that one comes on every ten bytes.
    pub is_binary: bool,
    /// The shape of its JSON, of one value or of one after the other, in at most 1,000 bytes; none
    /// if it is no JSON or larger than 64 MiB.
    pub json: Option<String>,
}

impl Description {
    /// Reads the artifact once, in bounded memory, and if it may be JSON a second time.
    ///
    /// # Errors
    ///
    /// If the file can't be read or was changed.
    pub fn of(artifact: &OpenArtifact) -> Result<Self, Error> {
        let mut survey = Survey::default();
        let mut buffer = vec![0; PIECE_BYTES];
        let mut at = 0;
        loop {
            let filled = artifact.read_at(&mut buffer, at)?;
            let piece = buffer.get(..filled).unwrap_or_default();
            if piece.is_empty() {
                break;
            }
            survey.take(piece);
            at += filled as u64;
        }
        survey.finish();
        let json = match survey.invalid_sequences == 0 && artifact.bytes() <= MOST_JSON_BYTES {
            true => json_shape::of(BufReader::new(Reader { artifact, at: 0 })),
            false => None,
        };
        Ok(Self {
            content: artifact.artifact().name().content_type(),
            bytes: artifact.bytes(),
            lines: survey.lines,
            longest_line: survey.longest_line,
            longest_line_bytes: survey.longest_line_bytes,
            invalid_sequences: survey.invalid_sequences,
            is_binary: survey.is_binary(artifact.bytes()),
            json,
        })
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.content {
            ContentType::Text | ContentType::Json if self.is_binary => "binary",
            other => other.media_type(),
        };
        let joined = match self.content {
            ContentType::Text | ContentType::Json if !self.is_binary => "with",
            _ => "not text:",
        };
        match self.invalid_sequences {
            0 => writeln!(f, "type: {kind}, valid UTF-8")?,
            1 => writeln!(f, "type: {kind}, {joined} 1 invalid UTF-8 sequence")?,
            count => writeln!(f, "type: {kind}, {joined} {count} invalid UTF-8 sequences")?,
        }
        write!(f, "size: {} bytes\nlines: {}", self.bytes, self.lines)?;
        if self.longest_line > 0 {
            let (line, bytes) = (self.longest_line, self.longest_line_bytes);
            write!(f, ", the longest is line {line} with {bytes} bytes")?;
        }
        match &self.json {
            Some(shape) => write!(f, "\nshape: {shape}"),
            None => Ok(()),
        }
    }
}

/// The counts, taken piece by piece.
#[derive(Debug, Default)]
struct Survey {
    lines: u64,
    longest_line: u64,
    longest_line_bytes: u64,
    line_bytes: u64,
    invalid_sequences: u64,
    nuls: u64,
    /// A sequence that the last piece may have cut.
    cut: Vec<u8>,
}

impl Survey {
    fn take(&mut self, piece: &[u8]) {
        self.cut.extend_from_slice(piece);
        let mut text = std::mem::take(&mut self.cut);
        let keep = text.len() - incomplete(&text);
        self.cut = text.split_off(keep);
        self.invalid_sequences += count_invalid(&text);
        self.nuls += piece.iter().filter(|byte| **byte == 0).count() as u64;
        let mut rest = piece;
        while let Some(newline) = rest.iter().position(|byte| *byte == b'\n') {
            self.line_bytes += newline as u64;
            self.end_line();
            rest = rest.get(newline + 1..).unwrap_or_default();
        }
        self.line_bytes += rest.len() as u64;
    }

    fn is_binary(&self, bytes: u64) -> bool {
        let invalid = self.invalid_sequences;
        invalid > 0 && (self.nuls > 0 || invalid >= bytes / TEXT_BYTES_OF_ONE_INVALID)
    }

    fn finish(&mut self) {
        self.invalid_sequences += count_invalid(&self.cut);
        if self.line_bytes > 0 {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        self.lines += 1;
        if self.line_bytes > self.longest_line_bytes || self.longest_line == 0 {
            self.longest_line = self.lines;
            self.longest_line_bytes = self.line_bytes;
        }
        self.line_bytes = 0;
    }
}

/// How many bytes at the end may be the beginning of a scalar that goes on.
fn incomplete(bytes: &[u8]) -> usize {
    (1..=bytes.len().min(3))
        .rev()
        .find(|count| {
            let tail = bytes.get(bytes.len() - count..).unwrap_or_default();
            std::str::from_utf8(tail)
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or_default()
}

struct Reader<'a> {
    artifact: &'a OpenArtifact,
    at: u64,
}

impl io::Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let filled = self.artifact.read_at(buffer, self.at);
        let filled = filled.map_err(io::Error::other)?;
        self.at += filled as u64;
        Ok(filled)
    }
}

/// Text in another encoding, as a log in Latin-1, has fewer invalid sequences than one on so many
/// bytes; bytes of any value have more.
const TEXT_BYTES_OF_ONE_INVALID: u64 = 10;

/// Read at a time.
const PIECE_BYTES: usize = 1 << 20;

/// A string is held while it is read, and may be all of the JSON.
const MOST_JSON_BYTES: u64 = 64 << 20;
