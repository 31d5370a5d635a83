//! One walk over all that a server offers.

use serde_json::{Value, json};

use crate::paths;
use crate::peer::{Closed, PATIENCE, Peer};
use crate::same::is_artifact;

/// What was asked, with the answer, in order.
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) answers: Vec<Answer>,
    /// Notifications, and what the server asked.
    pub(crate) unasked: Vec<Value>,
    pub(crate) closed: Closed,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) method: String,
    /// The answer to the method with this name, or on this resource.
    pub(crate) name: String,
    pub(crate) message: Value,
    /// Whether the result is over the limit.
    pub(crate) is_over: bool,
}

/// The requests for a server, with `folder` where they name one.
pub(crate) fn requests(server: &str, folder: &str) -> Result<Vec<Value>, String> {
    let text = std::fs::read_to_string(paths::here().join("requests.json"));
    let text = text.map_err(|error| error.to_string())?;
    let mut all: Value =
        serde_json::from_str(&text.replace("FOLDER", folder)).map_err(|error| error.to_string())?;
    match all[server].take() {
        Value::Array(requests) => Ok(requests),
        _ => Err(format!("no requests for {server}")),
    }
}

/// Sends every request, reads every resource that was listed, sees every task to its end, and
/// cancels a call.
pub(crate) fn walk(mut peer: Peer, requests: &[Value]) -> Result<Walk, String> {
    let mut answers = Vec::new();
    let opened = peer.initialize()?;
    answers.push(Answer::of("initialize", &Value::Null, opened));
    // Servers register more, and ask for roots, a moment after the session is open.
    wait_for(&mut peer, "roots/list")?;
    for request in requests {
        let method = request["method"].as_str().unwrap_or_default();
        let message = peer.request(method, &request["params"])?;
        let task = message["result"]["task"]["taskId"].clone();
        let listed = message["result"]["resources"].clone();
        let mut answer = Answer::of(method, &request["params"], message);
        answer.is_over = request["over"] == true;
        answers.push(answer);
        if !task.is_null() {
            answers.extend(see_through(&mut peer, &task)?);
        }
        for resource in listed.as_array().into_iter().flatten() {
            if is_artifact(resource["uri"].as_str().unwrap_or_default()) {
                continue;
            }
            let params = json!({"uri": resource["uri"]});
            let message = peer.request("resources/read", &params)?;
            answers.push(Answer::of("resources/read", &params, message));
        }
    }
    cancel(&mut peer)?;
    let closed = peer.close();
    let unasked = closed.got.iter().filter_map(|line| {
        let message = serde_json::from_str::<Value>(line).ok()?;
        message.get("method").is_some().then_some(message)
    });
    Ok(Walk {
        answers,
        unasked: unasked.collect(),
        closed,
    })
}

impl Answer {
    fn of(method: &str, params: &Value, message: Value) -> Self {
        let name = [&params["name"], &params["uri"], &params["taskId"]];
        let name = name.into_iter().find_map(Value::as_str);
        Self {
            method: method.to_owned(),
            name: name.unwrap_or_default().to_owned(),
            message,
            is_over: false,
        }
    }
}

fn wait_for(peer: &mut Peer, method: &str) -> Result<(), String> {
    loop {
        let message = peer.next(PATIENCE)?;
        let message = message.ok_or("the server closed its output")?;
        if message["method"] == method {
            return Ok(());
        }
    }
}

/// The states and the result of a task. How often it says it is working is chance.
fn see_through(peer: &mut Peer, task: &Value) -> Result<Vec<Answer>, String> {
    let params = json!({"taskId": task});
    // Asked while the task still works, the answer comes with the result.
    let result = peer.request("tasks/result", &params)?;
    let state = peer.request("tasks/get", &params)?;
    let none = Value::Null;
    Ok(vec![
        Answer::of("tasks/result", &none, result),
        Answer::of("tasks/get", &none, state),
    ])
}

/// A call that is given up: whatever the server does, the next request is answered.
fn cancel(peer: &mut Peer) -> Result<(), String> {
    let arguments = json!({"duration": 2, "steps": 2});
    let params = json!({"name": "trigger-long-running-operation", "arguments": arguments});
    let id = peer.ask("tools/call", &params)?;
    let params = json!({"requestId": id, "reason": "no longer needed"});
    peer.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))?;
    peer.request("ping", &Value::Null).map(|_| ())
}
