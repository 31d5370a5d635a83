//! Decoding a JSON string.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::string;

/// A decoded string; a lone surrogate, which is no character, becomes U+FFFD. `None` if the value
/// is something else.
pub(crate) fn text_of(value: &RawValue) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    // No escape is shorter than what it stands for.
    let mut text = String::with_capacity(inner.len());
    let mut decoded = 0;
    string::each_escape(inner.as_bytes(), |at| {
        text.push_str(inner.get(decoded..at)?);
        let rest = decode(inner.get(at..)?, &mut text)?;
        decoded = inner.len() - rest.len();
        Some(decoded)
    })?;
    text.push_str(inner.get(decoded..)?);
    Some(Cow::Owned(text))
}

/// Decodes the escapes that `escaped` begins with; what comes after them.
#[inline(always)]
fn decode<'a>(escaped: &'a str, text: &mut String) -> Option<&'a str> {
    let (escape, rest) = escaped.split_at_checked(2)?;
    text.push(match escape.as_bytes() {
        [_, b'n'] => '\n',
        [_, b't'] => '\t',
        [_, b'r'] => '\r',
        [_, b'b'] => '\u{8}',
        [_, b'f'] => '\u{c}',
        [_, b'u'] => return decode_units(escaped, text),
        // A quote, a slash, a backslash.
        [_, byte] => char::from(*byte),
        _ => return None,
    });
    Some(rest)
}

/// Decodes a run of escapes by number: two of them may be one character.
fn decode_units<'a>(mut escaped: &'a str, text: &mut String) -> Option<&'a str> {
    let units = std::iter::from_fn(|| {
        let (digits, rest) = escaped.strip_prefix("\\u")?.split_at_checked(4)?;
        let unit = u16::from_str_radix(digits, 16).ok()?;
        escaped = rest;
        Some(unit)
    });
    for decoded in char::decode_utf16(units) {
        text.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Some(escaped)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(json: &str, text: &str) {
        let raw = RawValue::from_string(json.to_owned()).unwrap();
        assert_eq!(text_of(&raw).as_deref(), Some(text));
    }

    #[test]
    fn strings_decode_and_lone_surrogates_become_one_character() {
        check(r#""""#, "");
        check(r#""plain""#, "plain");
        check(r#""a\nb\u00e9""#, "a\nbé");
        check(r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t");
        check(r#""\ud83d\ude00""#, "😀");
        check(r#""a\ud83db\udc00\ud800""#, "a\u{FFFD}b\u{FFFD}\u{FFFD}");
        check(r#""\ud83d\ud83d\ude00\n\ude00""#, "\u{FFFD}😀\n\u{FFFD}");
        check(r#""\ud83d\n""#, "\u{FFFD}\n");
    }

    #[test]
    fn what_is_no_string_has_no_text() {
        for json in ["1", "[\"a\"]", "null"] {
            let raw = RawValue::from_string(json.to_owned()).unwrap();
            assert!(text_of(&raw).is_none());
        }
    }

    proptest! {
        #[test]
        fn every_string_decodes_to_itself(text in any::<String>(), is_ascii in any::<bool>()) {
            let mut json = serde_json::Value::from(text.as_str()).to_string();
            if is_ascii {
                let units = json.encode_utf16().map(|unit| match u8::try_from(unit) {
                    Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
                    _ => format!("\\u{unit:04x}"),
                });
                json = units.collect();
            }
            check(&json, &text);
        }

        #[test]
        fn escapes_decode_as_the_library_says_and_lone_surrogates_as_in_utf16(
            parts in prop::collection::vec(part(), 0..12),
        ) {
            let (json, units) = parts.into_iter().unzip::<_, _, String, Vec<_>>();
            let json = format!("\"{json}\"");
            let text = String::from_utf16_lossy(&units.concat());
            check(&json, &text);
            if let Ok(library) = serde_json::from_str::<String>(&json) {
                prop_assert_eq!(library, text);
            }
        }
    }

    /// A part of a string as JSON, and the UTF-16 that it stands for.
    fn part() -> impl Strategy<Value = (String, Vec<u16>)> {
        let surrogate = prop_oneof![0xD800_u16..0xE000, Just(0xD83D), Just(0xDE00)];
        let number = prop_oneof![any::<u16>(), surrogate, 0_u16..0x80];
        let by_number = (number, any::<bool>()).prop_map(|(unit, is_upper)| {
            let json = match is_upper {
                true => format!("\\u{unit:04X}"),
                false => format!("\\u{unit:04x}"),
            };
            (json, vec![unit])
        });
        let by_letter = prop::sample::select(vec![
            ("\\\"", '"'),
            ("\\\\", '\\'),
            ("\\/", '/'),
            ("\\b", '\u{8}'),
            ("\\f", '\u{c}'),
            ("\\n", '\n'),
            ("\\r", '\r'),
            ("\\t", '\t'),
        ])
        .prop_map(|(json, c)| (json.to_owned(), vec![c as u16]));
        let plain = "([a-z]{0,3}|[a-z]{60,66}|é|😀)"
            .prop_map(|text| (text.clone(), text.encode_utf16().collect()));
        prop_oneof![2 => by_number, 2 => by_letter, 1 => plain]
    }
}
