//! The policy file: what happens to the results of each tool.

use std::collections::BTreeMap;
use std::sync::Arc;

use artifacts_core::Shape;
use loop_integration::Policy;
use serde_json::Value;

use crate::{Error, Host};

/// Policies by tool, read from a JSON file.
///
/// ```
/// use artifacts_mcp::{Host, PolicyFile};
///
/// let text = r#"{"limit": 6000, "tools": {"export": "raw", "tail_log": {"limit": 2000}}}"#;
/// let policies = PolicyFile::parse(text, Host::Codex, Host::Codex.shape())?;
/// assert_eq!(policies.default_policy().shape().unwrap().limit().amount(), 6_000);
/// # Ok::<(), artifacts_mcp::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct PolicyFile {
    default_policy: Policy,
    tools: BTreeMap<Arc<str>, Policy>,
}

impl PolicyFile {
    /// One policy for every tool.
    #[must_use]
    pub fn uniform(default_policy: Policy) -> Self {
        Self {
            default_policy,
            tools: BTreeMap::new(),
        }
    }

    /// Reads `{"limit": N, "tools": {"NAME": "exempt" | "raw" | {"limit": N}}}`; both members may
    /// be left out, the limit for that of `shape`. Limits are in graphemes, and bound the bytes in
    /// proportion to what `host` cuts.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Policy`](crate::ErrorKind::Policy) naming the member that is wrong.
    pub fn parse(text: &str, host: Host, shape: Shape) -> Result<Self, Error> {
        let text = text.trim_start_matches('\u{FEFF}');
        let file = serde_json::from_str::<Value>(text)
            .map_err(|error| Error::policy(format!("the policy file is no JSON: {error}")))?;
        let Value::Object(members) = file else {
            return Err(Error::policy("the policy file must hold one JSON object"));
        };
        if let Some(name) = members.keys().find(|name| !KNOWN.contains(&name.as_str())) {
            return Err(Error::policy(format!(
                "the policy file has no member {name:?}: use limit and tools"
            )));
        }
        let shape = match members.get("limit") {
            Some(limit) => limited("limit", limit, host)?,
            None => shape,
        };
        let mut file = Self::uniform(Policy::limited(shape));
        let none = serde_json::Map::new();
        let tools = match members.get("tools") {
            None => &none,
            Some(Value::Object(tools)) => tools,
            Some(_) => return Err(Error::policy("tools must be an object by tool name")),
        };
        for (name, said) in tools {
            let policy = match said {
                Value::String(word) if word == "exempt" => Policy::exempt(),
                Value::String(word) if word == "raw" => Policy::raw(shape),
                Value::Object(tool) if tool.len() == 1 && tool.contains_key("limit") => {
                    let limit = tool.get("limit").unwrap_or(&Value::Null);
                    Policy::limited(limited(&format!("limit of {name}"), limit, host)?)
                }
                _ => {
                    return Err(Error::policy(format!(
                        "the policy of {name:?} must be \"exempt\", \"raw\" or {{\"limit\": N}}"
                    )));
                }
            };
            file.tools.insert(name.as_str().into(), policy);
        }
        Ok(file)
    }

    /// The policy of a tool that has none of its own.
    #[must_use]
    pub fn default_policy(&self) -> Policy {
        self.default_policy
    }

    /// The policy of the tool of this name.
    #[must_use]
    pub fn policy_of(&self, tool: &str) -> Policy {
        self.tools.get(tool).copied().unwrap_or(self.default_policy)
    }

    /// The tools whose own limit is above the cap of `host`, each with what to set.
    #[must_use]
    pub fn above_cap(&self, host: Host) -> Vec<(&str, artifacts_core::Error)> {
        let checked = self.tools.iter().filter_map(|(name, policy)| {
            // A raw result passes whole: that is what it is for.
            let shape = policy.shape().filter(|_| !policy.passes_whole())?;
            Some((name.as_ref(), host.check(shape).err()?))
        });
        checked.collect()
    }

    /// The policies of tools that have their own.
    pub(crate) fn tools(&self) -> &BTreeMap<Arc<str>, Policy> {
        &self.tools
    }
}

fn limited(what: &str, limit: &Value, host: Host) -> Result<Shape, Error> {
    let amount = limit.as_u64().unwrap_or(0);
    match host.limited(amount) {
        Ok(shape) => Ok(shape),
        Err(_) => Err(Error::policy(format!(
            "the {what} must be a whole number of at least 1"
        ))),
    }
}

const KNOWN: [&str; 2] = ["limit", "tools"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_may_have_its_own() {
        let text = r#"{"limit": 100, "tools": {"a": "exempt", "b": "raw", "c": {"limit": 7}}}"#;
        let file = PolicyFile::parse(text, Host::Generic, Shape::excerpt()).unwrap();
        let told = file.tools().iter().map(|(name, policy)| {
            let limit = policy.shape().map(|shape| shape.limit().amount());
            format!("{name} {} {limit:?}", policy.name())
        });
        let expected = ["a exempt None", "b raw Some(100)", "c limited Some(7)"];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_limit_bounds_bytes_as_the_host_does_whatever_the_other_limits_are() {
        let text = r#"{"limit": 100, "tools": {"a": {"limit": 8000}}}"#;
        for host in Host::ALL {
            let file = PolicyFile::parse(text, host, host.limited(1).unwrap()).unwrap();
            let policy = Policy::limited(host.limited(8_000).unwrap());
            assert_eq!(file.policy_of("a"), policy);
            assert_eq!(file.policy_of("b"), file.default_policy());
            assert!(file.above_cap(host).is_empty());
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_mistake() {
        let file = PolicyFile::parse("\u{FEFF}{}", Host::Generic, Shape::excerpt()).unwrap();
        assert_eq!(file.default_policy(), Policy::limited(Shape::excerpt()));
    }

    #[test]
    fn mistakes_are_named() {
        let mistakes = [
            "[",
            "[]",
            r#"{"limits": 1}"#,
            r#"{"limit": 0}"#,
            r#"{"limit": "1"}"#,
        ];
        let in_tools = [
            r#"{"tools": []}"#,
            r#"{"tools": {"a": "whole"}}"#,
            r#"{"tools": {"a": {"limit": -1}}}"#,
            r#"{"tools": {"a": {"limt": 1}}}"#,
        ];
        let told = mistakes.iter().chain(&in_tools).map(|text| {
            let error = PolicyFile::parse(text, Host::Generic, Shape::excerpt()).unwrap_err();
            format!("{text}\n    {error}")
        });
        insta::assert_snapshot!("policy_mistakes", told.collect::<Vec<_>>().join("\n"));
    }
}
