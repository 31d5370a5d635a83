//! How a result's `structuredContent` relates to its text.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use crate::json::{self, Members};

/// Which of the two holds what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The JSON says nothing that the text doesn't.
    Same,
    /// The JSON holds the whole text, and may hold more.
    HoldsText,
    /// Each may say what the other doesn't.
    Apart,
}

/// Compares them in linear time, and only where they stand in each other's place: the text that is
/// the JSON, and the JSON in which servers wrap their texts. What isn't recognised is apart, which
/// costs room and loses nothing.
pub(crate) fn relation(texts: &[Cow<'_, str>], structured: &RawValue) -> Relation {
    let Some(longest) = texts.iter().max_by_key(|text| text.len()) else {
        return Relation::HoldsText;
    };
    if longest.is_empty() {
        return Relation::HoldsText;
    }
    if is_same_json(longest, structured.get()) {
        return Relation::Same;
    }
    match is_each(texts, structured) {
        Some(Elements::Plain) => return Relation::Same,
        Some(Elements::Mixed) => return Relation::HoldsText,
        None => {}
    }
    let members = Members::of(structured).unwrap_or_default();
    let is_only = members.each().count() == 1;
    let wrapped = WRAPPERS.iter().filter_map(|name| members.get(name));
    for value in wrapped {
        if let ([text], Some(leaf)) = (texts, json::text_of(value))
            && *text == leaf
        {
            return match is_only {
                true => Relation::Same,
                false => Relation::HoldsText,
            };
        }
        match is_each(texts, value) {
            Some(Elements::Plain) if is_only => return Relation::Same,
            Some(_) => return Relation::HoldsText,
            None => {}
        }
    }
    Relation::Apart
}

/// What the elements of a list are that are the texts.
enum Elements {
    /// JSON values, or lines: the texts one after the other tell them apart.
    Plain,
    /// Texts that run over several lines, or both kinds.
    Mixed,
}

/// Whether the value is the list of these texts, each of which may be the JSON of its element.
fn is_each(texts: &[Cow<'_, str>], list: &RawValue) -> Option<Elements> {
    let elements = json::items(list)?;
    if elements.len() != texts.len() {
        return None;
    }
    let (mut strings, mut lines) = (0, 0);
    for (text, element) in texts.iter().zip(elements) {
        let is_element = match json::text_of(element) {
            Some(leaf) => {
                strings += 1;
                lines += usize::from(!leaf.contains('\n'));
                *text == leaf
            }
            None => is_same_tokens(text, element.get()),
        };
        if !is_element {
            return None;
        }
    }
    Some(match strings == 0 || lines == texts.len() {
        true => Elements::Plain,
        false => Elements::Mixed,
    })
}

/// Whether the text is the same JSON. Members in another order count as the same where both are
/// small enough to be held as trees.
fn is_same_json(text: &str, json: &str) -> bool {
    let opens = |text: &str| text.trim_start().starts_with(['{', '[']);
    if !opens(text) || !opens(json) {
        return false;
    }
    let tree = |text: &str| serde_json::from_str::<Value>(text).ok();
    is_same_tokens(text, json)
        || (text.len().max(json.len()) <= MOST_TREE_BYTES
            && tree(text)
                .zip(tree(json))
                .is_some_and(|(text, json)| is_same_value(&text, &json)))
}

/// Whether the text is JSON that differs from `json` in the white space between tokens alone.
fn is_same_tokens(text: &str, json: &str) -> bool {
    dense(text).eq(dense(json)) && serde_json::from_str::<IgnoredAny>(text).is_ok()
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

/// Whether two trees are the same. Numbers too large to be told apart once they are read aren't.
fn is_same_value(one: &Value, other: &Value) -> bool {
    let is_exact = |number: &Number| {
        let large = |float: f64| float.abs() >= MOST_EXACT;
        number.is_i64() || number.is_u64() || !number.as_f64().is_none_or(large)
    };
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other && is_exact(one),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same_value(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| {
                    let same = other.get(name);
                    same.is_some_and(|same| is_same_value(value, same))
                })
        }
        (one, other) => one == other,
    }
}

/// The members in which servers and their libraries wrap a tool's text.
const WRAPPERS: [&str; 2] = ["content", "result"];

/// Larger texts are compared token by token only.
const MOST_TREE_BYTES: usize = 4 << 20;

/// From here on, two numbers may be read as one: 2 to the power of 53.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

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
            &["{\n  \"b\": 1,\n  \"a\": \"\\u00e9\"\n}"],
            r#"{"a":"é","b":1}"#,
            Relation::Same,
        );
        check(
            &["see", r#"{"a":"q\"x"}"#],
            r#"{"a":"q\"x"}"#,
            Relation::Same,
        );
    }

    #[test]
    fn a_text_in_the_wrapper_of_a_library_counts_once() {
        check(&["the file"], r#"{"content":"the file"}"#, Relation::Same);
        check(&["the file"], r#"{"result":"the file"}"#, Relation::Same);
    }

    #[test]
    fn a_list_whose_elements_are_the_texts_counts_once() {
        check(&["a", "b"], r#"{"result":["a","b"]}"#, Relation::Same);
        check(
            &["{\n  \"n\": 1\n}", "2"],
            r#"{"result":[{"n":1},2]}"#,
            Relation::Same,
        );
        check(&["a", "b"], r#"["a","b"]"#, Relation::Same);
    }

    #[test]
    fn json_that_holds_more_than_the_text_is_told() {
        check(
            &["the file"],
            r#"{"content":"the file","lines":3}"#,
            Relation::HoldsText,
        );
        // Where one ends and the next begins, and what is a text and what a number.
        check(&["a\nb", "c"], r#"["a\nb","c"]"#, Relation::HoldsText);
        check(&["1", "2"], r#"["1",2]"#, Relation::HoldsText);
        check(
            &["a", "b"],
            r#"{"result":["a","b"],"n":2}"#,
            Relation::HoldsText,
        );
        check(&[], r#"{"a":1}"#, Relation::HoldsText);
        check(&[""], r#"{"a":1}"#, Relation::HoldsText);
    }

    #[test]
    fn a_text_that_the_json_lacks_is_told() {
        check(&["3 rows"], r#"{"rows":[1,2,3]}"#, Relation::Apart);
        check(&["a", "c"], r#"["a","b"]"#, Relation::Apart);
        check(&["a"], r#"["a","a"]"#, Relation::Apart);
        check(&["1 2"], "[12]", Relation::Apart);
        check(&["{"], r#"{"a":1}"#, Relation::Apart);
    }

    #[test]
    fn what_only_the_json_says_is_never_lost() {
        // The name of a member, an empty one, a repetition.
        check(&["ok"], r#"{"file/of/note.txt":"ok"}"#, Relation::Apart);
        check(&["ok"], r#"{"s":"ok","f":null,"g":{}}"#, Relation::Apart);
        check(&["ok"], r#"["ok","ok"]"#, Relation::Apart);
        // Numbers that are one when they are read as floats.
        check(
            &[r#"{"n":12345678901234567890123,"a":1}"#],
            r#"{"a":1,"n":12345678901234567890124}"#,
            Relation::Apart,
        );
    }

    #[test]
    fn many_texts_and_members_take_linear_time() {
        // The square of this would be a quarter of an hour.
        let rows = (0..200_000).map(|row| format!("row {row}"));
        let rows = rows.collect::<Vec<_>>();
        let texts = rows.iter().map(String::as_str).collect::<Vec<_>>();
        let mut other = rows.clone();
        other.reverse();
        let wrapped = serde_json::json!({"result": rows, "rows": other}).to_string();
        check(&texts, &wrapped, Relation::HoldsText);
        let other = serde_json::json!(other).to_string();
        check(&texts, &other, Relation::Apart);
    }
}
