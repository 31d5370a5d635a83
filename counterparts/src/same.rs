//! Whether two sessions said the same: without what differs from run to run, and without what
//! the proxy is documented to change.

use regex::{Captures, Regex};
use serde_json::{Value, json};

/// What stands for the varying parts of a text.
#[derive(Debug)]
pub(crate) struct Steady {
    varying: Regex,
}

impl Steady {
    pub(crate) fn new() -> Result<Self, String> {
        let patterns = [
            r"\d{4}-\d\d-\d\dT[\d:.]+Z",
            r"\d\d?:\d\d:\d\d [AP]M",
            r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
            r"\b[0-9a-f]{32}\b",
            // `get_file_info`, as JavaScript prints times.
            r"[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} [\d:]+ GMT[^\\\n]*",
        ];
        let varying = Regex::new(&patterns.join("|")).map_err(|error| error.to_string())?;
        Ok(Self { varying })
    }

    pub(crate) fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => {
                let steady = self.varying.replace_all(text, |_: &Captures<'_>| "VARIES");
                steady.into_owned().into()
            }
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(name, member)| match name.as_str() {
                    // A time in base64.
                    "blob" => (name.clone(), "BLOB".into()),
                    _ => (name.clone(), self.value(member)),
                })
                .collect(),
            other => other.clone(),
        }
    }
}

/// Takes out of an answer what the proxy adds, and of the direct one what it removes.
pub(crate) fn without_ours(method: &str, message: &mut Value) {
    let result = &mut message["result"];
    match method {
        "tools/list" => {
            if let Some(tools) = result["tools"].as_array_mut() {
                tools.retain(|tool| !is_ours(tool["name"].as_str().unwrap_or_default()));
                for tool in tools.iter_mut().filter_map(Value::as_object_mut) {
                    tool.remove("outputSchema");
                }
            }
        }
        "resources/list" => drop_uris(&mut result["resources"], "uri"),
        "resources/templates/list" => drop_uris(&mut result["resourceTemplates"], "uriTemplate"),
        "initialize" => {
            // Where the server has none of its own, the proxy says it has.
            for name in ["tools", "resources"] {
                if result["capabilities"][name] == json!({}) {
                    let capabilities = result["capabilities"].as_object_mut();
                    capabilities.and_then(|capabilities| capabilities.remove(name));
                }
            }
        }
        _ => {}
    }
}

/// Whether the proxy may change the answer to this method.
pub(crate) fn is_edited(method: &str) -> bool {
    matches!(
        method,
        "initialize" | "tools/list" | "resources/list" | "resources/templates/list"
    )
}

fn drop_uris(items: &mut Value, name: &str) {
    if let Some(items) = items.as_array_mut() {
        items.retain(|item| !is_artifact(item[name].as_str().unwrap_or_default()));
    }
}

/// Whether a tool is one that the proxy adds.
pub(crate) fn is_ours(tool: &str) -> bool {
    tool.ends_with("_artifact") || tool.ends_with("_artifacts")
}

/// Whether a URI is one that the proxy answers itself.
pub(crate) fn is_artifact(uri: &str) -> bool {
    uri.starts_with("artifact://")
}

/// Where the proxy describes an artifact.
pub(crate) const META_KEY: &str = "dev.tool-artifacts/artifact";
