//! The parts of a Gemini content. They have no type: a field says what a part is. Both spellings
//! of names are known, that of the API and that of its Python library.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::edit::{media_of, output_with_text, replaced, text_beside_media};
use super::media::is_small;
use super::output::{BESIDE, Output, is_failed};
use super::{call, is_said, string};
use crate::{Outcome, ToolCall, ToolResult};

/// The parts, if `message` is a content: it has no other blocks.
pub(super) fn parts(message: &Value) -> Option<&Vec<Value>> {
    let is_other = ["content", "op-id"]
        .iter()
        .any(|field| is_said(message, field));
    let parts = message.get("parts").filter(|_| !is_other)?;
    parts.as_array()
}

/// The call that a part is.
pub(super) fn call(part: &Value) -> Option<ToolCall<'_>> {
    if let Some((_, inner)) = field(part, &["functionCall", "function_call"]) {
        return Some(call::of(inner));
    }
    let (name, inner) = field(part, &["executableCode", "executable_code"])?;
    let code = string(inner, "code")?;
    Some(ToolCall::new(name, code))
}

/// What a tool returned, as a part.
pub(super) struct Answer<'a> {
    part: &'a Map<String, Value>,
    name: &'static str,
    inner: &'a Map<String, Value>,
}

impl<'a> Answer<'a> {
    pub(super) fn of(part: &'a Value) -> Option<Self> {
        let (name, inner) = field(part, ANSWERS)?;
        Some(Self {
            part: part.as_object()?,
            name,
            inner: inner.as_object()?,
        })
    }

    pub(super) fn result(&self) -> ToolResult<'a> {
        let is_error = |main| main == Some("error");
        let outcome = self.inner.get("outcome").and_then(Value::as_str);
        let failed = is_error(self.main())
            || outcome.is_some_and(|outcome| outcome != "OUTCOME_OK")
            || self.response().is_some_and(is_failed);
        let result = ToolResult::of_output(self.output());
        let result = match self.inner.get("id").and_then(Value::as_str) {
            Some(id) => result.with_call_id(id),
            None => result,
        };
        match failed {
            true => result.with_outcome(Outcome::Failed),
            false => result,
        }
    }

    /// The part with `text` in place of all its text.
    pub(super) fn with_text(&self, text: &str) -> Value {
        let (main, fields) = (self.main(), self.fields());
        let old = main.and_then(|main| fields?.get(main));
        let edited = match (old, self.response()) {
            (Some(old), _) => output_with_text(old, text),
            (None, Some(response)) => text_beside_media(response, text),
            (None, None) => text.into(),
        };
        let main = main.unwrap_or("output");
        let kept = fields.into_iter().flatten();
        let kept = kept.filter(|(name, value)| *name != main && is_beside(name, value));
        let kept = kept.map(|(name, value)| (name.clone(), value.clone()));
        let response = Value::Object(kept.chain([(main.into(), edited)]).collect());
        let inner = match self.inner.contains_key("response") {
            _ if !self.is_function() => response,
            false => {
                let mut inner = self.inner.clone();
                inner.insert("response".into(), response);
                Value::Object(inner)
            }
            true => replaced(self.inner, "response", response),
        };
        let inner = match (inner, self.beside()) {
            (Value::Object(inner), Some(parts)) => {
                replaced(&inner, "parts", media_of(parts).into())
            }
            (inner, _) => inner,
        };
        replaced(self.part, self.name, inner)
    }

    /// The response and the parts beside it.
    fn output(&self) -> Output<'a> {
        let beside = self.beside().into_iter().flatten();
        match (self.main(), self.fields(), self.response()) {
            (Some(main), Some(fields), _) => {
                let rest = fields.iter();
                let rest = rest.filter(|(name, value)| *name != main && !is_beside(name, value));
                Output::of_all(fields.get(main).into_iter().chain(beside), rest)
            }
            (_, _, response) => Output::of_all(response.into_iter().chain(beside), []),
        }
    }

    /// The parts that the function gave beside its response.
    fn beside(&self) -> Option<&'a Vec<Value>> {
        let parts = self.inner.get("parts").filter(|_| self.is_function());
        parts.and_then(Value::as_array)
    }

    /// What the function gave, or the code.
    fn response(&self) -> Option<&'a Value> {
        match self.is_function() {
            true => self.inner.get("response"),
            false => self.part.get(self.name),
        }
    }

    fn fields(&self) -> Option<&'a Map<String, Value>> {
        self.response()?.as_object()
    }

    /// Where in it the output is.
    fn main(&self) -> Option<&'static str> {
        let fields = self.fields()?;
        let said = |name: &&&str| fields.get(**name).is_some_and(|value| !value.is_null());
        MAIN.iter().find(said).copied()
    }

    fn is_function(&self) -> bool {
        self.name.starts_with("function")
    }
}

/// The first of the fields that the part has, and its value.
fn field<'a>(part: &'a Value, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
    let found = names
        .iter()
        .find_map(|name| Some((*name, part.get(*name)?)))?;
    found.1.is_object().then_some(found)
}

fn is_beside(name: &str, value: &Value) -> bool {
    BESIDE.contains(&name) && is_small(value)
}

const ANSWERS: &[&str] = &[
    "functionResponse",
    "function_response",
    "codeExecutionResult",
    "code_execution_result",
];

/// The fields of a response that stand for all of it.
const MAIN: &[&str] = &["output", "result", "error"];
