//! What the server says: passed, edited, or settled.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use artifacts_core::count_invalid;
use loop_integration::Operation;
use serde_json::value::RawValue;

use super::requests::not_found;
use super::tasks::{TASK_NOTICES, started_task};
use super::{Proxy, end_of, ended};
use crate::asked::Asked;
use crate::capabilities;
use crate::catalog::is_last;
use crate::json::{self, Members, Outline};
use crate::message::{Kind, Line, Message};
use crate::payload::{self, Settlement};

/// What to do with a line of the server.
#[derive(Debug)]
#[non_exhaustive]
pub enum FromServer {
    /// Pass it to the client as it is.
    Pass,
    /// Pass this line instead.
    Replace(Vec<u8>),
    /// Hand the line to [`Proxy::settle`], which may take a while.
    Settle(Answered),
}

/// A tool call whose result came.
#[derive(Debug, Clone)]
pub struct Answered {
    asked: Asked,
    /// Where in the line the result is, so that the rest of it is neither read again nor changed.
    place: Option<Range<usize>>,
    /// Where in the result its parts are, so that it is not read again either.
    outline: Option<Outline>,
}

impl Proxy {
    /// Takes a line of the server, with or without its line end.
    pub fn from_server(&self, line: &[u8]) -> FromServer {
        if self.expects_nothing() {
            return FromServer::Pass;
        }
        let text = json::text_of_line(line);
        match Line::parse(&text) {
            Line::Foreign => FromServer::Pass,
            Line::Single(message) => match self.take(&message) {
                None => FromServer::Pass,
                Some(asked) if asked.is_call() && !self.fits(&asked, line.len()) => {
                    let told_in = told_in(&message);
                    let place = match &text {
                        Cow::Borrowed(text) => message.0.place(told_in, text),
                        Cow::Owned(_) => None,
                    };
                    let outline = message.outline(told_in);
                    FromServer::Settle(Answered {
                        asked,
                        place,
                        outline,
                    })
                }
                Some(asked) => match self.edit(&message, &asked) {
                    Some(edited) => FromServer::Replace(ended(&edited, end_of(line))),
                    None => FromServer::Pass,
                },
            },
            Line::Batch(batch) => self.edit_batch(&batch, line),
        }
    }

    /// Whether a result in a line of so many bytes is within the limit whatever it says.
    fn fits(&self, asked: &Asked, bytes: usize) -> bool {
        let tool = match asked {
            Asked::Call { tool } => Arc::clone(tool),
            _ => "task".into(),
        };
        let operation = Operation::new("").of_tool(tool);
        let policy = self.state().catalog.settler().policy(&operation);
        policy.shape().is_none_or(|shape| {
            let limit = shape.limit();
            bytes as u64 <= limit.amount().min(limit.byte_ceiling())
        })
    }

    fn edit_batch(&self, batch: &[&RawValue], line: &[u8]) -> FromServer {
        let mut changed = false;
        let edited = batch.iter().map(|raw| {
            let edited = Message::parse(raw.get())
                .and_then(|message| self.edit(&message, &self.take(&message)?));
            changed |= edited.is_some();
            edited.map_or(Cow::Borrowed(*raw), Cow::Owned)
        });
        let edited = edited.collect::<Vec<_>>();
        match changed {
            true => {
                let line_end = end_of(line);
                FromServer::Replace(ended(
                    &json::array(edited.iter().map(AsRef::as_ref)),
                    line_end,
                ))
            }
            false => FromServer::Pass,
        }
    }

    /// Settles a result; `None` if its line passes as it is.
    #[must_use]
    pub fn settle(&self, answered: &Answered, line: &[u8]) -> Option<Vec<u8>> {
        if let Some(place) = &answered.place {
            let (before, rest) = line.split_at_checked(place.start)?;
            let (result, after) = rest.split_at_checked(place.len())?;
            let text = json::text_of_part(result)?;
            let outline = answered.outline.as_ref();
            let result = outline.and_then(|outline| outline.members(text));
            let result = result.or_else(|| Members::parse(text))?;
            let edited = self.edit_result(&result, &answered.asked)?;
            return Some([before, edited.get().as_bytes(), after].concat());
        }
        let text = json::text_of_line(line);
        let message = Message::parse(&text)?;
        let edited = self.edit(&message, &answered.asked)?;
        if let Cow::Owned(_) = text {
            self.notices.not_utf8(count_invalid(line));
        }
        Some(ended(&edited, end_of(line)))
    }

    /// What the client asked with the request that this message answers.
    fn take(&self, message: &Message<'_>) -> Option<Asked> {
        match message.kind() {
            Kind::Response { id } => self.state().unanswered.take(&id, || message.result()),
            Kind::Notification { method } if TASK_NOTICES.contains(&method.as_ref()) => {
                let id = message.params()?.text("taskId")?.into_owned();
                Some(Asked::Task { id })
            }
            _ => None,
        }
    }

    /// Whether whatever the server says passes. A task may tell its result of itself.
    fn expects_nothing(&self) -> bool {
        let state = self.state();
        state.unanswered.is_empty() && state.tasks.is_empty()
    }

    /// The message as the client gets it, if it is another.
    fn edit(&self, message: &Message<'_>, asked: &Asked) -> Option<Box<RawValue>> {
        let told_in = told_in(message);
        let Some(result) = message.0.get(told_in).and_then(Members::of) else {
            return self.edit_error(message, asked);
        };
        let edited = self.edit_result(&result, asked)?;
        let mut message = message.clone();
        message.0.set(told_in, edited);
        Some(message.0.to_raw())
    }

    /// The result as the client gets it, if it is another.
    fn edit_result(&self, result: &Members<'_>, asked: &Asked) -> Option<Box<RawValue>> {
        match asked {
            Asked::Capabilities => capabilities::added(result),
            Asked::Tools { is_first } => self.edit_tools(result, *is_first),
            Asked::Resources => self.resources.listed(result),
            Asked::Templates => self.resources.with_template(result),
            Asked::Call { tool } => self.edit_call(result, tool),
            Asked::Task { id } => self.edit_task(result, id),
            Asked::Resource { .. } | Asked::Other => None,
        }
    }

    fn edit_tools(&self, result: &Members<'_>, is_first: bool) -> Option<Box<RawValue>> {
        let (page, unknown) = {
            let mut state = self.state();
            let page = state.catalog.page(result, is_first)?;
            (page, is_last(result).then(|| state.catalog.unknown()))
        };
        // Telling may take a while.
        if let Some(unknown) = unknown {
            self.notices.unknown_tools(&unknown);
        }
        Some(page)
    }

    fn edit_call(&self, result: &Members<'_>, tool: &Arc<str>) -> Option<Box<RawValue>> {
        if let Some(id) = started_task(result) {
            self.remember_task(id, tool);
            return None;
        }
        self.shorten(result, tool, &self.op_ids.next(tool))
    }

    pub(super) fn shorten(
        &self,
        result: &Members<'_>,
        tool: &Arc<str>,
        op_id: &str,
    ) -> Option<Box<RawValue>> {
        let settler = self.state().catalog.settler_of(tool, result);
        let operation = Operation::new(op_id).of_tool(Arc::clone(tool));
        let settlement = payload::settle(result, &settler, &operation)?;
        self.log(tool, &settlement);
        settlement.result
    }

    pub(super) fn settled_error(
        &self,
        error: &Members<'_>,
        tool: &Arc<str>,
        op_id: String,
    ) -> Option<Settlement> {
        let settler = Arc::clone(self.state().catalog.settler());
        let operation = Operation::new(op_id).of_tool(Arc::clone(tool));
        payload::settle_error(error, &settler, &operation)
    }

    fn edit_error(&self, message: &Message<'_>, asked: &Asked) -> Option<Box<RawValue>> {
        let error = message.error()?;
        let is_unknown = error.get("code").map(RawValue::get) == Some(METHOD_NOT_FOUND);
        match asked {
            Asked::Call { tool } => {
                let settlement = self.settled_error(&error, tool, self.op_ids.next(tool))?;
                self.log(tool, &settlement);
                Some(message.with_error(settlement.result?))
            }
            Asked::Task { id } => {
                let (tool, op_id) = self.task(id);
                let mut settlement = self.settled_error(&error, &tool, op_id)?;
                // A short one may as well say that there is no such task, which is no call.
                let shortened = settlement.result.take()?;
                self.log(&tool, &settlement);
                Some(message.with_error(shortened))
            }
            // A server without tools or resources of its own still has those added here.
            Asked::Tools { .. } | Asked::Resources | Asked::Templates if is_unknown => {
                let empty = Members::parse(asked.empty_result())?;
                let result = match asked {
                    Asked::Tools { .. } => self.edit_tools(&empty, true)?,
                    Asked::Resources => self
                        .resources
                        .listed(&empty)
                        .unwrap_or_else(|| empty.to_raw()),
                    _ => self.resources.with_template(&empty)?,
                };
                let mut message = message.clone();
                message.0.remove("error");
                message.0.set("result", result);
                Some(message.0.to_raw())
            }
            // A server without resources can't tell that there is none.
            Asked::Resource { uri } if is_unknown => {
                let missing = self.resources.missing(uri)?;
                Some(message.with_error(not_found(&missing)))
            }
            _ => None,
        }
    }

    pub(super) fn log(&self, tool: &str, settlement: &Settlement) {
        settlement.log(&self.calls, tool);
        if let Some(why) = &settlement.store_error {
            self.notices.not_stored(tool, why);
        }
    }
}

/// The member that tells what the message is about.
fn told_in(message: &Message<'_>) -> &'static str {
    match message.kind() {
        Kind::Notification { .. } => "params",
        _ => "result",
    }
}

/// The JSON-RPC error of a server that doesn't know a method.
const METHOD_NOT_FOUND: &str = "-32601";
