//! The results of one turn's parallel calls: one budget over all, one batch for the store.

use artifacts_core::{Measure, OpId};

use crate::policy::Treatment;
use crate::prepared::{Decision, LEAST, Prepared, of_graphemes};
use crate::settle::unclaimed;
use crate::{Operation, Settled, Settler, ToolResult, spans};

impl Settler {
    /// Settles the results of parallel calls, in the order given, which is the order of the calls
    /// in the model's message. What has to be stored is stored as one batch.
    ///
    /// With a [turn budget](Self::with_turn_budget) limits are lowered before anything is settled,
    /// until the texts together show no more graphemes than it has. What counts of a result is
    /// what its observation shows of its text: all of it, or the two ends that its policy shows.
    /// Markers, hints, framing and parts are outside the budget, as they are outside the limit.
    ///
    /// The result with the most bytes is lowered first, ties in the order of the calls, by what is
    /// too much: to no less than 512 graphemes, whatever the unit of its limit, so that the budget
    /// is not kept where 512 for each are more. The second is lowered only by what the first could
    /// not give. What passes whole under its policy, and what was made to fit, the
    /// [answers](crate::ToolAnswer) of the retrieval tools and polled results, counts but is not
    /// lowered: no second artifact is made of it (SPEC 6.2). It follows from the batch alone
    /// (SPEC 5.5).
    ///
    /// ```
    /// use artifacts_core::Shape;
    /// use loop_integration::{Operation, Settler, ToolResult};
    ///
    /// let settler = Settler::new(Shape::excerpt()).with_turn_budget(6_000);
    /// let calls = [("op-1", 2_000), ("op-2", 9_000)].map(|(op_id, size)| {
    ///     (Operation::new(op_id), ToolResult::success("a".repeat(size)))
    /// });
    /// let settled = settler.settle_batch(calls.into());
    /// assert_eq!(settled[0].observation().len(), 2_000);
    /// assert_eq!(settled[1].elided(), 5_000);
    /// ```
    #[must_use = "the observations are what the model must be shown"]
    pub fn settle_batch(&self, results: Vec<(Operation, ToolResult)>) -> Vec<Settled> {
        let (settled, _) = unclaimed(self.settle_batch_claimed(results, |_| Ok(())));
        settled
    }

    /// As [`settle_batch`](Self::settle_batch), asking `claim` for those that are stored, if any
    /// are; what it refuses is not settled, and nothing of the batch is.
    pub(crate) fn settle_batch_claimed<C, E>(
        &self,
        results: Vec<(Operation, ToolResult)>,
        claim: impl FnOnce(&[&OpId]) -> Result<C, E>,
    ) -> Result<(Vec<Settled>, Option<C>), E> {
        let (operations, results) = results.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
        let spans = operations
            .iter()
            .zip(&results)
            .map(|(operation, result)| spans::settle(operation, result.bytes().len()))
            .collect::<Vec<_>>();
        let mut prepared = operations
            .iter()
            .zip(results)
            .map(|(operation, result)| self.prepare(operation, result))
            .collect::<Vec<_>>();
        if let Some(budget) = self.turn_budget {
            share(&mut prepared, budget);
        }
        let decisions = prepared.iter().map(Prepared::decide).collect::<Vec<_>>();
        let is_stored = decisions.iter().map(Decision::is_stored);
        let op_ids = prepared.iter().zip(is_stored);
        let op_ids = op_ids
            .filter(|(_, is_stored)| *is_stored)
            .map(|(prepared, _)| prepared.operation.op_id())
            .collect::<Vec<_>>();
        let claimed = match op_ids.as_slice() {
            [] => None,
            op_ids => Some(claim(op_ids)?),
        };
        let mut stored = self.store_all(&prepared, &decisions).into_iter();
        let settled = prepared.iter().zip(&decisions).zip(spans);
        let settled = settled
            .map(|((prepared, decision), span)| {
                let stored = match decision.is_stored() {
                    true => stored.next(),
                    false => None,
                };
                let settled = self.conclude(prepared, decision, stored);
                spans::settled(&span, &settled);
                settled
            })
            .collect();
        Ok((settled, claimed))
    }

    /// One outcome for each result that is stored, in order; none without a store.
    fn store_all<'s>(
        &self,
        prepared: &'s [Prepared<'_>],
        decisions: &[Decision<'s>],
    ) -> Vec<Result<artifacts_fs::DurableArtifact, artifacts_fs::Error>> {
        let items = prepared
            .iter()
            .zip(decisions)
            .filter(|(_, decision)| decision.is_stored())
            .map(|(prepared, decision)| prepared.item(decision))
            .collect::<Vec<_>>();
        match self.store() {
            Some(store) if !items.is_empty() => {
                let bytes = items.iter().map(|item| item.bytes.bytes().len()).sum();
                let _span = spans::store(bytes).entered();
                store.store_batch(&items)
            }
            _ => Vec::new(),
        }
    }
}

/// Lowers limits, the largest result's first, until what is shown is within `budget` graphemes.
fn share(prepared: &mut [Prepared<'_>], budget: u64) {
    let mut shown = prepared.iter().map(shown).collect::<Vec<_>>();
    let mut by_size = (0..prepared.len()).collect::<Vec<_>>();
    let size = |index: &usize| prepared.get(*index).map(|one| one.result.bytes().len());
    by_size.sort_by_key(|index| std::cmp::Reverse(size(index)));
    for index in by_size {
        let total = shown.iter().copied().fold(0, u64::saturating_add);
        let excess = total.saturating_sub(budget);
        if excess == 0 {
            return;
        }
        let (Some(one), Some(shows)) = (prepared.get_mut(index), shown.get_mut(index)) else {
            return;
        };
        let left = shows.saturating_sub(excess).max(LEAST);
        if let Treatment::Limited(shape) = one.treatment
            && one.result.answer.is_none()
            && left < *shows
        {
            one.turn_limit = Some(left);
            one.treatment = Treatment::Limited(of_graphemes(shape, left));
            // Not always what is left: an excerpt is never longer than the whole (SPEC 2.4).
            *shows = self::shown(one);
        }
    }
}

/// Graphemes of its text that the result shows.
fn shown(prepared: &Prepared<'_>) -> u64 {
    match prepared.decide() {
        Decision::Cut(_, ends) => ends.cut().shown(),
        Decision::Whole(text) | Decision::WholeAndStored(text) => Measure::of(&text).graphemes(),
    }
}
