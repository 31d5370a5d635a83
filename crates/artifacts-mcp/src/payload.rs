//! A `tools/call` result: what of it the model reads, and the result that says it shorter.

use std::borrow::Cow;

use artifacts_core::ContentType;
use loop_integration::{Ending, Kept, Operation, Settled, Settler, ToolResult};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::calls::TextSize;
use crate::json::{self, Members};
use crate::resources::SCHEME;
use crate::structured::{Relation, relation};

/// The `_meta` key that describes the artifact of a result. In `structuredContent` it would hide
/// the excerpt: clients show that instead of `content` where both are there.
pub const META_KEY: &str = "dev.tool-artifacts/artifact";

/// A settled result.
#[derive(Debug)]
pub(crate) struct Settlement {
    /// The `result` or the `error` to send instead, if it is another.
    pub(crate) result: Option<Box<RawValue>>,
    pub(crate) returned: TextSize,
    pub(crate) shown: TextSize,
    pub(crate) kept: Kept,
    /// The text shown instead, if the result was over its limit.
    pub(crate) observation: Option<String>,
}

/// Settles a `tools/call` result: its parts are one budget (SPEC 5.4). `None` if there is nothing
/// to settle.
pub(crate) fn settle(
    result: &Members<'_>,
    settler: &Settler,
    operation: &Operation,
) -> Option<Settlement> {
    if result
        .text("resultType")
        .is_some_and(|kind| kind != "complete")
    {
        return None;
    }
    let mut blocks = Blocks::of(result)?;
    let body = blocks.take_body();
    let returned = TextSize::of(&body.text);
    let ending = match result.get("isError").map(RawValue::get) {
        Some("true") => Ending::Error,
        _ => Ending::Success,
    };
    let outcome = ToolResult::ended(ending, body.text).with_content_type(body.content);
    let settled = settler.settle(operation, outcome);
    let is_whole = settled.elided() == 0;
    let mut changed = result.clone();
    if !is_whole {
        changed.set("content", blocks.with(settled.observation()));
        changed.remove("structuredContent");
    }
    let is_same = is_whole && settled.artifact().is_none();
    if !is_same {
        changed.set("_meta", with_meta(result.get("_meta"), &describe(&settled)));
    }
    Some(Settlement {
        result: (!is_same).then(|| changed.to_raw()),
        returned,
        shown: if is_whole {
            returned
        } else {
            TextSize::of(settled.observation())
        },
        kept: settled.kept().clone(),
        observation: (!is_whole).then(|| settled.observation().to_owned()),
    })
}

/// Settles the text of a JSON-RPC error, which a model reads as well (SPEC 5.3).
pub(crate) fn settle_error(
    error: &Members<'_>,
    settler: &Settler,
    operation: &Operation,
) -> Option<Settlement> {
    let mut text = error.text("message")?.into_owned();
    if let Some(data) = error.get("data") {
        text.push('\n');
        text.push_str(&json::text_of(data).unwrap_or(Cow::Borrowed(data.get())));
    }
    let returned = TextSize::of(&text);
    let settled = settler.settle(operation, ToolResult::error(text));
    let is_whole = settled.elided() == 0;
    let mut changed = error.clone();
    changed.set("message", json::string(settled.observation()));
    changed.set(
        "data",
        json::value(&json!({ META_KEY: describe(&settled) })),
    );
    Some(Settlement {
        result: (!is_whole).then(|| changed.to_raw()),
        returned,
        shown: if is_whole {
            returned
        } else {
            TextSize::of(settled.observation())
        },
        kept: settled.kept().clone(),
        observation: (!is_whole).then(|| settled.observation().to_owned()),
    })
}

/// The content blocks of a result.
struct Blocks<'a> {
    content: Option<&'a RawValue>,
    blocks: Vec<Block<'a>>,
    texts: Vec<Cow<'a, str>>,
    structured: Option<&'a RawValue>,
}

/// A block, and what of it is text.
struct Block<'a> {
    members: Members<'a>,
    kind: BlockKind,
}

enum BlockKind {
    Text,
    /// A text resource, with its URI.
    Resource(String),
    /// Passes as it is.
    Other,
}

/// What is measured, cut and stored.
struct Body {
    text: String,
    content: ContentType,
}

impl<'a> Blocks<'a> {
    fn of(result: &'a Members<'_>) -> Option<Self> {
        let content = result.get("content");
        let members = match content {
            Some(content) => blocks_of(content)?,
            None => Vec::new(),
        };
        let structured = result
            .get("structuredContent")
            .filter(|value| value.get() != "null");
        let mut all = Self {
            content,
            blocks: Vec::with_capacity(members.len()),
            texts: Vec::new(),
            structured,
        };
        for members in members {
            let (kind, text) = Block::read(&members);
            all.texts.extend(text);
            all.blocks.push(Block { members, kind });
        }
        Some(all)
    }

    fn take_body(&mut self) -> Body {
        let texts = std::mem::take(&mut self.texts);
        let Some(json) = self.structured else {
            let text = self.joined(texts);
            let content = ContentType::Text;
            return Body { text, content };
        };
        let (text, content) = match relation(&texts, json) {
            Relation::Same => (self.joined(texts), ContentType::Text),
            Relation::HoldsText => (json.get().to_owned(), ContentType::Json),
            Relation::Apart => {
                let text = self.joined(texts);
                (text + "\n" + json.get(), ContentType::Text)
            }
        };
        Body { text, content }
    }

    /// The texts in order, one line feed between two. A resource is introduced by its URI.
    fn joined(&self, texts: Vec<Cow<'_, str>>) -> String {
        let kinds = self.blocks.iter().map(|block| &block.kind);
        let kinds = kinds.filter(|kind| !matches!(kind, BlockKind::Other));
        let mut joined = String::new();
        for (text, kind) in texts.into_iter().zip(kinds) {
            if !joined.is_empty() {
                joined.push('\n');
            }
            match kind {
                BlockKind::Resource(uri) => joined.push_str(&format!("[resource {uri}]\n")),
                // The first text is taken as it is: it may be all there is.
                _ if joined.is_empty() => {
                    joined = text.into_owned();
                    continue;
                }
                _ => {}
            }
            joined.push_str(&text);
        }
        joined
    }

    /// The blocks with `observation` where the first text was; what is no text stays in place,
    /// byte for byte.
    fn with(&self, observation: &str) -> Box<RawValue> {
        let is_other = |block: &Block<'_>| matches!(block.kind, BlockKind::Other);
        let as_they_came = match self.content {
            Some(content) if self.blocks.iter().any(is_other) => json::items(content),
            _ => None,
        };
        let as_they_came = as_they_came.unwrap_or_default();
        let mut said = Some(observation);
        let mut blocks = Vec::<Cow<'_, RawValue>>::new();
        for (index, block) in self.blocks.iter().enumerate() {
            if is_other(block) {
                blocks.extend(as_they_came.get(index).map(|raw| Cow::Borrowed(*raw)));
            } else if let Some(observation) = said.take() {
                blocks.push(Cow::Owned(block.saying(observation)));
            }
        }
        if let Some(observation) = said {
            blocks.insert(0, Cow::Owned(text_block(observation).to_raw()));
        }
        json::array(blocks.iter().map(AsRef::as_ref))
    }
}

/// The members of each block. What is no object has none, and passes as it is.
fn blocks_of(content: &RawValue) -> Option<Vec<Members<'_>>> {
    // Nearly always they are objects, whose text is then gone over once less.
    json::objects(content).or_else(|| {
        let items = json::items(content)?.into_iter();
        Some(
            items
                .map(|item| Members::of(item).unwrap_or_default())
                .collect(),
        )
    })
}

impl<'a> Block<'a> {
    fn read(members: &Members<'a>) -> (BlockKind, Option<Cow<'a, str>>) {
        let text = |members: &Members<'a>| members.carried("text").and_then(json::text_of);
        match members.text("type").as_deref() {
            Some("text") => match text(members) {
                Some(text) => (BlockKind::Text, Some(text)),
                None => (BlockKind::Other, None),
            },
            Some("resource") => {
                let resource = members.carried("resource").and_then(Members::of);
                let resource = resource.unwrap_or_default();
                match text(&resource) {
                    Some(text) => {
                        let uri = resource.text("uri").map(Cow::into_owned);
                        (BlockKind::Resource(uri.unwrap_or_default()), Some(text))
                    }
                    None => (BlockKind::Other, None),
                }
            }
            _ => (BlockKind::Other, None),
        }
    }

    /// The block with another text: a text block keeps its other members.
    fn saying(&self, observation: &str) -> Box<RawValue> {
        let mut block = match self.kind {
            BlockKind::Text => self.members.clone(),
            _ => text_block(observation),
        };
        block.set("text", json::string(observation));
        block.to_raw()
    }
}

fn text_block(text: &str) -> Members<'static> {
    let mut block = Members::default();
    block.set("type", json::string("text"));
    block.set("text", json::string(text));
    block
}

/// The machine-readable side of the marker.
fn describe(settled: &Settled) -> Value {
    let Some(measured) = settled.measured() else {
        return Value::Null;
    };
    let (bytes, chars) = (measured.measure().bytes(), measured.measure().graphemes());
    let (elided, sha256) = (settled.elided(), measured.digest().to_string());
    match settled.kept() {
        Kept::Stored(artifact) => json!({
            "file": artifact.name().as_str(),
            "uri": format!("{SCHEME}{}", artifact.name().as_str()),
            "bytes": bytes,
            "chars": chars,
            "elided-chars": elided,
            "sha256": sha256,
        }),
        _ => json!({
            "stored": false,
            "bytes": bytes,
            "chars": chars,
            "elided-chars": elided,
            "sha256": sha256,
        }),
    }
}

/// The `_meta` object with our member added.
fn with_meta(meta: Option<&RawValue>, description: &Value) -> Box<RawValue> {
    let mut meta = meta.and_then(Members::of).unwrap_or_default();
    meta.set(META_KEY, json::value(description));
    meta.to_raw()
}
