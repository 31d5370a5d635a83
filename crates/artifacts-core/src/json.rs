//! JSON strings (RFC 8259 section 7), escaping only what must be.

use alloc::string::String;
use core::fmt::Write as _;

/// Appends `text` as a JSON string with its quotes.
pub(crate) fn push_json_string(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            c if u32::from(c) < 0x20 => {
                // Writing into a String cannot fail.
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            c => json.push(c),
        }
    }
    json.push('"');
}

/// How many bytes `text` takes between the quotes of a JSON string.
pub(crate) fn json_bytes(text: &str) -> u64 {
    let bytes = text.bytes().map(|byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..0x20 => 6,
        _ => 1,
    });
    bytes.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_inside_json_is_known_before_it_is_written() {
        for text in ["", "a", "\"\\\n\r\t", "\0\u{1b}\u{7f}", "é\u{2028}🎉"] {
            let mut json = String::new();
            push_json_string(&mut json, text);
            assert_eq!(json.len() as u64, json_bytes(text) + 2, "{text:?}");
        }
    }
}
