//! What a JSON-RPC line is, as far as the proxy needs to know.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::json::{self, Members, Outline};

/// One JSON-RPC message.
#[derive(Debug, Clone)]
pub(crate) struct Message<'a>(pub(crate) Members<'a>);

/// The identity of a request: its id as JSON.
pub(crate) type Id = String;

/// What a message is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind<'m> {
    Request { id: Id, method: Cow<'m, str> },
    Notification { method: Cow<'m, str> },
    Response { id: Id },
    Other,
}

impl<'a> Message<'a> {
    /// The message; `None` if the text is no JSON object.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        // The content blocks of a result are found in the same pass.
        Members::parse_into(text, &["result", "content"]).map(Self)
    }

    pub(crate) fn kind(&self) -> Kind<'_> {
        let id = self.0.get("id").map(id_of);
        match (id, self.0.text("method")) {
            (Some(id), Some(method)) => Kind::Request { id, method },
            (None, Some(method)) => Kind::Notification { method },
            (Some(id), None) => Kind::Response { id },
            (None, None) => Kind::Other,
        }
    }

    pub(crate) fn params(&self) -> Option<Members<'_>> {
        Members::of(self.0.get("params")?)
    }

    pub(crate) fn result(&self) -> Option<Members<'_>> {
        Members::of(self.0.get("result")?)
    }

    /// Where in the member of this name its members are, if that was found with the message.
    pub(crate) fn outline(&self, name: &str) -> Option<Outline> {
        Outline::of(self.0.inside(name)?, self.0.get(name)?.get())
    }

    pub(crate) fn error(&self) -> Option<Members<'_>> {
        Members::of(self.0.get("error")?)
    }

    /// The message with this error instead of its own.
    pub(crate) fn with_error(&self, error: Box<RawValue>) -> Box<RawValue> {
        let mut members = self.0.clone();
        members.set("error", error);
        members.to_raw()
    }
}

/// The messages of a line: one, or those of a batch (protocol 2025-03-26).
pub(crate) enum Line<'a> {
    Single(Message<'a>),
    Batch(Vec<&'a RawValue>),
    /// No JSON-RPC.
    Foreign,
}

impl<'a> Line<'a> {
    pub(crate) fn parse(text: &'a str) -> Self {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        if text.trim_start().starts_with('[') {
            return json::items_of(text).map_or(Self::Foreign, Self::Batch);
        }
        Message::parse(text).map_or(Self::Foreign, Self::Single)
    }
}

/// The response to the request of this id.
pub(crate) fn response(id: &str, result: &RawValue) -> Box<RawValue> {
    let mut members = Members::default();
    members.set("jsonrpc", json::string("2.0"));
    let id = RawValue::from_string(id.to_owned());
    members.set("id", id.unwrap_or_else(|_| RawValue::NULL.to_owned()));
    members.set("result", result.to_owned());
    members.to_raw()
}

/// The error response to the request of this id.
pub(crate) fn refusal(id: &str, error: &RawValue) -> Box<RawValue> {
    let mut members = Members::default();
    members.set("jsonrpc", json::string("2.0"));
    let id = RawValue::from_string(id.to_owned());
    members.set("id", id.unwrap_or_else(|_| RawValue::NULL.to_owned()));
    members.set("error", error.to_owned());
    members.to_raw()
}

/// Neither strings nor whole numbers differ by their spelling: a server may answer 1.0 as 1.
pub(crate) fn id_of(raw: &RawValue) -> Id {
    match json::text_of(raw) {
        Some(text) => serde_json::Value::from(text.as_ref()).to_string(),
        None => whole_number(raw.get()).unwrap_or_else(|| raw.get().to_owned()),
    }
}

fn whole_number(written: &str) -> Option<String> {
    if written.parse::<i64>().is_ok_and(|number| number != 0) {
        return None;
    }
    let number = written.parse::<f64>().ok()?;
    let is_whole = number.fract() == 0.0 && number.abs() < MOST_EXACT;
    is_whole.then(|| match number == 0.0 {
        true => "0".to_owned(),
        false => number.to_string(),
    })
}

/// From here on, two numbers may be read as one: 2 to the power of 53.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: &Kind<'_>) {
        assert_eq!(&Message::parse(text).unwrap().kind(), kind);
    }

    #[test]
    fn kinds_are_told_by_id_and_method() {
        let (id, method) = ("1".to_owned(), Cow::Borrowed("a/b"));
        check(
            r#"{"id":1,"method":"a/b"}"#,
            &Kind::Request {
                id: id.clone(),
                method: method.clone(),
            },
        );
        check(r#"{"method":"a/b"}"#, &Kind::Notification { method });
        check(r#"{"id":1,"result":{}}"#, &Kind::Response { id });
        check(r#"{"result":{}}"#, &Kind::Other);
    }

    #[test]
    fn ids_of_different_types_differ_and_spellings_do_not() {
        let id = |text: &str| id_of(&RawValue::from_string(text.to_owned()).unwrap());
        assert_ne!(id("1"), id("\"1\""));
        assert_eq!(id(r#""\u0061""#), id("\"a\""));
        assert_eq!(
            (id("1.0"), id("1e2"), id("-0")),
            (id("1"), id("100"), id("0"))
        );
        assert_ne!(id("1.5"), id("1"));
        assert_ne!(id("9007199254740993.0"), id("9007199254740992"));
    }

    #[test]
    fn a_response_carries_the_id_as_it_was() {
        let result = json::value(&serde_json::json!({"a": 1}));
        let id = id_of(&RawValue::from_string("\"x\\\"y\"".to_owned()).unwrap());
        assert_eq!(
            response(&id, &result).get(),
            r#"{"jsonrpc":"2.0","id":"x\"y","result":{"a":1}}"#
        );
    }
}
