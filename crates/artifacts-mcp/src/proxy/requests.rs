//! What the client says: passed, remembered until its answer comes, or answered here.

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Proxy, ended};
use crate::asked::Asked;
use crate::calls::TextSize;
use crate::json;
use crate::message::{Id, Kind, Line, Message, id_of, refusal, response};
use crate::question::{Asks, Question};
use crate::retrieval::{self, Retrieval};
use crate::stats::is_read;

/// What to do with a line of the client.
#[derive(Debug)]
#[non_exhaustive]
pub enum FromClient {
    /// Pass it to the server as it is.
    Pass,
    /// Pass this line to the server instead, and answer the questions.
    Split(Option<Vec<u8>>, Vec<Question>),
}

impl Proxy {
    /// Takes a line of the client, with or without its line end.
    pub fn from_client(&self, line: &[u8]) -> FromClient {
        let text = json::text_of_line(line);
        match Line::parse(&text) {
            Line::Foreign => FromClient::Pass,
            Line::Single(message) => match self.note(&message) {
                Some(question) => FromClient::Split(None, vec![question]),
                None => FromClient::Pass,
            },
            Line::Batch(batch) => self.split(&batch),
        }
    }

    /// Takes what is answered here out of a batch.
    fn split(&self, batch: &[&RawValue]) -> FromClient {
        let (mut questions, mut rest) = (Vec::new(), Vec::new());
        for raw in batch {
            match Message::parse(raw.get()).and_then(|message| self.note(&message)) {
                Some(question) => questions.push(question),
                None => rest.push(*raw),
            }
        }
        if questions.is_empty() {
            return FromClient::Pass;
        }
        let rest = (!rest.is_empty()).then(|| ended(&json::array(rest), b"\n"));
        FromClient::Split(rest, questions)
    }

    /// Remembers a request until its answer comes; returns one that is answered here.
    fn note(&self, message: &Message<'_>) -> Option<Question> {
        let (id, method) = match message.kind() {
            Kind::Request { id, method } => (id, method),
            Kind::Notification { method } if method == "notifications/cancelled" => {
                self.cancel(message);
                return None;
            }
            _ => return None,
        };
        let params = message.params();
        let retrieval = Arc::clone(self.state().catalog.retrieval());
        // Answered with the id as it is written.
        let written = message.0.get("id").map(|id| id.get().to_owned());
        let question = Question::of(
            &written.unwrap_or_default(),
            &method,
            params.as_ref(),
            &retrieval,
            &self.resources,
        );
        if question.is_none() {
            let asked = Asked::of(&method, params.as_ref());
            self.state().unanswered.add(id, asked);
        }
        question
    }

    fn cancel(&self, message: &Message<'_>) {
        let params = message.params();
        if let Some(id) = params.as_ref().and_then(|params| params.get("requestId")) {
            self.state().unanswered.cancel(id_of(id));
        }
    }

    /// Answers a question of the client with a line.
    #[must_use]
    pub fn answer(&self, question: &Question) -> Vec<u8> {
        let answer = match question.asks() {
            Asks::Tool {
                retrieval,
                name,
                arguments,
            } => self.answer_call(question.id(), retrieval, name, arguments),
            Asks::Resource { uri } => match self.resources.read(uri) {
                Ok(result) => response(question.id(), &result),
                Err(why) => refusal(question.id(), &not_found(&why)),
            },
        };
        ended(&answer, b"\n")
    }

    fn answer_call(
        &self,
        id: &Id,
        retrieval: &Retrieval,
        name: &str,
        arguments: &Value,
    ) -> Box<RawValue> {
        let Some(answer) = retrieval.call(name, arguments) else {
            return refusal(id, &not_found("no such tool: list the tools again"));
        };
        let artifact = arguments.get("name").and_then(Value::as_str);
        let artifact = artifact.filter(|_| is_read(name));
        if let Some(artifact) = artifact.and_then(|handle| retrieval.file(handle)) {
            let shown = TextSize::of(answer.text());
            self.calls.read(name, Some(&artifact), shown);
        }
        response(id, &retrieval::result(&answer))
    }
}

/// The JSON-RPC error of MCP for a resource that isn't there.
pub(super) fn not_found(why: &str) -> Box<RawValue> {
    json::value(&serde_json::json!({"code": -32002, "message": why}))
}
