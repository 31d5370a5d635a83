//! The arguments of the tools: taken as models write them, clamped where they are too large.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;

use super::answer::Refusal;

/// The arguments, if they are those of the tool.
pub(super) fn parse<T: DeserializeOwned>(arguments: &Value) -> Result<T, Refusal> {
    let given = match arguments {
        Value::Null => Value::Object(serde_json::Map::new()),
        given => given.clone(),
    };
    serde_json::from_value(given).map_err(Refusal::arguments)
}

/// A number that is not negative, also written as text or with a fraction of zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number(pub(super) u64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Number, E> {
        Ok(Number(number))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Number, E> {
        Ok(Number(u64::try_from(number).unwrap_or_default()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Number, E> {
        // Saturates, and what is no number is 0.
        Ok(Number(number as u64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
        let number = text.trim().parse().map(Number);
        number.map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_as_models_write_them() {
        let number = |json| serde_json::from_str(json).map(|Number(number)| number).ok();
        assert_eq!(number("5"), Some(5));
        assert_eq!(number("5.0"), Some(5));
        assert_eq!(number("\"5\""), Some(5));
        assert_eq!(number("-5"), Some(0));
        assert_eq!(number("1e300"), Some(u64::MAX));
        assert_eq!(number("\"five\""), None);
        assert_eq!(number("null"), None);
    }
}
