//! Requests of the client that are answered without the server.

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::Members;
use crate::message::Id;
use crate::resources::Resources;
use crate::retrieval::Retrieval;

/// A request of the client that [`Proxy::answer`](crate::Proxy::answer) answers.
#[derive(Debug)]
pub struct Question {
    id: Id,
    asks: Asks,
}

#[derive(Debug)]
pub(crate) enum Asks {
    /// A call of an added tool.
    Tool {
        retrieval: Arc<Retrieval>,
        name: String,
        arguments: Value,
    },
    /// A read of an artifact as a resource.
    Resource { uri: String },
}

impl Question {
    /// The question, if the request is one.
    pub(crate) fn of(
        id: &Id,
        method: &str,
        params: Option<&Members<'_>>,
        retrieval: &Arc<Retrieval>,
        resources: &Resources,
    ) -> Option<Self> {
        let params = params?;
        let asks = match method {
            "tools/call" => {
                let name = params.text("name").filter(|name| retrieval.has(name))?;
                let arguments = params.get("arguments").map(RawValue::get);
                let arguments = arguments.map(serde_json::from_str::<Value>);
                Asks::Tool {
                    retrieval: Arc::clone(retrieval),
                    name: name.into_owned(),
                    arguments: arguments.and_then(Result::ok).unwrap_or_default(),
                }
            }
            "resources/read" => Asks::Resource {
                uri: params
                    .text("uri")
                    .filter(|uri| resources.has(uri))?
                    .into_owned(),
            },
            _ => return None,
        };
        let id = id.clone();
        Some(Self { id, asks })
    }

    pub(crate) fn id(&self) -> &Id {
        &self.id
    }

    pub(crate) fn asks(&self) -> &Asks {
        &self.asks
    }
}
