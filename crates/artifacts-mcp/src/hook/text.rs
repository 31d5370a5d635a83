//! MCP content blocks in the input of a hook.

use loop_integration::Settler;
use serde_json::value::RawValue;

use super::Call;
use crate::json::{self, Members};
use crate::payload;

/// Whether the value is an array of content blocks.
pub(super) fn is_blocks(value: &RawValue) -> bool {
    json::items(value).is_some_and(|items| {
        let is_block =
            |item: &&RawValue| Members::of(item).is_some_and(|item| item.text("type").is_some());
        !items.is_empty() && items.iter().all(is_block)
    })
}

/// Whether the model is shown the value's text, and something besides.
pub(super) fn has_other_parts(result: &Members<'_>) -> bool {
    let blocks = result.get("content").and_then(json::objects);
    let is_text = |block: &Members<'_>| match block.text("type").as_deref() {
        Some("text") => true,
        Some("resource") => {
            let resource = block.get("resource").and_then(Members::of);
            resource.is_some_and(|resource| resource.text("text").is_some())
        }
        _ => false,
    };
    !blocks.unwrap_or_default().iter().all(is_text)
}

/// Whether the text of an MCP result is over the limit. Nothing is stored.
pub(super) fn is_over(call: &Call, result: &Members<'_>) -> bool {
    let settler = Settler::with_policy(call.settler.policy(&call.operation));
    payload::settle(result, &settler, &call.operation)
        .is_some_and(|settlement| settlement.observation.is_some())
}

/// The blocks with the text shortened, and the observation.
pub(super) fn blocks(call: &Call, blocks: &RawValue) -> Option<(Box<RawValue>, String)> {
    settled(call, &of_blocks(blocks))
}

/// The MCP result of these blocks.
pub(super) fn of_blocks(blocks: &RawValue) -> Members<'static> {
    let mut result = Members::default();
    result.set("content", blocks.to_owned());
    result
}

/// The blocks of an MCP result with the text shortened, and the observation.
pub(super) fn settled(call: &Call, result: &Members<'_>) -> Option<(Box<RawValue>, String)> {
    let settlement = payload::settle(result, &call.settler, &call.operation)?;
    call.note(&settlement);
    let observation = settlement.observation?;
    let result = settlement.result?;
    let blocks = Members::of(&result)?.get("content")?.to_owned();
    Some((blocks, observation))
}
