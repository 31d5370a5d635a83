//! Reading a conversation: an array, an object that holds one, one message a line, a transcript.

use serde_json::{Value, json};

use crate::failure::Failure;

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    pub(super) messages: Vec<Value>,
    /// Records of a transcript that are no messages.
    pub(super) records: u64,
    /// Bytes of a transcript's last line, which its writer did not complete.
    pub(super) torn_bytes: usize,
}

impl Conversation {
    /// Reads JSON values one after the other, each on one line or on several.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Failure> {
        let complete = without_torn_line(bytes);
        let mut conversation = Self {
            torn_bytes: bytes.len().saturating_sub(complete.len()),
            ..Self::default()
        };
        let mut values = serde_json::Deserializer::from_slice(complete).into_iter::<Value>();
        loop {
            let start = values.byte_offset();
            match values.next() {
                None => return Ok(conversation),
                Some(Ok(value)) => conversation.take(value, &|| line(complete, start))?,
                Some(Err(error)) => return Err(not_json(&error)),
            }
        }
    }

    /// Takes a value that begins on the line that `line` counts.
    fn take(&mut self, value: Value, line: &dyn Fn() -> usize) -> Result<(), Failure> {
        match value {
            Value::Array(messages) => {
                for (index, message) in messages.into_iter().enumerate() {
                    self.message(message, &|| {
                        format!(
                            "message {} of the array on line {}",
                            index.saturating_add(1),
                            line()
                        )
                    })?;
                }
                Ok(())
            }
            Value::Object(_) if is_record(&value) => {
                match value {
                    Value::Object(mut record) if record.get("type") == Some(&json!("message")) => {
                        self.messages.extend(record.remove("payload"));
                    }
                    _ => self.records = self.records.saturating_add(1),
                }
                Ok(())
            }
            Value::Object(ref body) if !is_message(&value) => {
                let conversation = ["messages", "input", "contents"]
                    .iter()
                    .find_map(|name| body.get(*name));
                let Some(conversation @ Value::Array(_)) = conversation else {
                    return Err(no_message(&format!("line {}", line()), &value));
                };
                for name in SYSTEM {
                    let system = body.get(name).filter(|system| !system.is_null());
                    let message = |content: &Value| match content.get("parts") {
                        Some(parts) => json!({"role": "system", "parts": parts}),
                        None => json!({"role": "system", "content": content}),
                    };
                    self.messages.extend(system.map(message));
                }
                self.take(conversation.clone(), line)
            }
            other => self.message(other, &|| format!("line {}", line())),
        }
    }

    fn message(&mut self, value: Value, place: &dyn Fn() -> String) -> Result<(), Failure> {
        if !is_message(&value) {
            return Err(no_message(&place(), &value));
        }
        self.messages.push(value);
        Ok(())
    }
}

/// The bytes without the last line, if they are a transcript whose last line has no end: whoever
/// wrote it was stopped (SPEC 5.7).
fn without_torn_line(bytes: &[u8]) -> &[u8] {
    let lines = || bytes.split_inclusive(|byte| *byte == b'\n');
    let first = lines().next().unwrap_or_default();
    let is_transcript = || serde_json::from_slice(first).is_ok_and(|line: Value| is_record(&line));
    match lines().next_back() {
        Some(last) if !last.ends_with(b"\n") && is_transcript() => {
            let complete = bytes.len().saturating_sub(last.len());
            bytes.get(..complete).unwrap_or_default()
        }
        _ => bytes,
    }
}

/// Whether a value is a line of a transcript.
fn is_record(value: &Value) -> bool {
    ["v", "type", "ts", "payload"]
        .iter()
        .all(|field| value.get(field).is_some())
}

/// Whether a value is a message or an item of a conversation.
fn is_message(value: &Value) -> bool {
    ["role", "type"]
        .iter()
        .any(|field| value.get(field).is_some_and(Value::is_string))
}

/// The line on which the value after the first `offset` bytes begins.
fn line(bytes: &[u8], offset: usize) -> usize {
    let (before, rest) = bytes.split_at_checked(offset).unwrap_or((bytes, &[]));
    let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
    let space = space.filter(|byte| **byte == b'\n').count();
    let lines = before.iter().filter(|byte| **byte == b'\n').count();
    lines.saturating_add(space).saturating_add(1)
}

fn no_message(place: &str, value: &Value) -> Failure {
    let what = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object without a role, a type, messages or input",
    };
    Failure::input(format!("{place} is {what}, not a message: {ADVICE}"))
}

fn not_json(error: &serde_json::Error) -> Failure {
    let place = format!("line {}, column {}", error.line(), error.column());
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or_default();
    Failure::input(match reason {
        "recursion limit exceeded" => format!(
            "{place}: arrays and objects within each other more than 127 deep: flatten that message"
        ),
        _ if reason.contains("surrogate") || reason.contains("hex escape") => {
            format!(
                "{place}: an escape such as \\ud83d without its other half: write \\ufffd for it"
            )
        }
        _ if error.is_eof() => format!("{place}: the input ends within a value: {ADVICE}"),
        _ => format!("{place} is not JSON ({reason}): {ADVICE}"),
    })
}

const ADVICE: &str =
    "give an array of messages, one message a line, a transcript, or what artifacts replay prints";

/// Where a request has what the system says.
const SYSTEM: [&str; 4] = [
    "system",
    "instructions",
    "systemInstruction",
    "system_instruction",
];
