//! Results of several parts: one text, and what is no text after it (SPEC 5.4).

use std::borrow::Cow;

use artifacts_core::{ContentType, Shape, decode_lossy};
use serde_json::{Value, json};

use crate::tool_result::Body;
use crate::{Ending, Error, ErrorKind, ToolResult, json};

impl ToolResult {
    /// A result of content parts as MCP and model providers spell them. The texts of all text
    /// parts are one text, joined without anything between; every other part passes unchanged,
    /// in order, after the observation.
    ///
    /// ```
    /// use loop_integration::{Ending, ToolResult};
    /// use serde_json::json;
    ///
    /// let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
    /// let result = ToolResult::of_parts(
    ///     Ending::Success,
    ///     [json!({"type": "text", "text": "a"}), image.clone(), json!({"type": "text", "text": "b"})],
    /// );
    /// assert_eq!(result.bytes(), b"ab");
    /// assert_eq!(result.parts(), [image]);
    /// ```
    #[must_use]
    pub fn of_parts(ending: Ending, parts: impl IntoIterator<Item = Value>) -> Self {
        let mut text = String::new();
        let mut others = Vec::new();
        for part in parts {
            match text_of(&part) {
                Some(piece) => text.push_str(piece),
                None => others.push(part),
            }
        }
        Self::ended(ending, text).with_parts(others)
    }

    /// The result of an MCP `tools/call`: its content parts, then its `structuredContent`, which
    /// is left out where the text says the same JSON already. `isError` makes it an error.
    ///
    /// ```
    /// use loop_integration::{Ending, ToolResult};
    /// use serde_json::json;
    ///
    /// let result = ToolResult::of_mcp(json!({
    ///     "content": [{"type": "text", "text": "{\"rows\": 2}"}],
    ///     "structuredContent": {"rows": 2},
    ///     "isError": true,
    /// }))?;
    /// assert_eq!(result.bytes(), b"{\"rows\": 2}");
    /// assert_eq!(result.ending(), Ending::Error);
    /// # Ok::<(), loop_integration::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Message`] for a value that is no object, or whose `content` is no array.
    pub fn of_mcp(result: Value) -> Result<Self, Error> {
        let Value::Object(mut fields) = result else {
            return Err(refused("it is no object"));
        };
        let parts = match fields.remove("content") {
            Some(Value::Array(parts)) => parts,
            None => Vec::new(),
            Some(_) => return Err(refused("its content is no array")),
        };
        let ending = match fields.get("isError") {
            Some(Value::Bool(true)) => Ending::Error,
            _ => Ending::Success,
        };
        let settled = Self::of_parts(ending, parts);
        match fields.remove("structuredContent") {
            None | Some(Value::Null) => Ok(settled),
            Some(structured) => Ok(settled.with_structured(&structured)),
        }
    }

    /// Adds structured content to the text, unless the text says the same JSON.
    fn with_structured(self, structured: &Value) -> Self {
        let is_said = match &self.body {
            Body::Text(text) => {
                serde_json::from_str(text).is_ok_and(|said: Value| said == *structured)
            }
            Body::Bytes(_) => false,
        };
        match is_said {
            true => self,
            false => self.with_json(structured),
        }
    }

    /// Adds JSON to the text, on a line of its own.
    fn with_json(mut self, value: &Value) -> Self {
        let bytes = self.bytes();
        let line_end = match bytes.is_empty() || bytes.ends_with(b"\n") {
            true => "",
            false => "\n",
        };
        if bytes.is_empty() {
            self.content = ContentType::Json;
        } else if matches!(self.body, Body::Text(_)) {
            self.content = ContentType::Text;
        }
        let line = [line_end, &crate::replay::sorted(value)].concat();
        match &mut self.body {
            Body::Text(text) => text.push_str(&line),
            Body::Bytes(bytes) => bytes.extend_from_slice(line.as_bytes()),
        }
        self
    }

    /// Puts the JSON text of a part in its place where it is nested deeper than a transcript can
    /// hold.
    pub(crate) fn with_shallow_parts(mut self) -> Self {
        for part in &mut self.parts {
            if json::is_too_deep(part) {
                *part = json!({"type": "text", "text": json::text(part)});
            }
        }
        self
    }

    /// Serialized bytes of the parts that count: those of no known media type.
    pub(crate) fn counted_part_bytes(&self) -> u64 {
        let counted = self.parts.iter().filter(|part| !is_media(part));
        counted.map(size).fold(0, u64::saturating_add)
    }

    /// Joins the embedded resources of text to the text, as JSON, where all texts together are
    /// over the limit, so that they are stored and cut with it.
    pub(crate) fn with_large_texts_joined(mut self, shape: Option<&Shape>) -> Self {
        let mut embedded = self.parts.iter().filter_map(embedded_text);
        let limit = match shape.map(Shape::limit) {
            Some(limit) if embedded.any(|text| !text.is_empty()) => limit,
            _ => return self,
        };
        let text = match &self.body {
            Body::Text(text) => Cow::Borrowed(text.as_str()),
            Body::Bytes(bytes) => decode_lossy(bytes),
        };
        let embedded = self.parts.iter().filter_map(embedded_text);
        let together = std::iter::once(&*text).chain(embedded);
        let bytes = together.clone().map(|text| text.len() as u64).sum::<u64>();
        let fits = bytes <= limit.amount().min(limit.byte_ceiling());
        if fits || limit.fits(&together.collect::<String>()) {
            return self;
        }
        let is_embedded = |part: &Value| embedded_text(part).is_some();
        let (embedded, others) = self.parts.into_iter().partition::<Vec<_>, _>(is_embedded);
        self.parts = others;
        embedded.iter().fold(self, Self::with_json)
    }
}

/// The text of an embedded resource.
fn embedded_text(part: &Value) -> Option<&str> {
    part.pointer("/resource/text").and_then(Value::as_str)
}

/// The text of a text part.
fn text_of(part: &Value) -> Option<&str> {
    match part.get("type")?.as_str()? {
        "text" | "input_text" | "output_text" => part.get("text")?.as_str(),
        _ => None,
    }
}

/// Parts that a model is shown as what they are, not as text.
pub(crate) fn is_media(part: &Value) -> bool {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "resource" => part.pointer("/resource/blob").is_some(),
        _ => MEDIA.contains(&kind),
    }
}

fn size(part: &Value) -> u64 {
    crate::replay::sorted(part).len() as u64
}

fn refused(why: &str) -> Error {
    Error::new(
        ErrorKind::Message,
        format!("not the result of an MCP tools/call: {why}"),
    )
}

/// The types of parts that do not count as text.
const MEDIA: [&str; 8] = [
    "image",
    "audio",
    "image_url",
    "input_image",
    "input_audio",
    "input_file",
    "document",
    "file",
];
