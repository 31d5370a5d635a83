//! JSON whose bytes are the same in any process: sorted keys, and RFC 8785 for digests.

use std::io;

use artifacts_core::{ContentDigest, ContentHasher};
use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter};

/// A value whose objects are written with sorted keys, whatever map type `serde_json` is built
/// with. Keys are compared by UTF-16 code units (RFC 8785 section 3.2.3).
pub(crate) struct Sorted<'a>(pub(crate) &'a Value);

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(fields) => {
                let mut fields = fields.iter().collect::<Vec<_>>();
                fields.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, &Self(value))?;
                }
                map.end()
            }
            Value::Array(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    sequence.serialize_element(&Self(item))?;
                }
                sequence.end()
            }
            scalar => scalar.serialize(serializer),
        }
    }
}

/// The JSON text of a value nested however deep.
pub(crate) fn text(value: &Value) -> String {
    let mut text = String::new();
    let mut open = vec![Piece::Value(value)];
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Key(key) => {
                text.push_str(&Value::from(key).to_string());
                text.push(':');
            }
            Piece::Value(Value::Array(items)) => {
                open.push(Piece::Text("]"));
                for (index, item) in items.iter().enumerate().rev() {
                    open.push(Piece::Value(item));
                    open.extend((index > 0).then_some(Piece::Text(",")));
                }
                open.push(Piece::Text("["));
            }
            Piece::Value(Value::Object(fields)) => {
                open.push(Piece::Text("}"));
                for (index, (key, value)) in fields.iter().enumerate().rev() {
                    open.extend([Piece::Value(value), Piece::Key(key)]);
                    open.extend((index > 0).then_some(Piece::Text(",")));
                }
                open.push(Piece::Text("{"));
            }
            Piece::Value(scalar) => text.push_str(&scalar.to_string()),
        }
    }
    text
}

enum Piece<'a> {
    Value(&'a Value),
    Key(&'a str),
    Text(&'static str),
}

/// Whether a value is nested deeper than a line of a transcript may hold.
pub(crate) fn is_too_deep(value: &Value) -> bool {
    let mut open = vec![(value, 1)];
    while let Some((value, level)) = open.pop() {
        let inner: &mut dyn Iterator<Item = &Value> = match value {
            Value::Array(items) => &mut items.iter(),
            Value::Object(fields) => &mut fields.values(),
            _ => continue,
        };
        if level > VALUE_LEVELS {
            return true;
        }
        open.extend(inner.map(|value| (value, level + 1)));
    }
    false
}

/// Reads a payload nested as deep as one that may be written. `serde_json` alone stops at 127
/// levels, which is what it lets a value have that then stands inside a payload.
pub(crate) fn from_payload<'a, T: Deserialize<'a>>(json: &'a str) -> serde_json::Result<T> {
    serde_json::from_str(json).or_else(|error| match levels(json) > PAYLOAD_LEVELS {
        true => Err(error),
        false => {
            let mut payload = serde_json::Deserializer::from_str(json);
            payload.disable_recursion_limit();
            let value = T::deserialize(&mut payload)?;
            payload.end()?;
            Ok(value)
        }
    })
}

/// The most brackets of a JSON text that are open at once.
fn levels(json: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    let mut in_string = false;
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' => {
                bytes.next();
            }
            b'[' | b'{' if !in_string => {
                open += 1;
                most = most.max(open);
            }
            b']' | b'}' if !in_string => open = open.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// The most levels of arrays and objects in a value: twice what `serde_json` reads, so that a value
/// it read is never too deep.
pub(crate) const VALUE_LEVELS: usize = 250;

/// The same for a payload: its own and those around a value in it, of which there are three.
const PAYLOAD_LEVELS: usize = VALUE_LEVELS + 6;

/// Writes `value`, whose fields must be declared in sorted order, on one line of about `bytes`
/// bytes.
pub(crate) fn to_line(value: &impl Serialize, bytes: usize) -> Vec<u8> {
    let mut line = Vec::with_capacity(bytes);
    // Neither a Vec nor the types written here can fail.
    let _ = value.serialize(&mut serde_json::Serializer::new(&mut line));
    line.push(b'\n');
    line
}

/// SHA-256 of the RFC 8785 form of `value`, whose fields must be declared in sorted order.
pub(crate) fn canonical_digest(value: &impl Serialize) -> ContentDigest {
    let mut sink = Hashing(ContentHasher::default());
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut sink, Canonical,
    ));
    sink.0.finish()
}

struct Hashing(ContentHasher);

impl io::Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compact JSON with the numbers of RFC 8785 section 3.2.2.3: every one is a double, written as
/// ECMAScript does. The strings of `serde_json` are escaped as section 3.2.2.2 asks already.
struct Canonical;

impl Formatter for Canonical {
    fn write_i64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        match value.unsigned_abs() <= EXACT {
            true => CompactFormatter.write_i64(writer, value),
            false => self.write_f64(writer, value as f64),
        }
    }

    fn write_u64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        match value <= EXACT {
            true => CompactFormatter.write_u64(writer, value),
            false => self.write_f64(writer, value as f64),
        }
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(ryu_js::Buffer::new().format_finite(value).as_bytes())
    }
}

/// The largest integer up to which doubles have no gaps.
const EXACT: u64 = 1 << 53;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn canonical(value: &Value) -> String {
        let mut bytes = Vec::new();
        Sorted(value)
            .serialize(&mut serde_json::Serializer::with_formatter(
                &mut bytes, Canonical,
            ))
            .unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn numbers_are_written_as_rfc_8785_appendix_b_lists_them() {
        for (bits, text) in [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        ] {
            assert_eq!(canonical(&json!(f64::from_bits(bits))), text);
        }
    }

    #[test]
    fn keys_are_sorted_by_utf_16_units_and_strings_escaped_as_rfc_8785_shows() {
        let value = json!({
            "\u{20ac}": "Euro Sign",
            "\r": "Carriage Return",
            "\u{fb33}": "Hebrew Letter Dalet With Dagesh",
            "1": "One",
            "\u{1f600}": "Emoji: Grinning Face",
            "\u{80}": "Control",
            "\u{f6}": "Latin Small Letter O With Diaeresis",
        });
        assert_eq!(
            canonical(&value),
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\
             \"\u{f6}\":\"Latin Small Letter O With Diaeresis\",\"\u{20ac}\":\"Euro Sign\",\
             \"\u{1f600}\":\"Emoji: Grinning Face\",\
             \"\u{fb33}\":\"Hebrew Letter Dalet With Dagesh\"}"
        );
        let value = json!({"string": "\u{20ac}$\u{f}\nA'B\"\\\\\"/\u{2028}", "literals": [null, true, false]});
        assert_eq!(
            canonical(&value),
            "{\"literals\":[null,true,false],\"string\":\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\u{2028}\"}"
        );
    }

    #[test]
    fn integers_beyond_the_exact_range_are_doubles() {
        assert_eq!(
            canonical(&json!([u64::MAX, i64::MIN, 1_u64 << 53])),
            "[18446744073709552000,-9223372036854776000,9007199254740992]"
        );
    }
}
