//! Codex: a hook that blocks gives the text the model sees instead.

use artifacts_core::Capture;
use loop_integration::Ending;
use serde_json::value::RawValue;

use super::text::{blocks, is_blocks, settled};
use super::{Call, Replaced, blocked};
use crate::json::{self, Members};

pub(super) fn replaced(call: &Call, response: &RawValue) -> Replaced {
    if let Some(text) = json::text_of(response) {
        // A shell's output has been cut by the client before the hook sees it; what it dropped
        // can't be had, nor can it be told whether it dropped anything.
        let observation = call.shorten(text.into_owned(), Ending::Success, Capture::Interrupted);
        return observation.map_or(Replaced::Unchanged, |text| Replaced::By(blocked(&text)));
    }
    let shortened = match Members::of(response) {
        Some(result) if result.get("content").is_some_and(is_blocks) => settled(call, &result),
        None if is_blocks(response) => blocks(call, response),
        _ if call.may_be_over(response.get().len()) => {
            return Replaced::Impossible("the shape of its output is not known");
        }
        _ => None,
    };
    match shortened {
        None => Replaced::Unchanged,
        Some((blocks, observation)) => match json::items(&blocks).map(|blocks| blocks.len()) {
            Some(1) => Replaced::By(blocked(&observation)),
            _ => {
                Replaced::Impossible("Codex can replace it only by a text, and it has other parts")
            }
        },
    }
}
