//! The right to settle an operation: in this session, and among the processes of a transcript.

use std::collections::BTreeSet;

use artifacts_core::OpId;

use crate::session::State;
use crate::{Error, ErrorKind, Kept, Operation, OperationState, Session, Settled, Transcript};

/// The right to settle one operation, given back when dropped.
#[derive(Debug)]
pub(crate) struct Claim<'a> {
    session: &'a Session,
    operation: Operation,
}

impl<'a> Claim<'a> {
    pub(super) fn session(&self) -> &'a Session {
        self.session
    }

    /// The operation, as it was dispatched.
    pub(super) fn operation(&self) -> &Operation {
        &self.operation
    }

    /// Claims the operation among processes as well, before its result is stored.
    pub(super) fn to_store(&self) -> Result<Vec<artifacts_fs::Claim>, Error> {
        self.session.claim_to_store(&[self.operation.op_id()])
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        let mut state = self.session.state();
        state.settling.remove(self.operation.op_id());
    }
}

impl Session {
    /// Makes sure that this call, and no other, settles the operation; dispatches it if nobody
    /// did.
    pub(super) fn claim(&self, operation: &Operation) -> Result<Claim<'_>, Error> {
        let claims = self.claim_all(&[operation])?;
        let claim = claims.into_iter().next();
        claim.ok_or_else(|| is_being_settled(operation.op_id()))
    }

    /// As [`claim`](Self::claim), for all the operations of a batch or for none: where one is
    /// refused nothing is written.
    pub(super) fn claim_all(&self, operations: &[&Operation]) -> Result<Vec<Claim<'_>>, Error> {
        let mut state = self.state();
        let State { writer, settling } = &mut *state;
        let appending = writer.lock()?;
        let (mut wanted, mut new) = (BTreeSet::new(), Vec::new());
        let mut dispatched = Vec::new();
        for operation in operations {
            let op_id = operation.op_id();
            let known = check_open(appending.transcript(), op_id)?;
            if settling.contains(op_id) || !wanted.insert(op_id.clone()) {
                return Err(is_being_settled(op_id));
            }
            if known.is_none() {
                new.push(*operation);
            }
            dispatched.push(known.map_or(*operation, OperationState::operation).clone());
        }
        self.begin(appending, &new)?;
        settling.append(&mut wanted);
        let claims = dispatched.into_iter().map(|operation| Claim {
            session: self,
            operation,
        });
        Ok(claims.collect())
    }

    /// Claims operations whose results are to be stored among all the processes that settle in
    /// this transcript, then looks whether another settled one meanwhile. So a settle that is
    /// refused stores nothing (SPEC 5.3). The claims hold until their records are there.
    pub(super) fn claim_to_store(
        &self,
        op_ids: &[&OpId],
    ) -> Result<Vec<artifacts_fs::Claim>, Error> {
        let Some(store) = self.settler.store() else {
            return Ok(Vec::new());
        };
        let mut sorted = op_ids.to_vec();
        // In one order everywhere, so that of two batches that overlap one has all it wants.
        sorted.sort_unstable();
        let keys = sorted.iter().map(|op_id| self.key(op_id));
        let claims = store.claim_batch(&keys.collect::<Vec<_>>());
        let claims = claims.into_iter().zip(sorted);
        let claims = claims
            .map(|(claim, op_id)| claim.map_err(|_| is_being_settled(op_id)))
            .collect::<Result<Vec<_>, _>>()?;
        let mut state = self.state();
        let appending = state.writer.lock()?;
        for op_id in op_ids {
            check_open(appending.transcript(), op_id)?;
        }
        Ok(claims)
    }

    /// Refuses a result that is not stored while another process stores one for the operation.
    /// Asked while the transcript is locked: whoever claims later sees the record.
    pub(super) fn check_unclaimed(&self, settled: &Settled) -> Result<(), Error> {
        let op_id = settled.operation().op_id();
        let is_free = match (settled.kept(), self.settler.store()) {
            (Kept::Whole, Some(store)) => !store.is_claimed(&self.key(op_id)),
            _ => true,
        };
        match is_free {
            true => Ok(()),
            false => Err(is_being_settled(op_id)),
        }
    }

    /// Several transcripts may share a store, and op ids be the same in each.
    fn key(&self, op_id: &OpId) -> String {
        format!("{} {}", self.identity, op_id.as_str())
    }
}

/// The operation as it was dispatched, if it was; an error if it has its message or its record.
pub(super) fn check_open<'a>(
    transcript: &'a Transcript,
    op_id: &OpId,
) -> Result<Option<&'a OperationState>, Error> {
    let Some(known) = transcript.operation(op_id) else {
        return Ok(None);
    };
    if known.settled().is_some() {
        return Err(already_settled(op_id));
    }
    if known.is_answered() {
        return Err(Error::new(
            ErrorKind::AlreadyAnswered,
            format!(
                "operation {:?} has its message: complete it",
                op_id.as_str()
            ),
        ));
    }
    Ok(Some(known))
}

pub(super) fn already_settled(op_id: &OpId) -> Error {
    Error::new(
        ErrorKind::AlreadySettled,
        format!(
            "operation {:?} is settled: give each operation its own id",
            op_id.as_str()
        ),
    )
}

fn is_being_settled(op_id: &OpId) -> Error {
    Error::new(
        ErrorKind::AlreadySettled,
        format!(
            "operation {:?} is being settled: settle each operation once",
            op_id.as_str()
        ),
    )
}
