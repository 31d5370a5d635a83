//! Kinds of text that machines write: other templates and other numbers for each half.

use super::sets::Half;
use crate::data::Numbers;

/// Each kind with its name.
pub(crate) fn sets(half: Half) -> Vec<(&'static str, String)> {
    let mut numbers = Numbers::new(match half {
        Half::Fitted => 71,
        Half::Held => 1_072,
    });
    KINDS
        .iter()
        .map(|(name, fitted, held)| {
            let line = match half {
                Half::Fitted => fitted,
                Half::Held => held,
            };
            let mut text = String::new();
            while text.len() < SET_BYTES {
                line(&mut text, &mut numbers);
            }
            (*name, text)
        })
        .collect()
}

fn push_ruled(text: &mut String, n: &mut Numbers, [one, other, line]: [&str; 3]) {
    let (a, b) = (n.next(), n.next());
    let rule = if a % 2 == 0 { one } else { other };
    let (rule, line) = (
        rule.repeat(20 + (b % 90) as usize),
        line.repeat(a as usize % 60),
    );
    let (word, number) = (word(a), b % 90_000);
    text.push_str(&format!("{rule}\n{word:<40}{number:>24}\n{line}\n\n\n"));
}

type Line = fn(&mut String, &mut Numbers);

/// Name, line of the fitted half, line of the held half.
const KINDS: &[(&str, Line, Line)] = &[
    (
        "log",
        |text, n| {
            let (a, b, c) = (n.next(), n.next(), n.next());
            let word = word(b);
            text.push_str(&format!(
                "2026-05-{:02}T10:{:02}:{:02}.{:03}Z {} app::{word}: request {:x} took {} ms status={}\n",
                1 + a % 28, a % 60, b % 60, c % 1000, level(a), c % 0xFFFF_FFFF, b % 5_000, 200 + c % 300
            ));
        },
        |text, n| {
            let (a, b, c) = (n.next(), n.next(), n.next());
            text.push_str(&format!(
                "[{:02}/Mar/2026:07:{:02}:{:02} +0000] \"GET /{}/{}?page={} HTTP/1.1\" {} {} worker-{} {}\n",
                1 + a % 28, b % 60, c % 60, word(a), word(b), c % 90, 200 + a % 205, b % 90_000, c % 64, level(b)
            ));
        },
    ),
    (
        "rules and columns",
        |text, n| push_ruled(text, n, ["-", "=", "─"]),
        |text, n| push_ruled(text, n, ["*", "#", "━"]),
    ),
    (
        "log, CRLF",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "{:06} {} {}: {} {} in {} s\r\n",
                a % 999_999,
                level(b),
                word(a),
                word(b),
                a % 400,
                b % 60
            ));
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "{:02}:{:02}:{:02},{:03} | {:<5} | {} of {} {} files done\r\n",
                a % 24,
                a % 60,
                b % 60,
                a % 1000,
                level(a),
                b % 500,
                500 + b % 500,
                word(b)
            ));
        },
    ),
    (
        "stack traces",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "   {}: {}::{}::{}\n             at /rustc/src/{}/{}.rs:{}:{}\n",
                a % 40,
                word(a),
                word(b),
                word(a + b),
                word(b),
                word(a + 3),
                a % 900,
                b % 80
            ));
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "\tat com.example.{}.{}Service.handle{}({}Service.java:{})\n",
                word(a),
                capital(word(b)),
                capital(word(a + 1)),
                capital(word(b)),
                b % 900
            ));
        },
    ),
    (
        "paths",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "  File \"/srv/app/{}/{}_{}.py\", line {}, in load_{}\n    return self.{}.get({}Error, timeout=None)\n",
                word(a), word(b), word(a + 1), b % 900, word(b + 3), word(b + 1), capital(word(a))
            ));
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "\tmodified:   packages/{}/src/components/{}{}.tsx\n\tdeleted:    docs/{}/{}-guide.md\n",
                word(a), capital(word(b)), capital(word(a + 1)), word(b), word(a)
            ));
        },
    ),
    (
        "minified JSON",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "{{\"id\":{},\"name\":\"{} {}\",\"tags\":[\"{}\",\"{}\"],\"price\":{}.{:02},\"active\":{}}},",
                a % 99_999, word(a), word(b), word(a + 2), word(b + 2), b % 900, a % 100, a.is_multiple_of(2)
            ));
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "{{\"userId\":\"u-{:06x}\",\"createdAt\":\"2026-02-{:02}T{:02}:00:00Z\",\"lastState\":\"{}\",\"counts\":[{},{},{}],\"note\":null}},",
                a % 0xFF_FFFF, 1 + a % 28, b % 24, word(b), a % 10, b % 1_000, a % 100_000
            ));
        },
    ),
    (
        "indented JSON",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "    {{\n      \"{}\": {},\n      \"{}\": \"{}\"\n    }},\n",
                word(a),
                b % 9_000,
                word(b),
                word(a + b)
            ));
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "  {{\n    \"max{}\": {}.{},\n    \"path\": \"src/{}/{}.ts\",\n    \"ok\": true\n  }},\n",
                capital(word(a)), b % 10, a % 100, word(b), word(a + b)
            ));
        },
    ),
    (
        "CSV of numbers",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "{},{}.{:03},{},{}\n",
                a % 9_999,
                b % 500,
                a % 1_000,
                b % 90,
                word(b)
            ));
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "2026-01-{:02};{};-{}.{:02};{}\n",
                1 + a % 28,
                b % 100_000,
                a % 80,
                b % 100,
                a % 7
            ));
        },
    ),
    ("base64", base64, base64),
    (
        "hexadecimal",
        |text, n| {
            text.push_str(&format!(
                "{:012x}{:012x}\n",
                n.next() % (1 << 48),
                n.next() % (1 << 48)
            ))
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "{:08x}  {:02x} {:02x} {:02x} {:02x}  {:08x}\n",
                a % (1 << 32),
                b % 256,
                a % 256,
                b / 7 % 256,
                a / 7 % 256,
                b % (1 << 32)
            ));
        },
    ),
    (
        "ANSI colours",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "\x1b[1m\x1b[32m   Compiling\x1b[0m {} v{}.{}.{}\n",
                word(a),
                a % 3,
                b % 40,
                a % 20
            ));
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "\x1b[0;{}mPASS\x1b[39m \x1b[2m{}/\x1b[22m{}.test.js \x1b[38;5;{}m({} ms)\x1b[0m\n",
                31 + a % 6,
                word(a),
                word(b),
                b % 256,
                a % 900
            ));
        },
    ),
    (
        "box drawing",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!("│   ├── {}.rs\n│   └── {}\n", word(a), word(b)));
            if a % 5 == 0 {
                text.push_str(&format!("├{}┤\n", "─".repeat(20 + b as usize % 20)));
            }
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!(
                "┃ ✓ {} │ {:>4} │ → {}\n",
                word(a),
                b % 2_000,
                word(b)
            ));
            if a % 6 == 0 {
                text.push_str(&format!("╰{}╯\n", "─".repeat(30)));
            }
        },
    ),
    (
        "emoji",
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!("{} {} {}\n", emoji(a, 0), word(b), emoji(b, 0)));
        },
        |text, n| {
            let (a, b) = (n.next(), n.next());
            text.push_str(&format!("{}: {}{} ", word(a), emoji(b, 1), emoji(a, 1)));
        },
    ),
    (
        "symbols",
        |text, n| {
            text.push_str(&format!(
                "{}_{}({}) = {} * {} + {};\n",
                word(n.next()),
                word(n.next()),
                word(n.next()),
                n.next() % 90,
                word(n.next()),
                n.next() % 9
            ))
        },
        |text, n| {
            text.push_str(&format!(
                "if (!{}[{}] && {} >= {}) {{ return -{}; }}\n",
                word(n.next()),
                n.next() % 9,
                word(n.next()),
                n.next() % 900,
                n.next() % 4
            ))
        },
    ),
];

fn base64(text: &mut String, numbers: &mut Numbers) {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for _ in 0..76 {
        let sign = SIGNS.get(numbers.next() as usize % SIGNS.len()).copied();
        text.push(char::from(sign.unwrap_or(b'A')));
    }
}

/// With the accents of Latin letters as marks of their own.
pub(crate) fn decomposed(text: &str) -> String {
    let split = |c: char| {
        let found = ACCENTED.iter().find(|(whole, _)| *whole == c);
        found.map_or_else(|| c.to_string(), |(_, parts)| (*parts).to_owned())
    };
    text.chars().map(split).collect()
}

/// With each Hangul syllable as its letters (Unicode 3.12).
pub(crate) fn jamo(text: &str) -> String {
    let mut letters = String::new();
    for c in text.chars() {
        let Some(index) = u32::from(c)
            .checked_sub(0xAC00)
            .filter(|index| *index < 11_172)
        else {
            letters.push(c);
            continue;
        };
        let parts = [
            Some(0x1100 + index / 588),
            Some(0x1161 + index % 588 / 28),
            Some(0x11A7 + index % 28).filter(|last| *last > 0x11A7),
        ];
        letters.extend(parts.into_iter().flatten().filter_map(char::from_u32));
    }
    letters
}

/// With marks on every letter.
pub(crate) fn stacked(text: &str, half: Half) -> String {
    let mut numbers = Numbers::new(if half == Half::Held { 91 } else { 7 });
    let mut stacked = String::new();
    for c in text.chars() {
        stacked.push(c);
        for _ in 0..3 + numbers.next() % 4 {
            stacked.extend(char::from_u32(0x300 + numbers.next() as u32 % 0x70));
        }
    }
    stacked
}

fn level(number: u64) -> &'static str {
    pick(&["INFO", "WARN", "DEBUG", "ERROR"], number)
}

fn word(number: u64) -> &'static str {
    pick(WORDS, number)
}

/// From the first or the second half of the list.
fn emoji(number: u64, half: usize) -> &'static str {
    let (first, second) = EMOJI.split_at(EMOJI.len() / 2);
    pick(if half == 0 { first } else { second }, number)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn pick(from: &[&'static str], number: u64) -> &'static str {
    from.get(number as usize % from.len().max(1))
        .copied()
        .unwrap_or_default()
}

const WORDS: &[&str] = &[
    "payment",
    "index",
    "thumbnail",
    "session",
    "queue",
    "user",
    "cache",
    "report",
    "mailer",
    "token",
    "upload",
    "scheduler",
    "invoice",
    "metrics",
    "image",
    "replica",
    "search",
    "gateway",
    "parser",
    "lock",
    "checksum",
    "tenant",
    "webhook",
    "ledger",
    "config",
    "worker",
    "archive",
    "stream",
    "snapshot",
    "route",
];

const EMOJI: &[&str] = &[
    "✅",
    "🎉",
    "🚀",
    "👩‍💻",
    "🇩🇪",
    "👍🏽",
    "❤️",
    "⚠️",
    "🔥",
    "🐛",
    "🧪",
    "📦",
    "🙏",
    "😀",
    "🏳️‍🌈",
    "👨‍👩‍👧",
    "🇯🇵",
    "✨",
    "💥",
    "🔒",
    "🗑️",
    "📝",
    "🤖",
    "🧵",
];

const ACCENTED: &[(char, &str)] = &[
    ('á', "a\u{301}"),
    ('à', "a\u{300}"),
    ('ả', "a\u{309}"),
    ('ã', "a\u{303}"),
    ('ạ', "a\u{323}"),
    ('â', "a\u{302}"),
    ('ấ', "a\u{302}\u{301}"),
    ('ầ', "a\u{302}\u{300}"),
    ('ẩ', "a\u{302}\u{309}"),
    ('ậ', "a\u{323}\u{302}"),
    ('ắ', "a\u{306}\u{301}"),
    ('ă', "a\u{306}"),
    ('ặ', "a\u{323}\u{306}"),
    ('é', "e\u{301}"),
    ('è', "e\u{300}"),
    ('ẻ', "e\u{309}"),
    ('ẹ', "e\u{323}"),
    ('ê', "e\u{302}"),
    ('ế', "e\u{302}\u{301}"),
    ('ề', "e\u{302}\u{300}"),
    ('ể', "e\u{302}\u{309}"),
    ('ệ', "e\u{323}\u{302}"),
    ('í', "i\u{301}"),
    ('ì', "i\u{300}"),
    ('ị', "i\u{323}"),
    ('ó', "o\u{301}"),
    ('ò', "o\u{300}"),
    ('ỏ', "o\u{309}"),
    ('ọ', "o\u{323}"),
    ('ô', "o\u{302}"),
    ('ố', "o\u{302}\u{301}"),
    ('ồ', "o\u{302}\u{300}"),
    ('ộ', "o\u{323}\u{302}"),
    ('ơ', "o\u{31b}"),
    ('ớ', "o\u{31b}\u{301}"),
    ('ờ', "o\u{31b}\u{300}"),
    ('ợ', "o\u{31b}\u{323}"),
    ('ở', "o\u{31b}\u{309}"),
    ('ú', "u\u{301}"),
    ('ù', "u\u{300}"),
    ('ủ', "u\u{309}"),
    ('ụ', "u\u{323}"),
    ('ư', "u\u{31b}"),
    ('ứ', "u\u{31b}\u{301}"),
    ('ừ', "u\u{31b}\u{300}"),
    ('ữ', "u\u{31b}\u{303}"),
    ('ý', "y\u{301}"),
    ('ỳ', "y\u{300}"),
];

const SET_BYTES: usize = 24_000;
