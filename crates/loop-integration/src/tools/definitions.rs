//! What is registered for each tool: name, description, JSON Schema.
//!
//! The schemas are constants: six small objects need no derivation at run time, and a crate that
//! derives them would reach every user of this one. A test holds each schema against the
//! arguments that the tool takes.

use serde_json::{Value, json};

/// A tool as it is registered with a model, in any framework.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    name: String,
    description: &'static str,
    input_schema: Value,
}

impl ToolDefinition {
    /// The name to call it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model is told of it.
    #[must_use]
    pub fn description(&self) -> &str {
        self.description
    }

    /// The JSON Schema (draft 2020-12) of its arguments.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        &self.input_schema
    }
}

/// How the names of the tools are spelt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Naming {
    /// `read_artifact`.
    #[default]
    SnakeCase,
    /// `readArtifact`, as goes with the pointer rendering.
    CamelCase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Read,
    Search,
    Expand,
    List,
    Get,
    Store,
}

impl Tool {
    pub(super) const ALL: [Self; 6] = [
        Self::Read,
        Self::Search,
        Self::Expand,
        Self::List,
        Self::Get,
        Self::Store,
    ];

    pub(super) fn name(self, naming: Naming) -> &'static str {
        let (snake, camel) = match self {
            Self::Read => ("read_artifact", "readArtifact"),
            Self::Search => ("search_artifact", "searchArtifact"),
            Self::Expand => ("expand_artifact", "expandArtifact"),
            Self::List => ("list_artifacts", "listArtifacts"),
            Self::Get => ("get_artifact", "getArtifact"),
            Self::Store => ("store_artifact", "storeArtifact"),
        };
        match naming {
            Naming::SnakeCase => snake,
            Naming::CamelCase => camel,
        }
    }

    /// Names of properties are spelt as those of tools.
    pub(super) fn define(self, name: String, naming: Naming) -> ToolDefinition {
        let (description, required, mut properties) = match self {
            Self::Read => (READ, json!(["name"]), read_properties()),
            Self::Search => (SEARCH, json!(["name", "pattern"]), search_properties()),
            Self::Expand => (EXPAND, json!(["name", "question"]), expand_properties()),
            Self::List => (LIST, json!([]), json!({"from": from_property()})),
            Self::Get => (GET, json!(["name"]), json!({"name": name_property()})),
            Self::Store => (STORE, json!(["content"]), store_properties()),
        };
        if let (Naming::CamelCase, Value::Object(fields)) = (naming, &mut properties) {
            let renamed = std::mem::take(fields).into_iter();
            *fields = renamed.map(|(name, field)| (camel(&name), field)).collect();
        }
        ToolDefinition {
            name,
            description,
            input_schema: json!({
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            }),
        }
    }
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let capital = letters.next().map(|c| c.to_ascii_uppercase());
        name + &String::from_iter(capital) + letters.as_str()
    })
}

fn read_properties() -> Value {
    json!({
        "name": name_property(),
        "lines": {
            "type": "string",
            "description": "Lines to read, counted from 1, both ends included: \"10-20\", \"10-\" or \"10\".",
        },
        "bytes": {
            "type": "string",
            "description": "Bytes to read, as offsets from 0, both ends included: \"0-4095\" or \"4096-\".",
        },
        "chars": {
            "type": "string",
            "description": "Characters to read, as offsets from 0, both ends included.",
        },
        "from_end": {
            "type": "boolean",
            "description": "Count from the end: lines \"1-10\" are then the last ten.",
        },
        "encoding": {
            "type": "string",
            "enum": ["text", "base64"],
            "description": "How the bytes are shown. Text is the default; base64 is exact for any bytes.",
        },
        "describe": {
            "type": "boolean",
            "description": "Tell type, size, number of lines, longest line and JSON shape instead of reading.",
        },
    })
}

fn search_properties() -> Value {
    json!({
        "name": name_property(),
        "pattern": {
            "type": "string",
            "description": "A regular expression, without look-around and back-references. ^ and $ match at line edges.",
        },
        "ignore_case": {
            "type": "boolean",
            "description": "Match letters of either case.",
        },
        "context": {
            "type": "integer",
            "minimum": 0,
            "description": "Lines to show before and after each match; 0 by default, at most 20.",
        },
        "max_matches": {
            "type": "integer",
            "minimum": 1,
            "description": "Matches to show; 20 by default, at most 200. The total is told in any case.",
        },
        "bytes": {
            "type": "string",
            "description": "Bytes to search, as offsets from 0: \"4096-\" goes on from there.",
        },
    })
}

fn expand_properties() -> Value {
    json!({
        "name": name_property(),
        "question": {
            "type": "string",
            "description": "What you want to know, in words that may occur in the text.",
        },
        "passages": {
            "type": "integer",
            "minimum": 1,
            "description": "Passages to show; 3 by default, at most 20.",
        },
    })
}

fn store_properties() -> Value {
    json!({
        "content": {
            "type": "string",
            "description": "The text to keep.",
        },
        "name": {
            "type": "string",
            "maxLength": crate::resolve::MAX_ALIAS_BYTES,
            "description": "A name to find it by. A name that was used before refers to the newest.",
        },
        "media_type": {
            "type": "string",
            "description": "What the text is, text/plain by default.",
        },
    })
}

fn name_property() -> Value {
    json!({
        "type": "string",
        "description": "The file name that stands in the result, or a name given when storing.",
    })
}

fn from_property() -> Value {
    json!({
        "type": "integer",
        "minimum": 1,
        "description": "The number of the first artifact to list; 1 by default.",
    })
}

const READ: &str = "Reads a stored tool result: all of it page by page, or the lines, bytes or characters you name. \
The first line of the answer tells which bytes follow and which call reads on.";
const SEARCH: &str = "Finds a regular expression in a stored tool result. Shows the first matches with their line \
numbers and byte offsets, and how many there are in all.";
const EXPAND: &str = "Shows the passages of a stored tool result that best fit a question.";
const LIST: &str = "Lists the stored results of this run, oldest first.";
const GET: &str =
    "Shows a stored result from its start: all of it if it is small, else the first page.";
const STORE: &str = "Keeps a text so that it can be read back later.";
