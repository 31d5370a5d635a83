//! Deterministic data of several kinds: the same bytes in every run, on every machine.

/// A kind of text that tools print.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Log lines, ASCII.
    Log,
    /// The same with CRLF.
    LogCrlf,
    /// One line of minified JSON.
    Json,
    /// Coloured terminal output.
    Ansi,
    /// Words with precomposed accents.
    Latin,
    /// Running text without spaces.
    Cjk,
    /// Text with vowel signs and conjuncts.
    Hindi,
    /// Emoji sequences of several scalars between words.
    Emoji,
}

impl Kind {
    /// Every kind.
    pub(crate) const ALL: [Self; 8] = [
        Self::Log,
        Self::LogCrlf,
        Self::Json,
        Self::Ansi,
        Self::Latin,
        Self::Cjk,
        Self::Hindi,
        Self::Emoji,
    ];

    /// The name in a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::LogCrlf => "log, CRLF",
            Self::Json => "JSON",
            Self::Ansi => "ANSI",
            Self::Latin => "Latin",
            Self::Cjk => "CJK",
            Self::Hindi => "Hindi",
            Self::Emoji => "emoji",
        }
    }

    /// At least `bytes` bytes of it, cut after a piece.
    pub(crate) fn text(self, bytes: usize) -> String {
        let mut numbers = Numbers(0x5EED);
        let mut text = String::with_capacity(bytes + 128);
        while text.len() < bytes {
            self.push_piece(&mut text, &mut numbers);
        }
        text
    }

    fn push_piece(self, text: &mut String, numbers: &mut Numbers) {
        let (a, b) = (numbers.next(), numbers.next());
        let piece = match self {
            Self::Log => format!(
                "2026-01-01T00:00:{:02} INFO worker-{}: done {b:x}\n",
                a % 60,
                a % 9
            ),
            Self::LogCrlf => format!("{:06} GET /items/{b:x} 200 {}\r\n", a % 999_999, a % 500),
            Self::Json => format!("{{\"id\":{a},\"tag\":\"{b:x}\",\"ok\":true}},"),
            Self::Ansi => format!(
                "\x1b[1m\x1b[32m  Compiling\x1b[0m crate-{b:x} v0.{}\n",
                a % 50
            ),
            Self::Latin => pick(&["façade ", "größer ", "Übung, ", "señor ", "très\n"], a),
            Self::Cjk => pick(&["文字", "データ", "結果です。", "長い", "測定\n"], a),
            Self::Hindi => pick(&["क्षेत्र ", "हिन्दी ", "परिणाम ", "लंबा\n"], a),
            Self::Emoji => pick(&["done ✅ ", "👩‍💻 ", "🇩🇪🇫🇷 ", "👍🏽\n"], a),
        };
        text.push_str(&piece);
    }
}

fn pick(pieces: &[&str], number: u64) -> String {
    pieces
        .get(number as usize % pieces.len().max(1))
        .copied()
        .unwrap_or_default()
        .to_string()
}

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
