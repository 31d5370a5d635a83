//! Codex: a hook that blocks gives the text the model sees instead.

use artifacts_core::Capture;
use loop_integration::Ending;
use serde_json::value::RawValue;

use super::text::{has_other_parts, is_blocks, is_over, of_blocks, settled};
use super::{Call, Replaced, blocked};
use crate::json::{self, Members};

pub(super) fn replaced(call: &Call, response: &RawValue) -> Replaced {
    if let Some(text) = json::text_of(response) {
        // A shell's output has been cut by the client before the hook sees it; what it dropped
        // can't be had, nor can it be told whether it dropped anything.
        let observation = call.shorten(text.into_owned(), Ending::Success, Capture::Interrupted);
        return observation.map_or(Replaced::Unchanged, |text| Replaced::By(blocked(&text)));
    }
    let result = match Members::of(response) {
        Some(result) if is_result(&result) => result,
        None if is_blocks(response) => of_blocks(response),
        _ if call.may_be_over(response.get().len()) => {
            return Replaced::Impossible("the shape of its output is not known");
        }
        _ => return Replaced::Unchanged,
    };
    if has_other_parts(&result) && is_over(call, &result) {
        return Replaced::Impossible("Codex can replace it only by a text, and it has other parts");
    }
    let shortened = settled(call, &result);
    shortened.map_or(Replaced::Unchanged, |(_, observation)| {
        Replaced::By(blocked(&observation))
    })
}

/// Where there is `structuredContent`, the client shows that alone.
fn is_result(result: &Members<'_>) -> bool {
    result.get("content").is_some_and(is_blocks) || result.get("structuredContent").is_some()
}
