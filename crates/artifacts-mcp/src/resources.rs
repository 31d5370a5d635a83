//! Stored artifacts as MCP resources, beside the server's own.

use artifacts_core::Limit;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde_json::json;
use serde_json::value::RawValue;

use crate::catalog::is_last;
use crate::json::{self, Members};
use crate::kept::Kept;
use crate::payload::META_KEY;

/// The artifacts of one directory.
#[derive(Debug)]
pub(crate) struct Resources {
    kept: Kept,
    limit: Limit,
}

impl Resources {
    pub(crate) fn new(kept: Kept, limit: Limit) -> Self {
        Self { kept, limit }
    }

    /// The result of `resources/read`, or why there is none.
    ///
    /// A client may hand a resource to its model, so a plain read is bounded as tool results are:
    /// over the limit it is the first page, and the URI of the next. `?whole` reads all of it.
    pub(crate) fn read(&self, uri: &str) -> Result<Box<RawValue>, String> {
        let address = uri.strip_prefix(SCHEME).unwrap_or_default();
        let (name, part) = match address.split_once('?') {
            Some((name, part)) => (name, Some(part)),
            None => (address, None),
        };
        let found = self.kept.find(name);
        let found = found.map_err(|unknown| unknown.to_string())?;
        let artifact = found.artifact();
        let opened = self
            .kept
            .store()
            .open_artifact(artifact)
            .map_err(|error| error.to_string())?;
        let start = match part {
            None | Some("whole") => 0,
            Some(part) => {
                let start = part
                    .strip_prefix("from=")
                    .and_then(|start| start.parse().ok());
                start.ok_or("the part of an artifact is ?from=BYTE or ?whole")?
            }
        };
        let most = match part {
            Some("whole") => opened.bytes(),
            _ => self.limit.amount().min(self.limit.byte_ceiling()),
        };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let page = opened
            .page(start..opened.bytes(), most)
            .map_err(|error| error.to_string())?;
        let media_type = artifact.name().content_type().media_type();
        let mut content = match std::str::from_utf8(page.bytes()) {
            Ok(text) => json!({"uri": uri, "mimeType": media_type, "text": text}),
            Err(_) => {
                json!({"uri": uri, "mimeType": media_type, "blob": BASE64.encode(page.bytes())})
            }
        };
        if let (Some(next), Some(members)) = (page.next(), content.as_object_mut()) {
            let next = json!({
                "bytes": opened.bytes(),
                "next": format!("{SCHEME}{}?from={next}", artifact.name().as_str()),
            });
            members.insert("_meta".into(), json!({ META_KEY: next }));
        }
        Ok(json::value(&json!({"contents": [content]})))
    }

    /// The result of `resources/list` with the artifacts on its last page, newest first; `None` if
    /// there is nothing to add.
    pub(crate) fn listed(&self, result: &Members<'_>) -> Option<Box<RawValue>> {
        if !is_last(result) {
            return None;
        }
        let mut artifacts = self.kept.store().list().unwrap_or_default();
        if artifacts.is_empty() {
            return None;
        }
        artifacts.sort_by(|a, b| {
            b.modified
                .cmp(&a.modified)
                .then_with(|| a.name.cmp(&b.name))
        });
        let added = artifacts.iter().take(MOST_LISTED).map(|artifact| {
            let name = artifact.name.as_str();
            json::value(&json!({
                "uri": format!("{SCHEME}{name}"),
                "name": name,
                "description": "The full result of a tool call",
                "mimeType": artifact.name.content_type().media_type(),
                "size": artifact.bytes,
            }))
        });
        with_items(result, "resources", added)
    }
}

/// The result of `resources/templates/list` with the template of the artifacts on its last page.
pub(crate) fn with_template(result: &Members<'_>) -> Option<Box<RawValue>> {
    if !is_last(result) {
        return None;
    }
    let template = json!({
        "uriTemplate": format!("{SCHEME}{{name}}{{?from}}"),
        "name": "artifact",
        "description": "A stored tool result, from its beginning or from a byte on",
    });
    with_items(result, "resourceTemplates", [json::value(&template)])
}

fn with_items(
    result: &Members<'_>,
    name: &'static str,
    added: impl IntoIterator<Item = Box<RawValue>>,
) -> Option<Box<RawValue>> {
    let items = match result.get(name) {
        Some(items) => json::items(items)?,
        None => Vec::new(),
    };
    let added = added.into_iter().collect::<Vec<_>>();
    let all = items.into_iter().chain(added.iter().map(AsRef::as_ref));
    let mut result = result.clone();
    result.set(name, json::array(all));
    Some(result.to_raw())
}

/// How the URI of an artifact begins.
pub(crate) const SCHEME: &str = "artifact://";

/// A client that shows a list shows the newest; all can be read.
const MOST_LISTED: usize = 1_000;
