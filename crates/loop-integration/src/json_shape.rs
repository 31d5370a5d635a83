//! The shape of JSON: which keys, which types, how many items, without the values.

use std::fmt::{self, Write as _};
use std::io::Read;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

/// The shape of the JSON objects or arrays that `reader` holds one after the other, in at most
/// 1,000 bytes; `None` if it holds anything else.
pub(crate) fn of(reader: impl Read) -> Option<String> {
    let mut json = serde_json::Deserializer::from_reader(reader);
    let mut shape = Shape::default();
    let mut values: u64 = 0;
    while json.end().is_err() {
        shape.at_depth(MOST_DEPTH).deserialize(&mut json).ok()?;
        values += 1;
        if shape.scalars != Scalars::default() {
            // A text of words and numbers is no JSON that needs a shape.
            return None;
        }
    }
    let mut text = match values {
        0 => return None,
        1 => String::new(),
        values => format!("{values} values, each "),
    };
    // Writing into a String cannot fail.
    let _ = write!(text, "{shape}");
    if text.len() > MOST_BYTES {
        let is_end = |index: &usize| text.is_char_boundary(*index);
        let end = (0..=MOST_BYTES - '…'.len_utf8()).rev().find(is_end);
        text.truncate(end.unwrap_or_default());
        text.push('…');
    }
    Some(text)
}

/// What was seen at one place of the JSON.
#[derive(Debug, Default)]
struct Shape {
    seen: u64,
    scalars: Scalars,
    array: Option<Array>,
    object: Option<Object>,
    is_deeper: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Scalars {
    null: bool,
    boolean: bool,
    number: bool,
    string: bool,
}

#[derive(Debug, Default)]
struct Array {
    least: u64,
    most: u64,
    items: Box<Shape>,
}

#[derive(Debug, Default)]
struct Object {
    seen: u64,
    keys: Vec<(String, Shape)>,
    has_more: bool,
}

impl Shape {
    fn at_depth(&mut self, depth: usize) -> Place<'_> {
        Place { shape: self, depth }
    }
}

/// Where the next value is seen, and how many levels below it are looked at.
struct Place<'s> {
    shape: &'s mut Shape,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.shape.seen += 1;
        match self.depth {
            0 => {
                self.shape.is_deeper = true;
                deserializer.deserialize_ignored_any(IgnoredAny).map(drop)
            }
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.shape.scalars.null = true;
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.shape.scalars.boolean = true;
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        self.shape.scalars.number = true;
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        self.shape.scalars.number = true;
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.shape.scalars.number = true;
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        self.shape.scalars.string = true;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let is_first = self.shape.array.is_none();
        let array = self.shape.array.get_or_insert_default();
        let mut count = 0;
        while items
            .next_element_seed(array.items.at_depth(self.depth - 1))?
            .is_some()
        {
            count += 1;
        }
        array.least = if is_first {
            count
        } else {
            array.least.min(count)
        };
        array.most = array.most.max(count);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let object = self.shape.object.get_or_insert_default();
        object.seen += 1;
        while let Some(key) = fields.next_key::<String>()? {
            let known = object.keys.iter().position(|(known, _)| *known == key);
            let position = match known {
                Some(position) => position,
                None if object.keys.len() < MOST_KEYS => {
                    object.keys.push((key, Shape::default()));
                    object.keys.len() - 1
                }
                None => {
                    object.has_more = true;
                    fields.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            let (_, shape) = object
                .keys
                .get_mut(position)
                .ok_or_else(|| A::Error::custom("no such key"))?;
            fields.next_value_seed(shape.at_depth(self.depth - 1))?;
        }
        Ok(())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        let mut or = |f: &mut fmt::Formatter<'_>| {
            let written = f.write_str(between);
            between = " | ";
            written
        };
        let Scalars {
            null,
            boolean,
            number,
            string,
        } = self.scalars;
        for (is, name) in [
            (string, "string"),
            (number, "number"),
            (boolean, "boolean"),
            (self.is_deeper, "…"),
        ] {
            if is {
                or(f)?;
                f.write_str(name)?;
            }
        }
        if let Some(object) = &self.object {
            or(f)?;
            object.fmt(f)?;
        }
        if let Some(array) = &self.array {
            or(f)?;
            array.fmt(f)?;
        }
        if null {
            or(f)?;
            f.write_str("null")?;
        }
        Ok(())
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        for (index, (key, shape)) in self.keys.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            let key = serde_json::to_string(key).unwrap_or_default();
            let optional = if shape.seen < self.seen { "?" } else { "" };
            write!(f, "{key}{optional}: {shape}")?;
        }
        if self.has_more {
            f.write_str(", …")?;
        }
        f.write_char('}')
    }
}

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (_, 0) => f.write_str("[]"),
            (least, most) if least == most => write!(f, "[{most} × {}]", self.items),
            (least, most) => write!(f, "[{least} to {most} × {}]", self.items),
        }
    }
}

/// Levels that are looked at.
const MOST_DEPTH: usize = 6;

/// Keys of one object that are told.
const MOST_KEYS: usize = 24;

const MOST_BYTES: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, shape: Option<&str>) {
        assert_eq!(of(json.as_bytes()).as_deref(), shape);
    }

    #[test]
    fn items_of_one_array_are_one_shape() {
        check("[]", Some("[]"));
        check(
            "[1, 2.5, \"a\", null]",
            Some("[4 × string | number | null]"),
        );
        check("[[1], [], [1, 2]]", Some("[3 × [0 to 2 × number]]"));
        check(
            "[{\"a\": 1}, {\"b\": [true]}]",
            Some("[2 × {\"a\"?: number, \"b\"?: [1 × boolean]}]"),
        );
        check(
            "{\"a\": {}, \"\\n\": 1}",
            Some("{\"a\": {}, \"\\n\": number}"),
        );
    }

    #[test]
    fn values_one_after_the_other_are_one_shape() {
        check(
            "{\"a\": 1}\n{\"a\": 2}\n",
            Some("2 values, each {\"a\": number}"),
        );
    }

    #[test]
    fn what_is_no_object_or_array_has_none() {
        for text in ["", " ", "hello", "1 2 3", "\"a\"", "{\"a\": 1", "{} x"] {
            check(text, None);
        }
    }

    #[test]
    fn depth_and_width_are_bounded() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        check(&deep, Some("[1 × [1 × [1 × [1 × [1 × [1 × …]]]]]]"));
        let wide: Vec<_> = (0..10_000)
            .map(|key| format!("\"{key}{}\":{key}", "é".repeat(40)))
            .collect();
        let shape = of(format!("{{{}}}", wide.join(",")).as_bytes()).unwrap();
        assert!(shape.len() <= 1_000 && shape.ends_with('…'), "{shape}");
    }
}
