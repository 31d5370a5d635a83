//! Text that was found to be one JSON value, as the library's type for that.

use std::iter;

use serde::de::value::{BorrowedStrDeserializer, Error, MapDeserializer};
use serde::de::{Error as _, Visitor};
use serde::{Deserialize as _, Deserializer, forward_to_deserialize_any};
use serde_json::value::RawValue;

/// The value that `json` is. The library is told so, and doesn't go over the text again; a release
/// of it that asks in another way goes over it.
pub(super) fn borrowed(json: &str) -> Option<&RawValue> {
    told(json).or_else(|| serde_json::from_str(json).ok())
}

fn told(json: &str) -> Option<&RawValue> {
    <&RawValue>::deserialize(Found(json)).ok()
}

/// Answers as the library's own deserializer does where it is asked for a raw value: with a map
/// from the name that it is asked by to the text.
struct Found<'de>(&'de str);

impl<'de> Deserializer<'de> for Found<'de> {
    type Error = Error;

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let value = BorrowedStrDeserializer::<Error>::new(self.0);
        visitor.visit_map(MapDeserializer::new(iter::once((name, value))))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only a raw value is made of it"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_value_is_the_text_itself() {
        for json in ["{\"a\": 1}", "\"text\"", "1.0e0"] {
            assert!(std::ptr::eq(borrowed(json).unwrap().get(), json));
            assert!(told(json).is_some());
        }
    }
}
