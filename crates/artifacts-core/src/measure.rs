//! Counting: how large a text is, in every unit a limit can be given in.

use crate::segment::{Counter, Decoded, Decoder, State, floor, unit_boundary};
use crate::{ContentDigest, ContentHasher, Cut};

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
        Self::of_pieces([text])
    }

    /// Counts the text that `pieces` make together: a cluster may begin in one and end in another.
    ///
    /// ```
    /// use artifacts_core::Measure;
    ///
    /// assert_eq!(Measure::of_pieces(["🇩", "🇪\r", "\n"]), Measure::of("🇩🇪\r\n"));
    /// ```
    #[must_use]
    pub fn of_pieces<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let mut counter = Counter::default();
        let (mut bytes, mut open_line) = (0_u64, false);
        for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
            counter.update(piece);
            bytes = bytes.saturating_add(piece.len() as u64);
            open_line = !piece.ends_with('\n');
        }
        Self::new(counter, bytes, open_line)
    }

    fn new(counter: Counter, bytes: u64, open_line: bool) -> Self {
        Self {
            graphemes: counter.graphemes,
            bytes,
            scalars: counter.scalars,
            lines: counter.newlines.saturating_add(u64::from(open_line)),
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

    /// As [`of`](Self::of) for a text that was cut: only what is not shown is counted again.
    pub(crate) fn around(text: &str, cut: &Cut<'_>) -> Self {
        let mut hasher = ContentHasher::default();
        let mut counter = Counter::default();
        let (mut rest, mut before) = (text, cut.head().len());
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(floor(rest, PIECE));
            let (head, middle) = piece.split_at(before.min(piece.len()));
            let after = cut.tail().len().saturating_sub(behind.len());
            let (middle, tail) = middle.split_at(middle.len().saturating_sub(after));
            counter.skip(head);
            counter.update(middle);
            counter.skip(tail);
            hasher.update(piece.as_bytes());
            before = before.saturating_sub(piece.len());
            rest = behind;
        }
        counter.graphemes = counter.graphemes.saturating_add(cut.shown());
        let open_line = !text.is_empty() && !text.ends_with('\n');
        Self {
            measure: Measure::new(counter, text.len() as u64, open_line),
            digest: hasher.finish(),
            replaced: 0,
        }
    }

    /// As [`of`](Self::of) for bytes of which the first are counted.
    pub(crate) fn beyond(counted: Counted, bytes: &[u8]) -> Self {
        let (first, rest) = bytes.split_at(counted.bytes);
        let mut meter = Meter {
            counter: counted.counter,
            bytes: first.len() as u64,
            replaced: counted.replaced,
            open_line: !first.is_empty() && !first.ends_with(b"\n"),
            ..Meter::default()
        };
        meter.hasher.update(first);
        meter.update(rest);
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

/// What of bytes is counted so far, up to a unit boundary.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counted {
    counter: Counter,
    bytes: usize,
    replaced: u64,
}

impl Counted {
    /// Counts from the start until `is_enough` says so, at most all.
    pub(crate) fn from_start(bytes: &[u8], is_enough: impl Fn(&Measure) -> bool) -> Self {
        let mut counted = Self::default();
        let mut rest = bytes;
        loop {
            let (piece, behind) = rest.split_at(unit_boundary(rest, STEP));
            counted.add(piece);
            if behind.is_empty() || is_enough(&counted.measure()) {
                return counted;
            }
            rest = behind;
        }
    }

    /// What of `bytes`, which this counts the start of, comes before `end`, a unit boundary.
    pub(crate) fn up_to(self, bytes: &[u8], end: usize) -> Self {
        let mut counted = match self.bytes <= end {
            true => self,
            false => Self::default(),
        };
        let (before, _) = bytes.split_at(end);
        let (_, mut rest) = before.split_at(counted.bytes);
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(unit_boundary(rest, PIECE));
            counted.add(piece);
            rest = behind;
        }
        counted
    }

    /// Counts the next bytes, whole units.
    fn add(&mut self, piece: &[u8]) {
        let replaced = self.counter.update_lossy(piece);
        self.replaced = self.replaced.saturating_add(replaced);
        self.bytes = self.bytes.saturating_add(piece.len());
    }

    /// How many bytes are counted.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The state that what is counted left.
    pub(crate) fn state(&self) -> State {
        self.counter.state
    }

    /// The counts; the lines are those that end.
    pub(crate) fn measure(&self) -> Measure {
        Measure::new(self.counter, self.bytes as u64, false)
    }

    /// As [`measure`](Self::measure), with no fewer bytes than the text of what is counted has: one
    /// byte or more becomes three.
    pub(crate) fn most_of_text(&self) -> Measure {
        let grown = self.replaced.saturating_mul(2);
        let bytes = (self.bytes as u64).saturating_add(grown);
        Measure::new(self.counter, bytes, false)
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
    decoder: Decoder,
    counter: Counter,
    bytes: u64,
    replaced: u64,
    open_line: bool,
}

impl Meter {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.update_with(bytes, |_, _| {});
    }

    /// As [`update`](Self::update); `sink` gets the text, piece by piece, with the state that the
    /// text before it left.
    pub(crate) fn update_with(&mut self, bytes: &[u8], mut sink: impl FnMut(State, Decoded<'_>)) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        // Pieces that stay in the cache between counting and hashing.
        for piece in bytes.chunks(PIECE) {
            let mut decoder = self.decoder;
            decoder.update(piece, |decoded| self.count(decoded, &mut sink));
            self.decoder = decoder;
            self.hasher.update(piece);
        }
    }

    /// What was taken, measured.
    #[must_use]
    pub fn finish(self) -> Measured {
        self.finish_with(|_, _| {})
    }

    /// As [`finish`](Self::finish); `sink` gets what of the text was still open.
    pub(crate) fn finish_with(mut self, mut sink: impl FnMut(State, Decoded<'_>)) -> Measured {
        self.decoder
            .finish(|decoded| self.count(decoded, &mut sink));
        Measured {
            measure: Measure::new(self.counter, self.bytes, self.open_line),
            digest: self.hasher.finish(),
            replaced: self.replaced,
        }
    }

    fn count(&mut self, decoded: Decoded<'_>, sink: &mut impl FnMut(State, Decoded<'_>)) {
        sink(self.counter.state, decoded);
        let bytes = match decoded {
            Decoded::Valid(text) => {
                self.counter.update(text);
                text.as_bytes()
            }
            Decoded::Invalid(bytes) => {
                let replaced = self.counter.update_lossy(bytes);
                self.replaced = self.replaced.saturating_add(replaced);
                bytes
            }
        };
        self.open_line = !bytes.ends_with(b"\n");
    }
}

/// How many bytes are counted and hashed at a time.
const PIECE: usize = 32 * 1024;

/// How many bytes are counted before it is asked whether that is enough.
pub(crate) const STEP: usize = 4 * 1024;
