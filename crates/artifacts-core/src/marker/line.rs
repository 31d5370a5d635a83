//! What a marker line says: its fields, how it is written, and reading it back.

use alloc::format;
use core::fmt;
use core::str::FromStr;

use super::{Capture, NotStored};
use crate::text::{Thousands, parse_thousands};
use crate::{ArtifactName, ContentDigest, Error, ErrorKind};

/// What a marker line says. Anyone can parse one, so it proves nothing (I8): it serves people and
/// tools, never a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerLine {
    pub(super) elided: u64,
    pub(super) bytes: u64,
    pub(super) capture: Capture,
    pub(super) replaced: u64,
    pub(super) place: Place,
    pub(super) digest: ContentDigest,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Stored {
        name: ArtifactName,
        part: Option<u64>,
    },
    NotStored(NotStored),
}

impl MarkerLine {
    /// The line of a result that a settle record says is in the file `name`, whole.
    ///
    /// `elided` in graphemes, `bytes` and `digest` are the record's. The line proves nothing about
    /// the file; it says again what was said when the result was settled (SPEC 8.3).
    ///
    /// ```
    /// use artifacts_core::{ArtifactName, ContentDigest, MarkerLine};
    ///
    /// let name = ArtifactName::parse("op-1.txt")?;
    /// let line = MarkerLine::recorded(name, ContentDigest::of(b"0123456789"), 10, 6);
    /// assert!(line.to_string().contains("full result: op-1.txt sha256 84d89877"));
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    #[must_use]
    pub fn recorded(name: ArtifactName, digest: ContentDigest, bytes: u64, elided: u64) -> Self {
        Self {
            elided,
            bytes,
            capture: Capture::Complete,
            replaced: 0,
            place: Place::Stored { name, part: None },
            digest,
        }
    }

    /// The same line for a result whose capture the record says was cut short.
    #[must_use]
    pub fn with_capture(self, capture: Capture) -> Self {
        Self { capture, ..self }
    }

    /// The same line for a result of which the record says that `replaced` invalid UTF-8
    /// sequences are shown as U+FFFD.
    #[must_use]
    pub fn with_replaced(self, replaced: u64) -> Self {
        Self { replaced, ..self }
    }

    /// The same line of a result of `bytes` bytes, of which the record says that the file holds
    /// only the first part (SPEC 3.5).
    ///
    /// ```
    /// use artifacts_core::{ArtifactName, ContentDigest, MarkerLine};
    ///
    /// let name = ArtifactName::parse("op-1.txt")?;
    /// let line = MarkerLine::recorded(name, ContentDigest::of(b"01234"), 5, 6).with_total(10);
    /// assert!(line.to_string().starts_with(
    ///     "[... elided 6 chars (10 bytes total); first 5 bytes of the result: op-1.txt sha256 ",
    /// ));
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_total(mut self, bytes: u64) -> Self {
        if let Place::Stored { part, .. } = &mut self.place {
            let kept = part.unwrap_or(self.bytes);
            *part = (kept < bytes).then_some(kept);
            self.bytes = bytes;
        }
        self
    }

    /// The same line for a text that leaves out `elided` graphemes.
    #[must_use]
    pub fn with_elided(self, elided: u64) -> Self {
        Self { elided, ..self }
    }

    /// Graphemes that the excerpt leaves out.
    #[must_use]
    pub fn elided(&self) -> u64 {
        self.elided
    }

    /// Bytes of the whole result, or of the part of it that was captured.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the result was captured to its end.
    #[must_use]
    pub fn capture(&self) -> Capture {
        self.capture
    }

    /// Invalid UTF-8 sequences shown as U+FFFD.
    #[must_use]
    pub fn replaced(&self) -> u64 {
        self.replaced
    }

    /// The file that holds the result, if one does.
    #[must_use]
    pub fn file(&self) -> Option<&ArtifactName> {
        match &self.place {
            Place::Stored { name, .. } => Some(name),
            Place::NotStored(_) => None,
        }
    }

    /// How many bytes from the start the file holds, if not all.
    #[must_use]
    pub fn stored_part(&self) -> Option<u64> {
        match &self.place {
            Place::Stored { part, .. } => *part,
            Place::NotStored(_) => None,
        }
    }

    /// Why there is no file, if there is none.
    #[must_use]
    pub fn not_stored(&self) -> Option<NotStored> {
        match self.place {
            Place::Stored { .. } => None,
            Place::NotStored(why) => Some(why),
        }
    }

    /// SHA-256 of the file's bytes, or of the whole result if there is no file.
    #[must_use]
    pub fn digest(&self) -> &ContentDigest {
        &self.digest
    }
}

impl MarkerLine {
    /// The line with the file named as a path under `mount`.
    pub(crate) fn under(&self, mount: &'static str) -> impl fmt::Display {
        struct Under<'a>(&'a MarkerLine, &'static str);
        impl fmt::Display for Under<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f, self.1)
            }
        }
        Under(self, mount)
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, mount: &str) -> fmt::Result {
        let Words { total, whole, part } = Words::of(self.capture);
        let (elided, bytes) = (Thousands(self.elided), Thousands(self.bytes));
        write!(f, "{START}{elided}{CHARS}{bytes}{total}")?;
        if self.replaced > 0 {
            write!(f, ", {}{REPLACED}", Thousands(self.replaced))?;
        }
        f.write_str(CLOSE)?;
        match &self.place {
            Place::Stored { name, part: None } => write!(f, "{whole}: {mount}{name}{SHA}"),
            Place::Stored {
                name,
                part: Some(bytes),
            } => {
                write!(
                    f,
                    "{FIRST}{}{PART}{part}: {mount}{name}{SHA}",
                    Thousands(*bytes)
                )
            }
            Place::NotStored(why) => write!(f, "{whole} {},{SHA}", why.as_str()),
        }?;
        write!(f, "{}{END}", self.digest)
    }
}

impl fmt::Display for MarkerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "")
    }
}

/// Reads exactly what `Display` writes. How many characters are said to be elided is not compared
/// with the bytes: only the text could tell.
impl FromStr for MarkerLine {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self, Error> {
        parse(line).ok_or_else(|| {
            Error::new(
                ErrorKind::Marker,
                format!("not a marker: expected `{START}… {END}`"),
            )
        })
    }
}

fn parse(line: &str) -> Option<MarkerLine> {
    let line = line.strip_prefix(START)?.strip_suffix(END)?;
    let (elided, line) = line.split_once(CHARS)?;
    let (capture, (bytes, line)) = [Capture::Complete, Capture::Interrupted]
        .into_iter()
        .find_map(|capture| Some((capture, line.split_once(Words::of(capture).total)?)))?;
    let (replaced, line) = match line.strip_prefix(", ") {
        Some(line) => {
            let (replaced, line) = line.split_once(REPLACED)?;
            (parse_thousands(replaced).filter(|count| *count > 0)?, line)
        }
        None => (0, line),
    };
    let (place, digest) = line.strip_prefix(CLOSE)?.rsplit_once(SHA)?;
    let bytes = parse_thousands(bytes)?;
    Some(MarkerLine {
        elided: parse_thousands(elided)?,
        bytes,
        capture,
        replaced,
        place: parse_place(place, Words::of(capture), bytes)?,
        digest: digest.parse().ok()?,
    })
}

/// The place of a result of `total` bytes.
fn parse_place(place: &str, words: Words, total: u64) -> Option<Place> {
    if let Some(part) = place.strip_prefix(FIRST) {
        let (bytes, part) = part.split_once(PART)?;
        let name = part.strip_prefix(words.part)?.strip_prefix(": ")?;
        return Some(Place::Stored {
            name: name.parse().ok()?,
            part: Some(parse_thousands(bytes).filter(|part| *part < total)?),
        });
    }
    let place = place.strip_prefix(words.whole)?;
    if let Some(name) = place.strip_prefix(": ") {
        return Some(Place::Stored {
            name: name.parse().ok()?,
            part: None,
        });
    }
    let why = place.strip_prefix(' ')?.strip_suffix(',')?;
    NotStored::ALL
        .into_iter()
        .find(|known| known.as_str() == why)
        .map(Place::NotStored)
}

/// The words that depend on the capture.
#[derive(Clone, Copy)]
struct Words {
    /// After the count of bytes.
    total: &'static str,
    /// What a file holds.
    whole: &'static str,
    /// What a file holds the first bytes of.
    part: &'static str,
}

impl Words {
    fn of(capture: Capture) -> Self {
        match capture {
            Capture::Complete => Self {
                total: " bytes total",
                whole: "full result",
                part: "result",
            },
            Capture::Interrupted => Self {
                total: " bytes captured, total unknown",
                whole: "captured part",
                part: "captured part",
            },
        }
    }
}

const START: &str = "[... elided ";
const CHARS: &str = " chars (";
const REPLACED: &str = " invalid UTF-8 sequences shown as U+FFFD";
const CLOSE: &str = "); ";
const FIRST: &str = "first ";
const PART: &str = " bytes of the ";
const SHA: &str = " sha256 ";
const END: &str = " ...]";
