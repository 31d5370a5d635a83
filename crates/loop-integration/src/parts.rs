//! Results of several parts: one text, and what is no text after it (SPEC 5.4).

use artifacts_core::{ContentType, Shape};
use serde_json::Value;

use crate::tool_result::Body;
use crate::{Ending, Error, ErrorKind, ToolResult};

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
    fn with_structured(mut self, structured: &Value) -> Self {
        let Body::Text(text) = &mut self.body else {
            return self;
        };
        if serde_json::from_str::<Value>(text).is_ok_and(|said| said == *structured) {
            return self;
        }
        let json = crate::replay::sorted(structured);
        if text.is_empty() {
            self.content = ContentType::Json;
        } else if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&json);
        self
    }

    /// Serialized bytes of the parts that count: those of no known media type.
    pub(crate) fn counted_part_bytes(&self) -> u64 {
        let counted = self.parts.iter().filter(|part| !is_media(part));
        counted.map(size).fold(0, u64::saturating_add)
    }

    /// Joins embedded resources whose text is over the limit to the text, as JSON, so that they
    /// are stored and cut with it.
    pub(crate) fn with_large_texts_joined(mut self, shape: Option<&Shape>) -> Self {
        let Some(limit) = shape.map(Shape::limit) else {
            return self;
        };
        let is_large = |part: &Value| {
            let text = part.pointer("/resource/text").and_then(Value::as_str);
            text.is_some_and(|text| !limit.fits(text))
        };
        if !self.parts.iter().any(is_large) {
            return self;
        }
        let (large, others) = self.parts.into_iter().partition(is_large);
        self.parts = others;
        large.iter().fold(self, Self::with_structured)
    }
}

/// The text of a text part.
fn text_of(part: &Value) -> Option<&str> {
    match part.get("type")?.as_str()? {
        "text" | "input_text" | "output_text" => part.get("text")?.as_str(),
        _ => None,
    }
}

/// Parts that a model is shown as what they are, not as text.
fn is_media(part: &Value) -> bool {
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
