//! Deterministic data of several kinds: the same bytes in every run, on every machine.

mod words;

/// A kind of text that tools print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Log lines, ASCII.
    Log,
    /// The same with CRLF.
    LogCrlf,
    /// Lines of a program.
    Source,
    /// One line of minified JSON.
    Json,
    /// One line of base64.
    Base64,
    /// Coloured terminal output.
    Ansi,
    /// Words with precomposed accents.
    Latin,
    /// Words of Cyrillic letters.
    Cyrillic,
    /// Running text without spaces.
    Cjk,
    /// Words of composed syllables.
    Korean,
    /// Text with vowel signs and conjuncts.
    Hindi,
    /// Text without spaces, with vowel signs and tones.
    Thai,
    /// Words with an emoji after every other one, many of several scalars.
    Emoji,
    /// Words with combining accents.
    Combining,
    /// Any bytes: the only kind that is not UTF-8.
    Random,
}

impl Kind {
    /// Every kind.
    pub(crate) const ALL: [Self; 15] = [
        Self::Log,
        Self::LogCrlf,
        Self::Source,
        Self::Json,
        Self::Base64,
        Self::Ansi,
        Self::Latin,
        Self::Cyrillic,
        Self::Cjk,
        Self::Korean,
        Self::Hindi,
        Self::Thai,
        Self::Emoji,
        Self::Combining,
        Self::Random,
    ];

    /// The name in a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::LogCrlf => "log, CRLF",
            Self::Source => "source",
            Self::Json => "JSON",
            Self::Base64 => "base64",
            Self::Ansi => "ANSI",
            Self::Latin => "Latin",
            Self::Cyrillic => "Cyrillic",
            Self::Cjk => "CJK",
            Self::Korean => "Korean",
            Self::Hindi => "Hindi",
            Self::Thai => "Thai",
            Self::Emoji => "emoji",
            Self::Combining => "combining accents",
            Self::Random => "random bytes",
        }
    }

    /// At least `bytes` bytes of it, cut after a piece.
    pub(crate) fn bytes(self, bytes: usize) -> Vec<u8> {
        let mut numbers = Numbers(0x5EED);
        if self == Self::Random {
            let words = (0..bytes.div_ceil(4)).map(|_| numbers.next() as u32);
            return words.flat_map(u32::to_le_bytes).collect();
        }
        let mut text = String::with_capacity(bytes + 256);
        while text.len() < bytes {
            self.push_piece(&mut text, &mut numbers);
        }
        text.into_bytes()
    }

    /// The same as text; what is not UTF-8 becomes U+FFFD.
    pub(crate) fn text(self, bytes: usize) -> String {
        String::from_utf8_lossy(&self.bytes(bytes)).into_owned()
    }

    fn push_piece(self, text: &mut String, numbers: &mut Numbers) {
        let (a, b) = (numbers.next(), numbers.next());
        match self {
            Self::Log => {
                let (second, worker) = (a % 60, a % 9);
                text.push_str(&format!(
                    "2026-01-01T00:00:{second:02} INFO worker-{worker}: done {b:x}"
                ));
                push_words(text, numbers, words::ENGLISH, b as usize % 8);
                text.push('\n');
            }
            Self::LogCrlf => text.push_str(&format!(
                "{:06} GET /items/{b:x} 200 {}\r\n",
                a % 999_999,
                a % 500
            )),
            Self::Source => push_source(text, numbers, a as usize),
            Self::Json => {
                text.push_str(&format!("{{\"id\":{a},\"tag\":\"{b:x}\",\"ok\":true,"));
                text.push_str("\"text\":\"");
                push_words(text, numbers, words::ENGLISH, b as usize % 6);
                text.push_str("\"},");
            }
            Self::Base64 => {
                let digit = |shift: usize| {
                    let at = (a >> (shift * 6)) as usize % BASE64.len();
                    BASE64.get(at..=at).unwrap_or_default()
                };
                (0..4).for_each(|shift| text.push_str(digit(shift)));
            }
            Self::Ansi => {
                text.push_str(&format!(
                    "\x1b[1m\x1b[32m  Compiling\x1b[0m crate-{b:x} v0.{}",
                    a % 50
                ));
                push_words(text, numbers, words::ENGLISH, a as usize % 4);
                text.push('\n');
            }
            Self::Latin => push_line(text, numbers, words::LATIN, " "),
            Self::Cyrillic => push_line(text, numbers, words::CYRILLIC, " "),
            Self::Cjk => push_line(text, numbers, words::CJK, ""),
            Self::Korean => push_line(text, numbers, words::KOREAN, " "),
            Self::Hindi => push_line(text, numbers, words::HINDI, " "),
            Self::Thai => push_line(text, numbers, words::THAI, ""),
            Self::Combining => push_line(text, numbers, words::COMBINING, " "),
            Self::Emoji => {
                push_words(text, numbers, words::ENGLISH, 1 + a as usize % 3);
                text.push(' ');
                text.push_str(pick(words::EMOJI, b));
                if a.is_multiple_of(7) {
                    text.push('\n');
                }
            }
            Self::Random => {}
        }
    }
}

/// A line of 5 to 20 words.
fn push_line(text: &mut String, numbers: &mut Numbers, words: &[&str], space: &str) {
    for _ in 0..5 + numbers.next() % 16 {
        text.push_str(pick(words, numbers.next()));
        text.push_str(space);
    }
    text.push('\n');
}

fn push_words(text: &mut String, numbers: &mut Numbers, words: &[&str], count: usize) {
    for _ in 0..count {
        text.push(' ');
        text.push_str(pick(words, numbers.next()));
    }
}

/// A statement, with a comment before some.
fn push_source(text: &mut String, numbers: &mut Numbers, a: usize) {
    let indent = "    ".repeat(1 + a % 4);
    if a.is_multiple_of(5) {
        text.push_str(&indent);
        text.push_str("//");
        push_words(text, numbers, words::ENGLISH, 4 + a % 7);
        text.push('\n');
    }
    let name = |numbers: &mut Numbers| pick(words::ENGLISH, numbers.next());
    let (one, two, three) = (name(numbers), name(numbers), name(numbers));
    let line = match a % 4 {
        0 => format!("let {one}_{two} = self.{three}({a}).unwrap_or_default();\n"),
        1 => format!("if {one}.{two}() > {} {{\n", a % 100),
        2 => format!("}} else {{ return Err({one}::{two}(\"{three}\")); }}\n"),
        _ => format!("{one}.insert(\"{two}\", {three}[{}..]);\n\n", a % 10),
    };
    text.push_str(&indent);
    text.push_str(&line);
}

fn pick<'a>(pieces: &[&'a str], number: u64) -> &'a str {
    pieces
        .get(number as usize % pieces.len().max(1))
        .copied()
        .unwrap_or_default()
}

const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A xorshift generator: the numbers need only look irregular.
pub(crate) struct Numbers(u64);

impl Numbers {
    /// The row of numbers that belongs to `seed`.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next one.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 20
    }
}
