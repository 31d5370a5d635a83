//! What the server says it can do, with what the proxy adds.

use serde_json::value::RawValue;

use crate::json::{self, Members};

/// The result of `initialize` or `server/discover` with tools and resources among the
/// capabilities; `None` if both are there already.
pub(crate) fn added(result: &Members<'_>) -> Option<Box<RawValue>> {
    let mut capabilities = Members::of(result.get("capabilities")?)?;
    let mut changed = false;
    for name in ["tools", "resources"] {
        if capabilities.get(name).is_none() {
            capabilities.set(name, json::value(&serde_json::json!({})));
            changed = true;
        }
    }
    let mut result = result.clone();
    result.set("capabilities", capabilities.to_raw());
    changed.then(|| result.to_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_missing_is_added() {
        let check = |text: &str| {
            let result = Members::parse(text).unwrap();
            added(&result).map(|raw| raw.get().to_owned())
        };
        assert_eq!(
            check(r#"{"capabilities":{"tools":{"x":1},"resources":{}}}"#),
            None
        );
        assert_eq!(
            check(r#"{"a":1.0,"capabilities":{"tools":{"x":1}},"b":2}"#).unwrap(),
            r#"{"a":1.0,"capabilities":{"tools":{"x":1},"resources":{}},"b":2}"#
        );
        assert_eq!(check("{}"), None);
    }
}
