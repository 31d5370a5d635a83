//! Putting right what an earlier run left undone.

use std::slice;
use std::sync::Arc;

use artifacts_core::{Capture, OpId};

use crate::record::RECOVERED;
use crate::session::claiming::already_settled;
use crate::{
    Ending, Error, ErrorKind, Message, Operation, Outcome, Pending, Session, Settled, Settler,
    ToolResult, ToolSettled,
};

impl Session {
    /// Records that nobody knows what an operation did, with a fixed message and no digest
    /// (SPEC 5.3).
    ///
    /// # Errors
    ///
    /// As [`settle`](Self::settle).
    pub fn outcome_unknown(&self, operation: &Operation) -> Result<Settled, Error> {
        let claim = self.claim(operation)?;
        let result = ToolResult::ended(Ending::Unknown, "");
        let settled = Settler::default().settle(claim.operation(), result);
        self.record(slice::from_ref(&settled))?;
        Ok(settled)
    }

    /// Writes the settle record of an operation whose message is there already, as it was to be
    /// when the message was written: nothing is computed again (I2).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownOperation`] if it has no message, [`ErrorKind::AlreadySettled`] if it
    /// has its record, [`ErrorKind::Transcript`] if the line could not be appended.
    pub fn complete(&self, op_id: &OpId) -> Result<Arc<ToolSettled>, Error> {
        let mut state = self.state();
        let mut appending = state.writer.lock()?;
        let transcript = appending.transcript();
        let known = transcript.operation(op_id);
        let answer = transcript.answer(op_id);
        let (Some(known), Some(answer)) = (known, answer) else {
            return Err(Error::new(
                ErrorKind::UnknownOperation,
                format!("operation {:?} has no message: settle it", op_id.as_str()),
            ));
        };
        if known.settled().is_some() {
            return Err(already_settled(op_id));
        }
        let now = self.clock.now();
        let to_be = match &known.settling {
            Some(settling) => ToolSettled::clone(settling),
            None => recovered(op_id, answer),
        };
        let envelope = Arc::new(ToolSettled {
            duration_micros: now.micros_since(known.dispatched()),
            result_digest: match to_be.outcome {
                Outcome::OutcomeUnknown => None,
                _ => answer.observation().map(|result| *result.digest()),
            },
            ..to_be
        });
        appending.settled(Arc::clone(&envelope), now)?;
        appending.sync()?;
        Ok(envelope)
    }

    /// What an earlier run left undone.
    #[must_use]
    pub fn pending(&self) -> Vec<Pending> {
        self.state().writer.transcript().pending()
    }
}

/// The record of a message whose line does not say what was to be recorded.
fn recovered(op_id: &OpId, answer: &Message) -> ToolSettled {
    ToolSettled {
        outcome: match answer.is_error() {
            true => Outcome::Failed,
            false => Outcome::Completed,
        },
        op_id: op_id.clone(),
        reason: Some(RECOVERED.to_owned()),
        duration_micros: 0,
        result_digest: None,
        artifact: None,
        not_stored: None,
        capture: Capture::Complete,
        replaced: 0,
        redacted: 0,
        turn_limit: None,
        store_error: None,
        error: None,
    }
}
