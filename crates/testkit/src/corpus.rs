//! Operation ids that a careless store would trip over.

/// More than 300 hostile ids, no two equal (P9).
#[must_use]
pub fn hostile_ids() -> Vec<String> {
    let mut ids: Vec<String> = FIXED.iter().map(|id| (*id).to_string()).collect();
    for device in ["con", "prn", "aux", "nul", "clock$", "conin$", "conout$"] {
        for id in [
            device.to_string(),
            device.to_uppercase(),
            format!("{device}.txt"),
        ] {
            ids.push(id);
        }
    }
    for port in ["com", "lpt"] {
        for number in [
            "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³",
        ] {
            ids.push(format!("{port}{number}"));
            ids.push(format!("{}{number}.txt", port.to_uppercase()));
        }
    }
    // Every ASCII character that is not safe, alone and inside.
    for byte in (0..128_u8).filter(|byte| !byte.is_ascii_lowercase() && !byte.is_ascii_digit()) {
        let c = char::from(byte);
        ids.push(c.to_string());
        ids.push(format!("a{c}b"));
    }
    // Lengths around every limit: of a safe id, a name, a component, a path.
    for length in [
        63, 64, 65, 95, 96, 97, 254, 255, 256, 300, 4_095, 4_096, 70_000,
    ] {
        ids.push("a".repeat(length));
        ids.push("é".repeat(length));
    }
    ids.sort();
    ids.dedup();
    ids
}

const FIXED: &[&str] = &[
    "",
    "..",
    "../..",
    "../../x",
    "..\\..\\x",
    "/etc/passwd",
    "C:\\x",
    "\\\\?\\C:\\x",
    "\\\\server\\share",
    "a/b/c",
    "./a",
    "a/.",
    "~",
    "~/x",
    "$HOME",
    "`id`",
    "$(id)",
    "%2e%2e%2f",
    "%00",
    "a\0b",
    "a\r\nb",
    "-rf",
    "--help",
    ".hidden",
    ".tmp-1-1",
    "x.",
    "x..",
    "x ",
    " x",
    "x.txt",
    "x.TXT",
    "x.txt ",
    "x.txt::$DATA",
    "x:stream",
    "desktop.ini",
    "thumbs.db",
    "abc",
    "ABC",
    "Abc",
    "aBC",
    "straße",
    "STRASSE",
    "strasse",
    "ſ",
    "s",
    "K",
    "k",
    "K\u{212A}",
    "Å",
    "A\u{30A}",
    "\u{212B}",
    "é",
    "e\u{301}",
    "ﬁ",
    "fi",
    "ı",
    "i",
    "İ",
    "\u{200D}",
    "\u{200B}",
    "\u{FEFF}x",
    "\u{202E}txt.x",
    "\u{2028}",
    "\u{2029}",
    "\u{85}",
    "\u{FFFD}",
    "\u{10FFFF}",
    "日本語",
    "العربية",
    "ไทย",
    "🇩🇪",
    "👩‍👩‍👧",
    "x-",
    "x-x",
    "x-op-e3b0c44298fc1c149afbf4c8996fb924",
    "x-x-9cdf6a50100a862e14286c7a334296da",
    "_a",
    "a_",
    "-a",
    "a-",
    "0",
    "00",
    "index",
    "index.jsonl",
    "gone",
    "toolu_01A09q90qw90lq917835lq9",
    "call_abcdefghijklmnop",
    "functions.read_file:0",
    "2026-08-10T12:00:00Z",
    "550e8400-e29b-41d4-a716-446655440000",
    "550E8400-E29B-41D4-A716-446655440000",
    "{\"a\":1}",
    "[... elided 5 chars (9 bytes total) ...]",
];
