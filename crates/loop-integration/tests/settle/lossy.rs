//! Bytes that are no UTF-8 settle as their whole decoding does, though no more of them is decoded
//! than is shown (SPEC 1.7).

use std::sync::Arc;

use artifacts_core::{Growth, Hint, Limit, Marker, Measure, Measured, NotStored, Rendering};
use artifacts_core::{Shape, Unit};
use artifacts_fs::{ArtifactStore as _, MemoryStore};
use loop_integration::{Ending, Operation, Policy, Redacted, Redactor, Settled, Settler};
use loop_integration::{Kept, ToolResult};
use proptest::prelude::*;

/// What joins, breaks or is no UTF-8, and what may be taken for it.
const PIECES: &[&[u8]] = &[
    b"word ",
    b"0123456789\n",
    b"\r",
    b"\n",
    b"\r\n",
    b"\0\x1b",
    "é日본".as_bytes(),
    "e\u{301}\u{302}".as_bytes(),
    "\u{301}".as_bytes(),
    "👩\u{200d}💻".as_bytes(),
    "\u{200d}".as_bytes(),
    "🇩🇪".as_bytes(),
    "🇩".as_bytes(),
    "क्षि".as_bytes(),
    "\u{1100}\u{1160}\u{11a8}".as_bytes(),
    "\u{600}".as_bytes(),
    "\u{fffd}".as_bytes(),
    // Truncated.
    b"\xC3",
    b"\xE2\x82",
    b"\xF0\x9F",
    b"\xF0\x9F\x91",
    // Continuations of nothing, surrogates, overlong and too large sequences.
    b"\x80",
    b"\xBF\xBF\xBF",
    b"\xED\xA0\x80",
    b"\xED\xB0\x80\xED",
    b"\xC0\x80",
    b"\xE0\x80\x80",
    b"\xF0\x80\x80\x80",
    b"\xF4\x90\x80\x80",
    b"\xFE\xFF",
];

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => (prop::sample::select(PIECES), 1..12_usize).prop_map(|(piece, n)| piece.repeat(n)),
        1 => prop::collection::vec(any::<u8>(), 1..80),
    ];
    let run = (prop::sample::select(PIECES), 0..600_usize).prop_map(|(piece, n)| piece.repeat(n));
    let pieces = prop::collection::vec(piece, 0..60);
    (pieces, 1..30_usize, prop::bool::weighted(0.2), run).prop_map(|(pieces, n, at_start, run)| {
        let body = pieces.concat().repeat(n);
        match at_start {
            true => [run, body].concat(),
            false => [body, run].concat(),
        }
    })
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let unit = prop::sample::select(vec![Unit::Graphemes, Unit::Bytes, Unit::Scalars]);
    let rendering = prop_oneof![
        3 => Just(Rendering::Excerpt),
        1 => prop::sample::select(vec![
            Rendering::HeadNote, Rendering::Pointer, Rendering::Header,
        ]),
    ];
    let split = prop::sample::select(vec![(3, 1), (1, 1), (0, 1), (1, 0), (1, 9)]);
    let snap = prop_oneof![3 => Just(0), 1 => 1..200_u32, 1 => Just(u32::MAX)];
    let trailer = prop_oneof![2 => Just(0), 1 => 1..5_u32];
    let growth = prop_oneof![4 => Just(Growth::Never), 1 => Just(Growth::Allowed)];
    let amount = prop_oneof![1..50_u64, 50..3_000_u64];
    let ceiling = prop_oneof![3 => Just(None), 1 => (1..4_000_u64).prop_map(Some)];
    let limits = (unit, amount, ceiling, growth);
    (limits, rendering, split, snap, trailer).prop_map(
        |((unit, amount, ceiling, growth), rendering, (head, tail), snap, trailer)| {
            let limit = Limit::new(unit, amount).unwrap();
            let limit = ceiling.map_or(limit, |bytes| limit.with_byte_ceiling(bytes).unwrap());
            Shape::new(limit)
                .with_rendering(rendering)
                .with_split(head, tail)
                .unwrap()
                .with_line_snap(snap)
                .with_trailer(trailer)
                .with_growth(growth)
        },
    )
}

/// What a settler is given: a result's bytes, and how its tool's results are treated.
#[derive(Debug, Clone)]
struct Case {
    bytes: Vec<u8>,
    policy: Policy,
    ending: Ending,
}

fn any_case() -> impl Strategy<Value = Case> {
    let policy = prop_oneof![
        6 => any_shape().prop_map(Policy::limited),
        1 => any_shape().prop_map(Policy::raw),
        1 => Just(Policy::exempt()),
    ];
    let ending = prop::sample::select(vec![Ending::Success, Ending::Success, Ending::Error]);
    (hostile(), policy, ending).prop_map(|(bytes, policy, ending)| Case {
        bytes,
        policy,
        ending,
    })
}

/// The plainest way to the same observation: all is decoded, then cut, measured and counted.
struct Plain {
    text: String,
    shape: Option<Shape>,
    is_limited: bool,
    turn_limit: Option<u64>,
}

impl Plain {
    fn of(case: &Case) -> Self {
        Self {
            text: String::from_utf8_lossy(&case.bytes).into_owned(),
            shape: case.policy.shape().copied(),
            is_limited: case.policy.name() == "limited",
            turn_limit: None,
        }
    }

    fn shown(&self) -> u64 {
        let limited = self.shape.filter(|_| self.is_limited);
        let cut = limited.and_then(|shape| shape.shorten(&self.text));
        cut.map_or_else(|| Measure::of(&self.text).graphemes(), |cut| cut.shown())
    }

    /// The turn's budget (SPEC 5.5).
    fn share(plain: &mut [Self], cases: &[Case], budget: u64) {
        let mut order = (0..plain.len()).collect::<Vec<_>>();
        order.sort_by_key(|index| std::cmp::Reverse(cases[*index].bytes.len()));
        for index in order {
            let total = plain.iter().map(Self::shown).sum::<u64>();
            let shows = plain[index].shown();
            let left = shows.saturating_sub(total.saturating_sub(budget)).max(512);
            if let Some(shape) = plain[index].shape
                && plain[index].is_limited
                && total > budget
                && left < shows
            {
                let limit = Limit::graphemes(left).unwrap();
                let limit = limit.with_byte_ceiling(shape.limit().byte_ceiling());
                plain[index].shape = Some(shape.with_limit(limit.unwrap()));
                plain[index].turn_limit = Some(left);
            }
        }
    }

    /// `cap` bytes at most are stored.
    fn check(
        &self,
        case: &Case,
        settled: &Settled,
        hint: &Hint,
        store: Option<&MemoryStore>,
        cap: usize,
    ) {
        assert_eq!(settled.turn_limit(), self.turn_limit);
        assert_eq!(settled.ending(), case.ending);
        let invalid = case.bytes.utf8_chunks();
        let invalid = invalid.filter(|chunk| !chunk.invalid().is_empty()).count();
        assert_eq!(settled.replaced(), invalid as u64);
        let cut = match self.shape {
            Some(shape) if self.is_limited => shape.shorten(&self.text).map(|cut| (shape, cut)),
            _ => None,
        };
        let is_raw = self.shape.is_some() && !self.is_limited;
        let is_stored = match self.shape {
            Some(shape) if is_raw => !shape.limit().fits(&self.text),
            _ => cut.is_some(),
        };
        let measured = Measured::of(&case.bytes);
        assert_eq!(settled.measured(), is_stored.then_some(&measured));
        match (settled.kept(), store) {
            (Kept::Whole, _) => assert!(!is_stored),
            (Kept::Stored(artifact), Some(store)) => {
                let kept = &case.bytes[..cap.min(case.bytes.len())];
                assert!(is_stored);
                assert_eq!(artifact.measured(), &Measured::of(kept));
                assert_eq!(store.read(&artifact.into()).unwrap(), kept);
            }
            (kept, None) => assert_eq!(kept, &Kept::NotStored(NotStored::NoSession)),
            (kept, _) => panic!("{kept:?}"),
        }
        let Some((shape, cut)) = cut else {
            assert_eq!(settled.observation(), self.text);
            assert_eq!(settled.elided(), 0);
            return;
        };
        let elided = cut.elided(&measured);
        assert_eq!(settled.elided(), elided);
        let marker = match settled.artifact() {
            Some(artifact) => Marker::stored(artifact, &measured, elided),
            None => Marker::not_stored(NotStored::NoSession, &measured, elided),
        };
        let observation = shape.render_with_hint(&cut, &marker, Some(hint));
        assert_eq!(settled.observation(), observation);
    }
}

fn settler(cases: &[Case], store: Option<&Arc<MemoryStore>>, hint: &Hint) -> Settler {
    let settler = cases.iter().enumerate().fold(
        Settler::default().with_hint(hint.clone()),
        |settler, (index, case)| settler.with_tool(format!("tool-{index}"), case.policy),
    );
    match store {
        Some(store) => settler.with_store(store.clone()),
        None => settler,
    }
}

fn operation(index: usize) -> Operation {
    Operation::new(format!("op-{index}")).of_tool(format!("tool-{index}"))
}

/// Takes the letters out that words have, which leaves what is no UTF-8 where it was.
#[derive(Debug)]
struct Letters;

impl Redactor for Letters {
    fn redact(&self, mut bytes: Vec<u8>) -> Redacted {
        let all = bytes.len();
        bytes.retain(|byte| !byte.is_ascii_lowercase());
        let places = (all - bytes.len()) as u64;
        Redacted::new(bytes, places)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn bytes_settle_as_their_decoding_does(
        case in any_case(),
        has_store in any::<bool>(),
        redacts in prop::bool::weighted(0.2),
    ) {
        let hint = Hint::new(["read_artifact"]).unwrap();
        let store = has_store.then(|| Arc::new(MemoryStore::default()));
        let settler = settler(std::slice::from_ref(&case), store.as_ref(), &hint);
        let result = ToolResult::ended(case.ending, case.bytes.clone());
        let (settler, case) = match redacts {
            false => (settler, case),
            true => {
                let mut bytes = case.bytes;
                bytes.retain(|byte| !byte.is_ascii_lowercase());
                (settler.with_redactor(Arc::new(Letters)), Case { bytes, ..case })
            }
        };
        let settled = settler.settle(&operation(0), result);
        Plain::of(&case).check(&case, &settled, &hint, store.as_deref(), usize::MAX);
    }

    #[test]
    fn a_batch_of_bytes_shares_its_budget_as_their_decodings_do(
        cases in prop::collection::vec(any_case(), 1..6),
        budget in prop_oneof![0..4_000_u64, Just(u64::MAX)],
    ) {
        let hint = Hint::new(["read_artifact"]).unwrap();
        let store = Arc::new(MemoryStore::default());
        let settler = settler(&cases, Some(&store), &hint).with_turn_budget(budget);
        let batch = cases.iter().enumerate().map(|(index, case)| {
            (operation(index), ToolResult::ended(case.ending, case.bytes.clone()))
        });
        let settled = settler.settle_batch(batch.collect());
        let mut plain = cases.iter().map(Plain::of).collect::<Vec<_>>();
        Plain::share(&mut plain, &cases, budget);
        for ((plain, case), settled) in plain.iter().zip(&cases).zip(&settled) {
            plain.check(case, settled, &hint, Some(&store), usize::MAX);
        }
    }

    #[test]
    fn a_cap_on_what_is_stored_changes_nothing_of_what_is_shown(
        case in any_case(),
        cap in 1..20_000_usize,
    ) {
        let hint = Hint::new(["read_artifact"]).unwrap();
        let store = Arc::new(MemoryStore::default());
        let settler = settler(std::slice::from_ref(&case), Some(&store), &hint);
        let mut stream = settler.stream(operation(0)).with_cap(cap as u64);
        stream.write(&case.bytes);
        let settled = stream.finish(case.ending);
        Plain::of(&case).check(&case, &settled, &hint, Some(&store), cap);
    }
}

/// Far over the limit, where only a small part of either end is decoded.
#[test]
fn large_bytes_settle_as_their_decoding_does() {
    let hint = Hint::new(["read_artifact"]).unwrap();
    let store = Arc::new(MemoryStore::default());
    for (index, piece) in PIECES.iter().enumerate() {
        let bytes = [piece.repeat(300_000 / piece.len()), b"\xFF".to_vec()].concat();
        let other = [b"\xF0\x9F\x91".to_vec(), piece.repeat(150_000)].concat();
        for bytes in [bytes, other] {
            let policy = Policy::limited(Shape::excerpt());
            let case = Case {
                bytes,
                policy,
                ending: Ending::Success,
            };
            let settler = Settler::with_policy(policy).with_hint(hint.clone());
            let settler = settler.with_store(store.clone());
            let result = ToolResult::success(case.bytes.clone());
            let settled = settler.settle(&operation(index), result);
            Plain::of(&case).check(&case, &settled, &hint, Some(&store), usize::MAX);
        }
    }
}
