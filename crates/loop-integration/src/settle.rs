//! The seam: the one function through which every tool result becomes an observation.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use artifacts_core::{Hint, Marker, Measured, NotStored, OpId, Shape, Stage};
use artifacts_fs::{ArtifactStore, DurableArtifact, StoreItem};

use crate::hooks::{Redactor, Transform};
use crate::prepared::{Decision, Prepared, lowered};
use crate::settled::Facts;
use crate::{Error, ErrorKind, Kept, Operation, Policy, Settled, ToolResult, spans};

/// Turns every tool result into the one string the model sees (SPEC 5.1).
///
/// The observation depends on the result, the policy, the op id and whether the store could keep
/// the bytes, and on nothing else (I2). A store that fails never fails the call (I9).
///
/// ```
/// use std::sync::Arc;
///
/// use artifacts_core::{Limit, Shape};
/// use artifacts_fs::MemoryStore;
/// use loop_integration::{Operation, Settler, ToolResult};
///
/// let settler = Settler::new(Shape::new(Limit::graphemes(100)?))
///     .with_store(Arc::new(MemoryStore::default()));
/// let huge = "0123456789\n".repeat(1_000);
/// let settled = settler.settle(&Operation::new("op-1"), ToolResult::success(huge));
/// assert!(settled.observation().contains("full result: op-1.txt sha256 "));
/// assert!(settled.artifact().is_some());
/// # Ok::<(), artifacts_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Settler {
    pub(crate) policy: Policy,
    tools: BTreeMap<Arc<str>, Policy>,
    transforms: BTreeMap<Arc<str>, Transform>,
    redactor: Option<Arc<dyn Redactor>>,
    store: Option<Arc<dyn ArtifactStore>>,
    pub(crate) hint: Option<Hint>,
    pub(crate) turn_budget: Option<u64>,
}

impl Settler {
    /// Cuts what is over the shape's limit. Nothing is stored until there is a
    /// [store](Self::with_store).
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self::with_policy(Policy::limited(shape))
    }

    /// Treats every tool's results by `policy`. The default passes every byte (SPEC 1.5).
    #[must_use]
    pub fn with_policy(policy: Policy) -> Self {
        Self {
            policy,
            ..Self::default()
        }
    }

    /// Stores full results in `store`.
    #[must_use]
    pub fn with_store(self, store: Arc<dyn ArtifactStore>) -> Self {
        Self {
            store: Some(store),
            ..self
        }
    }

    /// Treats the results of `tool` by a policy of its own.
    #[must_use]
    pub fn with_tool(mut self, tool: impl Into<Arc<str>>, policy: Policy) -> Self {
        self.tools.insert(tool.into(), policy);
        self
    }

    /// Shapes the results of `tool` before anything else happens to them. What it returns is the
    /// tool result from there on: it is measured, stored and cut.
    ///
    /// It must depend on its argument alone (I2).
    #[must_use]
    pub fn with_transform(
        mut self,
        tool: impl Into<Arc<str>>,
        transform: impl Fn(ToolResult) -> ToolResult + Send + Sync + 'static,
    ) -> Self {
        self.transforms
            .insert(tool.into(), Transform::new(transform));
        self
    }

    /// Takes secrets out of every text of a result before it is stored, shown or recorded; file,
    /// size and digest are those of the redacted bytes, and the settle record says so. See
    /// [`Redactor`] for what it sees.
    #[must_use]
    pub fn with_redactor(self, redactor: Arc<dyn Redactor>) -> Self {
        Self {
            redactor: Some(redactor),
            ..self
        }
    }

    /// Names the tools that read more, under every marker that names a file. Give it only where
    /// these tools are registered for this very agent (SPEC 3.6).
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Self {
        Self {
            hint: Some(hint),
            ..self
        }
    }

    /// Bounds what the texts of a batch of parallel results show together, in graphemes (SPEC
    /// 5.5). [`settle_batch`](Self::settle_batch) tells what counts and which result gives way;
    /// results that are settled one by one have no budget in common.
    #[must_use]
    pub fn with_turn_budget(self, graphemes: u64) -> Self {
        Self {
            turn_budget: Some(graphemes),
            ..self
        }
    }

    /// The policy of the operation's tool.
    #[must_use]
    pub fn policy(&self, operation: &Operation) -> Policy {
        let of_tool = operation.tool().and_then(|tool| self.tools.get(tool));
        of_tool.copied().unwrap_or(self.policy)
    }

    /// The start-up check: refuses caps that together lose data silently, for the policy of
    /// every tool (SPEC 5.6). `before` are the caps between the tool and this settle path,
    /// `after` those between it and the model.
    ///
    /// ```
    /// use artifacts_core::{Limit, Shape, Stage, Unit};
    /// use loop_integration::Settler;
    ///
    /// let settler = Settler::new(Shape::excerpt());
    /// let host = Stage::cuts("host.max_output", Limit::new(Unit::Bytes, 10_000)?);
    /// assert!(settler.check_caps(&[], &[host]).is_err());
    /// assert!(settler.check_caps(&[], &[Stage::captures("host.capture", 10)]).is_err());
    /// assert!(settler.check_caps(&[], &[]).is_ok());
    /// # Ok::<(), artifacts_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Caps`] naming the two settings.
    pub fn check_caps(&self, before: &[Stage<'_>], after: &[Stage<'_>]) -> Result<(), Error> {
        let tools = self.tools.iter().map(|(tool, policy)| {
            let setting = format!("limit of {tool}");
            (setting, policy)
        });
        let own = std::iter::once(("limit".to_owned(), &self.policy)).chain(tools);
        for (setting, policy) in own {
            let settles = policy.shape().map(|shape| Stage::settles(&setting, *shape));
            let stages = [before, settles.as_slice(), after].concat();
            artifacts_core::check_order(&stages)
                .map_err(|error| Error::new(ErrorKind::Caps, error.to_string()))?;
        }
        Ok(())
    }

    /// The store, if there is one.
    #[must_use]
    pub fn store(&self) -> Option<&Arc<dyn ArtifactStore>> {
        self.store.as_ref()
    }

    /// Settles one result. Blocks while the store writes.
    #[must_use = "the observation is what the model must be shown"]
    pub fn settle(&self, operation: &Operation, result: ToolResult) -> Settled {
        let (settled, _) = unclaimed(self.settle_claimed(operation, result, |_| Ok(())));
        settled
    }

    /// As [`settle`](Self::settle), asking `claim` before anything is stored, if anything is; what
    /// it refuses is not settled.
    pub(crate) fn settle_claimed<C, E>(
        &self,
        operation: &Operation,
        result: ToolResult,
        claim: impl FnOnce(&[&OpId]) -> Result<C, E>,
    ) -> Result<(Settled, Option<C>), E> {
        let span = spans::settle(operation, result.bytes().len());
        let _entered = span.enter();
        let prepared = self.prepare(operation, result);
        let decision = prepared.decide();
        let is_stored = decision.is_stored();
        let claimed = is_stored.then(|| claim(&[operation.op_id()])).transpose()?;
        let stored = match is_stored {
            true => self.store_one(&prepared.item(&decision)),
            false => None,
        };
        let settled = self.conclude(&prepared, &decision, stored);
        spans::settled(&span, &settled);
        Ok((settled, claimed))
    }

    /// Whether a streamed result must be whole in memory before anything can be decided.
    pub(crate) fn reads_whole(&self, operation: &Operation) -> bool {
        let transformed = operation
            .tool()
            .is_some_and(|tool| self.transforms.contains_key(tool));
        transformed || self.redactor.is_some()
    }

    /// Transforms, redacts and joins.
    pub(crate) fn prepare<'a>(&self, operation: &'a Operation, result: ToolResult) -> Prepared<'a> {
        let policy = self.policy(operation);
        let cap_bytes = result.cap_bytes;
        let transform = operation.tool().and_then(|tool| self.transforms.get(tool));
        let result = match transform {
            Some(transform) => transform.apply(result),
            None => result,
        };
        let mut result = result.with_known_words().with_shallow_parts();
        let mut redacted = 0;
        if let Some(redactor) = &self.redactor {
            redacted = result.redact(redactor.as_ref());
        }
        let result = result.with_large_texts_joined(policy.shape());
        let part_bytes = result.counted_part_bytes();
        Prepared {
            operation,
            result,
            treatment: lowered(policy.treatment(), part_bytes),
            redacted,
            turn_limit: None,
            cap_bytes,
        }
    }

    fn store_one(&self, item: &StoreItem<'_>) -> StoreOutcome {
        let store = self.store.as_ref()?;
        let _span = spans::store(item.bytes.bytes().len()).entered();
        Some(store.store_item(item))
    }

    /// Makes the observation, once what can be stored is.
    pub(crate) fn conclude(
        &self,
        prepared: &Prepared<'_>,
        decision: &Decision<'_>,
        stored: StoreOutcome,
    ) -> Settled {
        match decision {
            Decision::Whole(text) => whole(prepared, text),
            Decision::WholeAndStored(text) => {
                let (kept, _, facts) = kept(prepared, decision, stored);
                prepared.finish(text, kept, facts)
            }
            Decision::Cut(shape, ends) => {
                let (kept, measured, facts) = kept(prepared, decision, stored);
                let _span = spans::excerpt(measured.measure().bytes()).entered();
                let cut = ends.cut();
                let elided = cut.elided(&measured);
                let marker = marker(&kept, &measured, elided);
                let marker = marker.with_capture(prepared.result.capture);
                let body = shape.render_with_hint(&cut, &marker, self.hint.as_ref());
                prepared.finish(&body, kept, Facts { elided, ..facts })
            }
        }
    }
}

/// Where the result is now, and what is known of it.
fn kept(
    prepared: &Prepared<'_>,
    decision: &Decision<'_>,
    stored: StoreOutcome,
) -> (Kept, Measured, Facts) {
    let (kept, store_error) = keep(stored);
    let measured = match &kept {
        Kept::Stored(artifact) if is_whole(artifact, prepared) => *artifact.measured(),
        _ => prepared.unmeasured(decision).measure(),
    };
    let facts = Facts {
        measured: Some(measured),
        replaced: measured.replaced(),
        store_error,
        ..Facts::default()
    };
    (kept, measured, facts)
}

/// What passes whole, with the artifact that an answer is the first to name.
fn whole(prepared: &Prepared<'_>, text: &str) -> Settled {
    let facts = Facts {
        replaced: prepared.replaced(),
        ..Facts::default()
    };
    let answer = prepared.result.answer.clone().unwrap_or_default();
    match answer.artifact {
        None => prepared.finish(text, Kept::Whole, facts),
        Some(artifact) => prepared.finish(
            text,
            Kept::Stored(artifact),
            Facts {
                measured: answer.measured,
                elided: answer.elided,
                ..facts
            },
        ),
    }
}

/// What was settled under a claim that is never refused.
pub(crate) fn unclaimed<T>(settled: Result<T, Infallible>) -> T {
    match settled {
        Ok(settled) => settled,
        Err(never) => match never {},
    }
}

/// What a store answered; `None` without a store.
pub(crate) type StoreOutcome = Option<Result<DurableArtifact, artifacts_fs::Error>>;

/// Whatever goes wrong with a store becomes a reason in the marker (I9), and its message, which
/// names base names only, goes to the record.
pub(crate) fn keep(stored: StoreOutcome) -> (Kept, Option<String>) {
    match stored {
        None => (Kept::NotStored(NotStored::NoSession), None),
        Some(Ok(artifact)) => (Kept::Stored(artifact), None),
        Some(Err(error)) => (Kept::NotStored(NotStored::Failed), Some(error.to_string())),
    }
}

pub(crate) fn marker(kept: &Kept, measured: &Measured, elided: u64) -> Marker {
    match kept {
        Kept::Stored(artifact) => Marker::stored(artifact, measured, elided),
        Kept::NotStored(why) => Marker::not_stored(*why, measured, elided),
        Kept::Whole => Marker::not_stored(NotStored::Other, measured, elided),
    }
}

/// Whether the store kept every byte, so that its measure is the result's.
fn is_whole(artifact: &DurableArtifact, prepared: &Prepared<'_>) -> bool {
    artifact.measured().measure().bytes() == prepared.result.bytes().len() as u64
}
