//! MCP content blocks in the input of a hook.

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

/// The blocks with the text shortened, and the observation.
pub(super) fn blocks(call: &Call, blocks: &RawValue) -> Option<(Box<RawValue>, String)> {
    let mut result = Members::default();
    result.set("content", blocks.to_owned());
    settled(call, &result)
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
