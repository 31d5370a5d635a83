//! `store_artifact`: keeps a text that the model wrote.

use artifacts_core::{ContentDigest, ContentType, OpId};
use serde::Deserialize;
use serde_json::Value;

use super::ArtifactTools;
use super::answer::{Refusal, ToolAnswer};
use super::arguments;
use crate::resolve::{MAX_ALIAS_BYTES, is_alias, is_id};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    content: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, alias = "mediaType")]
    media_type: Option<String>,
}

pub(super) fn call(tools: &ArtifactTools, arguments: &Value) -> Result<ToolAnswer, Refusal> {
    let arguments: Arguments = arguments::parse(arguments)?;
    if let Some(alias) = &arguments.name
        && (!is_alias(alias) || is_id(&tools.index, alias))
    {
        return Err(Refusal::Arguments(format!(
            "choose a name of 1 to {MAX_ALIAS_BYTES} bytes without quotes and control characters, that \
             is no file name and no id of an artifact and does not begin with /, ., art: or art_"
        )));
    }
    let content = match &arguments.media_type {
        Some(media_type) => ContentType::from_media_type(media_type),
        None => ContentType::Text,
    };
    let bytes = arguments.content.as_bytes();
    // The same text is the same artifact, so a call made twice stores once.
    let digest = ContentDigest::of(bytes).to_string();
    let op_id = OpId::new(format!("stored-{}", digest.get(..32).unwrap_or_default()));
    let stored = tools.store.store(&op_id, content, bytes)?;
    tools.index.add_stored(&stored, None);
    let name = stored.name();
    let named = match &arguments.name {
        Some(alias) => {
            tools.index.name(alias, name);
            format!(", named \"{alias}\"")
        }
        None => String::new(),
    };
    let kept = stored.measured().measure().bytes();
    let kept = match kept == bytes.len() as u64 {
        true => format!("{kept} bytes"),
        false => format!("the first {kept} of {} bytes", bytes.len()),
    };
    let text = format!("[stored as {name}: {kept}{named}]");
    Ok(ToolAnswer::new(tools.room, text).storing(stored))
}
