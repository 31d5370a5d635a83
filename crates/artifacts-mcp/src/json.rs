//! JSON that is edited one level at a time, so that what isn't touched keeps its bytes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The members of one JSON object, in order, each value as the bytes it came in.
///
/// Of a repeated name the last counts, as in every JSON parser of the MCP clients.
#[derive(Debug, Clone, Default)]
pub(crate) struct Members<'a>(Vec<(Name<'a>, Cow<'a, RawValue>)>);

/// The name of a member, and how it was spelled if it came so.
#[derive(Debug, Clone)]
struct Name<'a> {
    text: Cow<'a, str>,
    spelling: Option<&'a RawValue>,
}

impl PartialEq<str> for Name<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl<'a> Members<'a> {
    /// The members of `text`; `None` if it is anything but one JSON object.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The members of an object inside another.
    pub(crate) fn of(value: &'a RawValue) -> Option<Self> {
        Self::parse(value.get())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&RawValue> {
        let (_, value) = self.0.iter().rfind(|(key, _)| *key == *name)?;
        Some(value)
    }

    /// The member as it came, for as long as the text it came in.
    pub(crate) fn carried(&self, name: &str) -> Option<&'a RawValue> {
        match self.0.iter().rfind(|(key, _)| *key == *name)? {
            (_, Cow::Borrowed(value)) => Some(value),
            (_, Cow::Owned(_)) => None,
        }
    }

    /// Where in `text`, which it was parsed from, the value of a member is.
    pub(crate) fn place(&self, name: &str, text: &'a str) -> Option<Range<usize>> {
        let value = self.carried(name)?.get();
        let start = value.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
        let place = start..start.checked_add(value.len())?;
        let is_there = std::ptr::eq(text.get(place.clone())?, value);
        is_there.then_some(place)
    }

    /// Every member that is as it came, for as long as the text it came in.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().filter_map(|(name, value)| match value {
            Cow::Borrowed(value) => Some((name.text.as_ref(), *value)),
            Cow::Owned(_) => None,
        })
    }

    /// The member, decoded, if it is a string.
    pub(crate) fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        text_of(self.get(name)?)
    }

    /// Replaces the member, in its place, or adds it at the end.
    pub(crate) fn set(&mut self, name: &'static str, value: Box<RawValue>) {
        match self.0.iter_mut().rfind(|(key, _)| *key == *name) {
            Some(member) => member.1 = Cow::Owned(value),
            None => {
                let name = Name {
                    text: Cow::Borrowed(name),
                    spelling: None,
                };
                self.0.push((name, Cow::Owned(value)));
            }
        }
    }

    /// Removes the member; whether there was one.
    pub(crate) fn remove(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|(key, _)| *key != *name);
        self.0.len() < before
    }

    /// The object as JSON.
    pub(crate) fn to_raw(&self) -> Box<RawValue> {
        let mut out = String::from("{");
        for (name, value) in &self.0 {
            if out.len() > 1 {
                out.push(',');
            }
            match name.spelling {
                Some(spelling) => out.push_str(spelling.get()),
                None => out.push_str(string(&name.text).get()),
            }
            out.push(':');
            out.push_str(value.get());
        }
        out.push('}');
        raw(out)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                // A name as it is spelled: decoded by the parser, one with a lone surrogate would
                // be refused, and the whole object with it.
                while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
                    let text = text_of(name).unwrap_or_default();
                    let spelling = Some(name);
                    members.push((Name { text, spelling }, Cow::Borrowed(value)));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}

/// The text of a line; what is no UTF-8 in it becomes U+FFFD.
pub(crate) fn text_of_line(line: &[u8]) -> Cow<'_, str> {
    // Checking the whole is many times as fast as looking for the first fault.
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(line),
    }
}

/// The elements of an array, each as the bytes it came in; `None` if it is no array.
pub(crate) fn items(value: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(value.get()).ok()
}

/// The elements of an array of objects; `None` if it is anything else.
pub(crate) fn objects(value: &RawValue) -> Option<Vec<Members<'_>>> {
    serde_json::from_str(value.get()).ok()
}

/// The array of these elements.
pub(crate) fn array<'a>(items: impl IntoIterator<Item = &'a RawValue>) -> Box<RawValue> {
    let mut out = String::from("[");
    for item in items {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(item.get());
    }
    out.push(']');
    raw(out)
}

/// A string as JSON.
pub(crate) fn string(text: &str) -> Box<RawValue> {
    raw(serde_json::Value::from(text).to_string())
}

/// A value as JSON.
pub(crate) fn value(value: &serde_json::Value) -> Box<RawValue> {
    raw(value.to_string())
}

/// A decoded string; a lone surrogate, which is no character, becomes U+FFFD.
pub(crate) fn text_of(value: &RawValue) -> Option<Cow<'_, str>> {
    let quoted = value.get();
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some(Cow::Borrowed(inner));
    }
    if let Ok(text) = serde_json::from_str::<String>(quoted) {
        return Some(Cow::Owned(text));
    }
    let Bytes(bytes) = serde_json::from_str(quoted).ok()?;
    Some(Cow::Owned(without_surrogates(bytes)))
}

/// The bytes of a string; `serde_json` writes lone surrogates as three bytes each.
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Take;

        impl Visitor<'_> for Take {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
                Ok(Bytes(bytes.to_vec()))
            }
        }

        deserializer.deserialize_bytes(Take)
    }
}

fn without_surrogates(bytes: Vec<u8>) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        // Of the three bytes of a surrogate only the first begins a sequence.
        if chunk.invalid().first() == Some(&0xED) {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

fn raw(json: String) -> Box<RawValue> {
    // Every caller puts it together from whole JSON values.
    RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untouched_members_keep_their_bytes() {
        let text = r#"{ "a" : 1.0e0 , "b":{"x" : [1, 2]},"text":"A","n":12345678901234567890123 }"#;
        let mut members = Members::parse(text).unwrap();
        members.set("b", string("new"));
        members.set("c", value(&serde_json::json!({"k": 1})));
        assert_eq!(
            members.to_raw().get(),
            r#"{"a":1.0e0,"b":"new","text":"A","n":12345678901234567890123,"c":{"k":1}}"#
        );
        assert!(members.remove("a"));
        assert!(!members.remove("a"));
    }

    #[test]
    fn names_keep_their_spelling() {
        let text = r#"{"\ud800":1,"\u0061":2,"b\/":3}"#;
        let members = Members::parse(text).unwrap();
        assert_eq!(members.get("a").unwrap().get(), "2");
        assert_eq!(members.to_raw().get(), text);
    }

    #[test]
    fn of_a_repeated_name_the_last_counts() {
        let members = Members::parse(r#"{"id":1,"id":2}"#).unwrap();
        assert_eq!(members.get("id").unwrap().get(), "2");
    }

    #[test]
    fn anything_but_an_object_has_no_members() {
        for text in ["", "[]", "1", "{", "{} {}", "\"a\"", r#"{"a":}"#] {
            assert!(Members::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn strings_decode_and_lone_surrogates_become_one_character() {
        let check = |json: &str, text: &str| {
            let raw = RawValue::from_string(json.to_owned()).unwrap();
            assert_eq!(text_of(&raw).as_deref(), Some(text));
        };
        check(r#""plain""#, "plain");
        check(r#""a\nb\u00e9""#, "a\nbé");
        check(r#""\ud83d\ude00""#, "😀");
        check(r#""a\ud83db\udc00\ud800""#, "a\u{FFFD}b\u{FFFD}\u{FFFD}");
        let number = RawValue::from_string("1".to_owned()).unwrap();
        assert!(text_of(&number).is_none());
    }

    #[test]
    fn deep_nesting_is_carried_not_descended() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(Members::parse(&deep).unwrap().to_raw().get(), deep);
    }
}
