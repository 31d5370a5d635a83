//! Stored artifacts as MCP resources, beside the server's own.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use artifacts_core::Limit;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use serde_json::json;
use serde_json::value::RawValue;

use crate::catalog::is_last;
use crate::json::{self, Members};
use crate::kept::Kept;
use crate::payload::META_KEY;

/// The artifacts of one directory, and what the server has under URIs that begin as theirs do.
#[derive(Debug)]
pub(crate) struct Resources {
    kept: Kept,
    limit: Limit,
    servers: Mutex<Servers>,
}

/// What the server lists.
#[derive(Debug, Default)]
struct Servers {
    uris: BTreeSet<String>,
    has_template: bool,
}

impl Resources {
    pub(crate) fn new(kept: Kept, limit: Limit) -> Self {
        let servers = Mutex::default();
        Self {
            kept,
            limit,
            servers,
        }
    }

    /// Whether the URI names one of the artifacts, and nothing of the server's.
    pub(crate) fn has(&self, uri: &str) -> bool {
        let Some(address) = uri.strip_prefix(SCHEME) else {
            return false;
        };
        let may_be_another = {
            let servers = self.servers();
            if servers.uris.contains(uri) {
                return false;
            }
            servers.has_template
        };
        let (name, _) = parts(address);
        // A name that was given to an artifact may be one that the server has, too.
        let found = self.kept.find(name);
        found.is_ok_and(|found| !may_be_another || found.artifact().name().as_str() == name)
    }

    /// Why nothing is found under the URI.
    pub(crate) fn missing(&self, uri: &str) -> Option<String> {
        let (name, _) = parts(uri.strip_prefix(SCHEME)?);
        self.kept.find(name).err().map(|why| why.to_string())
    }

    /// The result of `resources/read`, or why there is none.
    ///
    /// A client may hand a resource to its model, so a plain read is bounded as tool results are:
    /// over the limit it is the first page, and the URI of the next. `?whole` reads all of it.
    pub(crate) fn read(&self, uri: &str) -> Result<Box<RawValue>, String> {
        let (name, part) = parts(uri.strip_prefix(SCHEME).unwrap_or_default());
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
        let servers = texts(result, "resources", "uri");
        let mut known = self.servers();
        for uri in servers.filter(|uri| uri.starts_with(SCHEME)) {
            if known.uris.len() < MOST_KNOWN {
                known.uris.insert(uri);
            }
        }
        drop(known);
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
        let known = self.servers();
        let added = artifacts.iter().filter_map(|artifact| {
            let name = artifact.name.as_str();
            let uri = format!("{SCHEME}{name}");
            if known.uris.contains(&uri) {
                return None;
            }
            Some(json::value(&json!({
                "uri": uri,
                "name": name,
                "description": "The full result of a tool call",
                "mimeType": artifact.name.content_type().media_type(),
                "size": artifact.bytes,
            })))
        });
        with_items(result, "resources", added.take(MOST_LISTED))
    }

    /// The result of `resources/templates/list` with the template of the artifacts on its last
    /// page.
    pub(crate) fn with_template(&self, result: &Members<'_>) -> Option<Box<RawValue>> {
        let mut templates = texts(result, "resourceTemplates", "uriTemplate");
        if templates.any(|template| template.starts_with(SCHEME)) {
            self.servers().has_template = true;
        }
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

    fn servers(&self) -> MutexGuard<'_, Servers> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name and what part of it is asked for.
fn parts(address: &str) -> (&str, Option<&str>) {
    match address.split_once('?') {
        Some((name, part)) => (name, Some(part)),
        None => (address, None),
    }
}

/// A text member of each item in a list of the result.
fn texts<'r>(
    result: &'r Members<'_>,
    list: &str,
    member: &'static str,
) -> impl Iterator<Item = String> + use<'r> {
    let items = result.get(list).and_then(json::objects).unwrap_or_default();
    let text = move |item: Members<'r>| item.text(member).map(Cow::into_owned);
    items.into_iter().filter_map(text)
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

/// So many of the server's resources are told from artifacts.
const MOST_KNOWN: usize = 65_536;

/// A client that shows a list shows the newest; all can be read.
const MOST_LISTED: usize = 1_000;
