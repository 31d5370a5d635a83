//! The content blocks of a result, and what of them is text.

use std::borrow::Cow;

use artifacts_core::{ContentType, Limit};
use loop_integration::{Operation, Policy, Settler};
use serde_json::value::RawValue;

use crate::json::{self, Element, Members};
use crate::structured::{Relation, relation};

/// The content blocks of a result.
pub(super) struct Blocks<'a> {
    /// As they came; none if the content is no list of blocks.
    elements: Cow<'a, [Element<'a>]>,
    /// What each of them is; `Bare` alone if the content is no list of blocks.
    kinds: Vec<BlockKind>,
    texts: Vec<Cow<'a, str>>,
    pub(super) structured: Option<&'a RawValue>,
    /// The bytes of the blocks of a kind that isn't known.
    unknown: u64,
}

/// What of a block is text.
enum BlockKind {
    Text,
    /// A text resource, with its URI.
    Resource(String),
    /// Content that is no list of blocks.
    Bare,
    /// Passes as it is.
    Other,
    /// The same, and counts: nobody knows what a client makes of it (SPEC 5.4).
    Unknown,
}

impl BlockKind {
    fn is_text(&self) -> bool {
        matches!(self, Self::Text | Self::Resource(_) | Self::Bare)
    }
}

/// What is measured, cut and stored.
pub(super) struct Body {
    pub(super) text: String,
    pub(super) content: ContentType,
}

impl<'a> Blocks<'a> {
    pub(super) fn of(result: &'a Members<'_>) -> Self {
        let is_there = |value: &&RawValue| value.get() != "null";
        let content = result.get("content").filter(is_there);
        let mut all = Self {
            elements: Cow::default(),
            kinds: Vec::new(),
            texts: Vec::new(),
            structured: result.get("structuredContent").filter(is_there),
            unknown: 0,
        };
        let Some(content) = content else {
            return all;
        };
        let Some(elements) = result.list("content") else {
            let text = json::text_of(content).unwrap_or(Cow::Borrowed(content.get()));
            all.texts.push(text);
            all.kinds.push(BlockKind::Bare);
            return all;
        };
        for element in elements.iter() {
            let (kind, text) = read(element.members.as_ref());
            if matches!(kind, BlockKind::Unknown) {
                all.unknown = all.unknown.saturating_add(element.raw.get().len() as u64);
            }
            all.texts.extend(text);
            all.kinds.push(kind);
        }
        all.elements = elements;
        all
    }

    /// A settler whose limit is less by what the unknown blocks take. A part of it is always
    /// left: an excerpt has to say something.
    pub(super) fn making_room<'s>(
        &self,
        settler: &'s Settler,
        operation: &Operation,
    ) -> Cow<'s, Settler> {
        let policy = settler.policy(operation);
        let (Some(shape), Some(tool), 1..) = (policy.shape(), operation.tool(), self.unknown)
        else {
            return Cow::Borrowed(settler);
        };
        let left = |amount: u64| {
            let least = amount / LEAST_SHARE;
            amount.saturating_sub(self.unknown).max(least).max(1)
        };
        let limit = shape.limit();
        let less = Limit::new(limit.unit(), left(limit.amount()))
            .and_then(|less| less.with_byte_ceiling(left(limit.byte_ceiling())));
        match less {
            Ok(less) if !policy.passes_whole() => {
                let policy = Policy::limited(shape.with_limit(less));
                Cow::Owned(settler.clone().with_tool(tool, policy))
            }
            _ => Cow::Borrowed(settler),
        }
    }

    pub(super) fn take_body(&mut self) -> Body {
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
        let kinds = self.kinds.iter().filter(|kind| kind.is_text());
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
    pub(super) fn with(&self, observation: &str) -> Box<RawValue> {
        let mut said = Some(observation);
        let mut blocks = Vec::<Cow<'_, RawValue>>::new();
        for (index, kind) in self.kinds.iter().enumerate() {
            let element = self.elements.get(index);
            if !kind.is_text() {
                blocks.extend(element.map(|element| Cow::Borrowed(element.raw)));
            } else if let Some(observation) = said.take() {
                let members = element.and_then(|element| element.members.as_ref());
                blocks.push(Cow::Owned(saying(observation, kind, members)));
            }
        }
        if let Some(observation) = said {
            blocks.insert(0, Cow::Owned(text_block(observation).to_raw()));
        }
        json::array(blocks.iter().map(AsRef::as_ref))
    }
}

/// What a block is, and its text. What is no object has no members, and passes as it is.
fn read<'a>(members: Option<&Members<'a>>) -> (BlockKind, Option<Cow<'a, str>>) {
    let Some(members) = members else {
        return (BlockKind::Unknown, None);
    };
    let text = |members: &Members<'a>| members.carried("text").and_then(json::text_of);
    match members.text("type").as_deref() {
        Some("text") => match text(members) {
            Some(text) => (BlockKind::Text, Some(text)),
            None => (BlockKind::Unknown, None),
        },
        Some("resource") => {
            let resource = members.carried("resource").and_then(Members::of);
            let resource = resource.unwrap_or_default();
            match text(&resource) {
                Some(text) => {
                    let uri = resource.text("uri").map(Cow::into_owned);
                    (BlockKind::Resource(uri.unwrap_or_default()), Some(text))
                }
                None if resource.get("blob").is_some() => (BlockKind::Other, None),
                None => (BlockKind::Unknown, None),
            }
        }
        Some("image" | "audio" | "resource_link") => (BlockKind::Other, None),
        _ => (BlockKind::Unknown, None),
    }
}

/// A block of text instead of another: what was one keeps its other members.
fn saying(observation: &str, kind: &BlockKind, members: Option<&Members<'_>>) -> Box<RawValue> {
    let mut block = match (kind, members) {
        (BlockKind::Text, Some(members)) => members.clone(),
        _ => text_block(observation),
    };
    block.set("text", json::string(observation));
    block.to_raw()
}

fn text_block(text: &str) -> Members<'static> {
    let mut block = Members::default();
    block.set("type", json::string("text"));
    block.set("text", json::string(text));
    block
}

/// One in so many parts of the limit is left for the text beside unknown blocks.
const LEAST_SHARE: u64 = 8;
