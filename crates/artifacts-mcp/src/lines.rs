//! Reading lines of any length and content.

use std::io::{self, Read};

/// Cuts a stream at its line feeds. Holds the line in hand and what was read beyond it.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    /// Read and not handed out yet.
    rest: Vec<u8>,
    /// Where in `rest` the line in hand begins.
    start: usize,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            rest: Vec::new(),
            start: 0,
        }
    }

    /// The next line with its line feed; the last one may have none. `None` at the end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut searched = 0;
        loop {
            let line = self.rest.get(self.start..).unwrap_or_default();
            let beyond = line.get(searched..).unwrap_or_default();
            if let Some(feed) = memchr::memchr(b'\n', beyond) {
                return Ok(Some(self.take(searched + feed + 1)));
            }
            searched = line.len();
            self.shift();
            if self.fill()? == 0 {
                return Ok((searched > 0).then(|| self.take(searched)));
            }
        }
    }

    /// Hands out the first `length` bytes.
    fn take(&mut self, length: usize) -> Vec<u8> {
        let end = self.start + length;
        if self.start == 0 && self.rest.len() == end && end > PIECE_BYTES {
            // A long line alone in the buffer is handed out as it is: no copy, and the memory
            // goes with it.
            return std::mem::take(&mut self.rest);
        }
        let line = self.rest.get(self.start..end).unwrap_or_default().to_vec();
        self.start = end;
        if self.start == self.rest.len() {
            self.shift();
        }
        line
    }

    /// Moves what is left to the front, and gives back the memory of a long line.
    fn shift(&mut self) {
        self.rest.drain(..self.start);
        self.start = 0;
        if self.rest.len() < PIECE_BYTES {
            self.rest.shrink_to(2 * PIECE_BYTES);
        }
    }

    fn fill(&mut self) -> io::Result<usize> {
        let filled = self.rest.len();
        if self.rest.capacity() < filled + PIECE_BYTES {
            // A line that is long already may be much longer: its bytes are moved a few times only.
            self.rest.reserve(PIECE_BYTES.max(3 * filled));
        }
        self.rest.resize(filled + PIECE_BYTES, 0);
        let outcome = loop {
            let free = self.rest.get_mut(filled..).unwrap_or_default();
            match self.source.read(free) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        let read = *outcome.as_ref().unwrap_or(&0);
        self.rest.truncate(filled + read);
        outcome
    }
}

/// Read at a time.
const PIECE_BYTES: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Hands out its bytes in pieces of the given sizes, then of 1.
    struct Pieces<'a> {
        bytes: &'a [u8],
        sizes: Vec<usize>,
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.sizes.pop().unwrap_or(1).max(1);
            let size = size.min(self.bytes.len()).min(buffer.len());
            buffer[..size].copy_from_slice(&self.bytes[..size]);
            self.bytes = &self.bytes[size..];
            Ok(size)
        }
    }

    fn all(source: impl Read) -> Vec<Vec<u8>> {
        let mut lines = Lines::new(source);
        std::iter::from_fn(|| lines.next_line().unwrap()).collect()
    }

    #[test]
    fn every_byte_comes_out_also_without_a_last_line_feed() {
        assert_eq!(all(&b""[..]), Vec::<Vec<u8>>::new());
        assert_eq!(
            all(&b"\n\na\r\n\xFF\0b"[..]),
            [&b"\n"[..], b"\n", b"a\r\n", b"\xFF\0b"]
        );
    }

    #[test]
    fn a_long_line_is_found_between_short_ones() {
        let long = vec![b'x'; 3_000_000];
        let stream = [b"a\n", &long[..], b"\nb\n"].concat();
        let lines = all(&stream[..]);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1].len(), 3_000_001);
        assert_eq!(lines[2], b"b\n");
    }

    proptest! {
        #[test]
        fn lines_do_not_depend_on_the_pieces(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
            sizes in proptest::collection::vec(1_usize..20, 0..50),
        ) {
            let lines = all(Pieces { bytes: &bytes, sizes });
            let expected = bytes.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>();
            prop_assert_eq!(lines, expected);
        }
    }
}
