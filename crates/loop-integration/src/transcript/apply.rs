//! Taking one record after the other, and refusing those that contradict what came before.

use std::collections::btree_map::Entry;
use std::sync::Arc;

use artifacts_core::OpId;

use crate::message::TOOL;
use crate::record::Record;
use crate::transcript::{OperationState, Transcript};
use crate::wire;
use crate::{ErrorKind, Message, Operation, Outcome, Timestamp, ToolSettled};

/// What is wrong with a line, before its number is known.
pub(crate) type Fault = (ErrorKind, String);

impl Transcript {
    /// Takes the next complete line, without its newline. One that is refused changes nothing, so
    /// that it is refused again when it is met again.
    pub(crate) fn take_line(&mut self, line: &[u8]) -> Result<(), Fault> {
        match wire::parse(line)? {
            Record::Dispatched(operation, ts) => self.take_dispatch(operation, ts)?,
            Record::Message {
                id,
                message,
                settling,
            } => self.take_message(&id, message, settling.map(Arc::from))?,
            Record::Settled(envelope) => self.take_settled(Arc::new(envelope))?,
            Record::Unknown => self.unknown += 1,
        }
        self.lines += 1;
        Ok(())
    }

    pub(crate) fn take_dispatch(
        &mut self,
        operation: Operation,
        ts: Timestamp,
    ) -> Result<(), Fault> {
        match self.operations.entry(operation.op_id().clone()) {
            Entry::Occupied(_) => Err(contradiction(operation.op_id(), "is dispatched again")),
            Entry::Vacant(place) => {
                self.calls.answer(operation.tool_call_id());
                self.order.push(operation.op_id().clone());
                place.insert(OperationState {
                    operation,
                    dispatched: ts,
                    message: None,
                    settling: None,
                    settled: None,
                });
                Ok(())
            }
        }
    }

    pub(crate) fn take_message(
        &mut self,
        id: &str,
        message: Message,
        settling: Option<Arc<ToolSettled>>,
    ) -> Result<(), Fault> {
        if message.observation().is_some() {
            let op_id = message.op_id.clone().unwrap_or_else(|| OpId::new(id));
            let Some(state) = self.operations.get_mut(&op_id) else {
                return Err(contradiction(&op_id, "is answered before it is dispatched"));
            };
            if state.message.is_some() || state.settled.is_some() {
                return Err(contradiction(&op_id, "is answered again"));
            }
            let call = state.operation.tool_call_id();
            if message.role() == TOOL && message.tool_call_id() != Some(call) {
                return Err(contradiction(
                    &op_id,
                    "has a message whose tool-call-id is not that of its dispatch",
                ));
            }
            if let Some(settling) = &settling {
                check_is_error(&message, settling)?;
            }
            state.message = Some(self.messages.len());
            state.settling = settling;
        }
        self.calls.open(message.tool_calls());
        self.messages.push(message);
        Ok(())
    }

    pub(crate) fn take_settled(&mut self, envelope: Arc<ToolSettled>) -> Result<(), Fault> {
        let op_id = envelope.op_id.clone();
        let Some(state) = self.operations.get_mut(&op_id) else {
            return Err(contradiction(&op_id, "is settled before it is dispatched"));
        };
        if state.settled.is_some() {
            return Err(contradiction(&op_id, "is settled again"));
        }
        let answer = state.message.and_then(|index| self.messages.get(index));
        let Some((answer, observation)) = answer.zip(answer.and_then(Message::observation)) else {
            return Err(contradiction(&op_id, "is settled before it is answered"));
        };
        if envelope
            .result_digest
            .is_some_and(|digest| digest != *observation.digest())
        {
            return Err(contradiction(
                &op_id,
                "has an observation that is not the one it was settled with",
            ));
        }
        match &state.settling {
            Some(settling) if !settling.is_same(&envelope) => {
                return Err(contradiction(
                    &op_id,
                    "has a settle record that is not the one its message was written with",
                ));
            }
            Some(_) => {}
            None => check_is_error(answer, &envelope)?,
        }
        state.settling = None;
        state.settled = Some(envelope);
        Ok(())
    }
}

/// Refuses a tool message that says another outcome than its record.
fn check_is_error(message: &Message, envelope: &ToolSettled) -> Result<(), Fault> {
    let failed = envelope.outcome() != Outcome::Completed;
    match message.role() == TOOL && message.is_error() != failed {
        true => Err(contradiction(
            envelope.op_id(),
            "has a message whose is-error is not that of its outcome",
        )),
        false => Ok(()),
    }
}

fn contradiction(op_id: &OpId, what: &str) -> Fault {
    let op_id = op_id.as_str();
    (ErrorKind::Damaged, format!("operation {op_id:?} {what}"))
}
