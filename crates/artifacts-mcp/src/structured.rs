//! How a result's `structuredContent` relates to its text.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Which of the two holds what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The JSON says nothing that the text doesn't.
    Same,
    /// The JSON holds the whole text, and more.
    HoldsText,
    /// Each may say what the other doesn't.
    Apart,
}

/// Compares them without building a tree: what is compared may be 100 MB.
pub(crate) fn relation(texts: &[Cow<'_, str>], structured: &RawValue) -> Relation {
    if texts.iter().all(|text| text.is_empty()) {
        return Relation::HoldsText;
    }
    if texts
        .iter()
        .any(|text| is_same_json(text, structured.get()))
    {
        return Relation::Same;
    }
    let mut leaves = Leaves {
        texts,
        found: vec![false; texts.len()],
        others: false,
    };
    let mut deserializer = serde_json::Deserializer::from_str(structured.get());
    let walked = leaves.deserialize(&mut deserializer).is_ok();
    match walked && leaves.found.iter().all(|found| *found) {
        true if leaves.others => Relation::HoldsText,
        true => Relation::Same,
        false => Relation::Apart,
    }
}

/// Whether the text is the same JSON. Members in another order count as the same where both are
/// small enough to be held as trees.
fn is_same_json(text: &str, json: &str) -> bool {
    let opens = |text: &str| text.trim_start().starts_with(['{', '[']);
    if !opens(text) || !opens(json) {
        return false;
    }
    if dense(text).eq(dense(json)) {
        return true;
    }
    text.len().max(json.len()) <= MOST_TREE_BYTES
        && serde_json::from_str::<serde_json::Value>(text)
            .ok()
            .is_some_and(|tree| serde_json::from_str(json).ok() == Some(tree))
}

/// The bytes of a JSON text without the white space between its tokens.
fn dense(json: &str) -> impl Iterator<Item = u8> {
    let (mut quoted, mut escaped) = (false, false);
    json.bytes().filter(move |byte| {
        let inside = quoted;
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ => {}
        }
        inside || !byte.is_ascii_whitespace()
    })
}

/// Walks the scalars of a value: which of the texts are among them, and is there anything else?
struct Leaves<'t> {
    texts: &'t [Cow<'t, str>],
    found: Vec<bool>,
    others: bool,
}

impl<'de> DeserializeSeed<'de> for &mut Leaves<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Leaves<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, leaf: &str) -> Result<(), E> {
        let mut known = false;
        for (text, found) in self.texts.iter().zip(&mut self.found) {
            let same = text == leaf;
            *found |= same;
            known |= same;
        }
        self.others |= !known;
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.others = true;
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.others = true;
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.others = true;
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.others = true;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(&mut *self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(&mut *self)?;
        }
        Ok(())
    }
}

/// Larger texts are compared token by token only.
const MOST_TREE_BYTES: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], structured: &str, expected: Relation) {
        let texts = texts
            .iter()
            .map(|text| Cow::Borrowed(*text))
            .collect::<Vec<_>>();
        let structured = RawValue::from_string(structured.to_owned()).unwrap();
        assert_eq!(
            relation(&texts, &structured),
            expected,
            "{texts:?} {structured}"
        );
    }

    #[test]
    fn a_text_that_is_the_json_counts_once() {
        check(
            &[r#"{"a":"x y","b":[1,2]}"#],
            r#"{ "a": "x y", "b": [1, 2] }"#,
            Relation::Same,
        );
        check(
            &["{\n  \"b\": 1,\n  \"a\": 2\n}"],
            r#"{"a":2,"b":1}"#,
            Relation::Same,
        );
        check(
            &["see", r#"{"a":"q\"x"}"#],
            r#"{"a":"q\"x"}"#,
            Relation::Same,
        );
    }

    #[test]
    fn a_text_wrapped_in_json_counts_once() {
        check(&["the file"], r#"{"content":"the file"}"#, Relation::Same);
        check(
            &["a", "b"],
            r#"{"parts":["a","b"],"next":null}"#,
            Relation::Same,
        );
    }

    #[test]
    fn json_that_holds_more_than_the_text_is_told() {
        check(
            &["the file"],
            r#"{"content":"the file","lines":3}"#,
            Relation::HoldsText,
        );
        check(&["a"], r#"{"parts":["a","b"]}"#, Relation::HoldsText);
        check(&[], r#"{"a":1}"#, Relation::HoldsText);
        check(&[""], r#"{"a":1}"#, Relation::HoldsText);
    }

    #[test]
    fn a_text_that_the_json_lacks_is_told() {
        check(&["3 rows"], r#"{"rows":[1,2,3]}"#, Relation::Apart);
        check(&["a", "c"], r#"["a","b"]"#, Relation::Apart);
        check(&["{"], r#"{"a":1}"#, Relation::Apart);
    }

    #[test]
    fn json_too_deep_to_walk_counts_apart() {
        let deep = format!("{}\"a\"{}", "[".repeat(200), "]".repeat(200));
        check(&["a"], &deep, Relation::Apart);
    }
}
