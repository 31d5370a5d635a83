//! Batches: order, the turn's budget, parallel settles (SPEC 5.5).

use std::collections::BTreeSet;
use std::sync::Arc;

use artifacts_core::{Limit, Measure, Shape, Unit};
use artifacts_fs::{ArtifactDir, ArtifactStore as _};
use loop_integration::{ErrorKind, Operation, Policy, Session, Settler, ToolResult, Transcript};

use crate::support::{Run, huge, operation, shape, ticking};

#[test]
fn a_batch_settles_as_its_results_do_one_by_one_and_in_model_order() {
    let run = Run::new();
    let session = run.session();
    let results = (0..16).map(|n| {
        let text = if n % 3 == 0 {
            format!("short {n}")
        } else {
            format!("{n}{}", huge())
        };
        (operation(n), ToolResult::success(text))
    });
    let results = results.collect::<Vec<_>>();
    let settled = session.settle_batch(results.clone()).unwrap();

    let other = Run::new();
    let alone = other.session();
    for ((operation, result), in_batch) in results.into_iter().zip(&settled) {
        let settled = alone.settle(&operation, result).unwrap();
        assert_eq!(settled.observation(), in_batch.observation());
        assert_eq!(settled.kept(), in_batch.kept());
    }
    let texts = |session: &Session| {
        let transcript = session.transcript();
        transcript
            .messages()
            .iter()
            .map(|m| m.text().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&session), texts(&alone));
}

#[test]
fn a_batch_with_one_refused_operation_settles_none_and_writes_nothing() {
    let run = Run::new();
    let session = run.session();
    session
        .settle(&operation(2), ToolResult::success("ok"))
        .unwrap();
    let before = run.lines();
    let batch = [1, 2, 3].map(|n| (operation(n), ToolResult::success(huge())));
    let error = session.settle_batch(batch.into()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadySettled);
    assert_eq!(session.transcript().messages().len(), 1);
    let twice = [1, 1].map(|n| (operation(n), ToolResult::success("ok")));
    assert!(session.settle_batch(twice.into()).is_err());
    assert_eq!(run.lines(), before);
    session
        .settle(&operation(1), ToolResult::success("ok"))
        .unwrap();
}

#[test]
fn the_turn_budget_lowers_the_largest_first_with_ties_in_call_order() {
    let settler = Settler::new(shape(4_000)).with_turn_budget(8_000);
    let sizes = [3_000, 9_000, 9_000, 100];
    let batch = sizes.into_iter().enumerate();
    let batch = batch.map(|(n, size)| (operation(n), ToolResult::success("a".repeat(size))));
    let settled = settler.settle_batch(batch.collect());
    let limits = settled
        .iter()
        .map(|settled| settled.turn_limit())
        .collect::<Vec<_>>();
    // Shown would be 3,000 + 4,000 + 4,000 + 100: the first of the largest gives 3,100 up.
    assert_eq!(limits, [None, Some(900), None, None]);
    assert_eq!(settled[1].elided(), 8_100);
    assert_eq!(settled[1].envelope(0).turn_limit(), Some(900));
    assert_eq!(settled[2].elided(), 5_000);

    // What the budget leaves is no less than 512 each, even where that is too much together.
    let batch = (0..8).map(|n| (operation(n), ToolResult::success("a".repeat(9_000))));
    let settled = settler.with_turn_budget(1).settle_batch(batch.collect());
    assert!(
        settled
            .iter()
            .all(|settled| settled.turn_limit() == Some(512))
    );
}

/// What the texts show of a batch whose results have limits in every unit.
#[test]
fn the_turn_budget_counts_graphemes_of_the_text_whatever_the_unit_and_nothing_else() {
    let of = |unit, amount| Policy::limited(Shape::new(Limit::new(unit, amount).unwrap()));
    let family = "\u{1F469}\u{200D}\u{1F467}";
    let calls = [
        (
            "graphemes",
            of(Unit::Graphemes, 4_000),
            family.repeat(9_000),
        ),
        ("bytes", of(Unit::Bytes, 4_000), "b".repeat(90_000)),
        ("scalars", of(Unit::Scalars, 4_000), family.repeat(8_000)),
        ("tokens", of(Unit::Tokens, 1_000), "word ".repeat(9_000)),
        ("whole", Policy::exempt(), "w".repeat(700)),
    ];
    let settler = Settler::default();
    let settler = calls.iter().fold(settler, |settler, (tool, policy, _)| {
        settler.with_tool(*tool, *policy)
    });
    let shown = |budget: Option<u64>| {
        let settler = match budget {
            Some(budget) => settler.clone().with_turn_budget(budget),
            None => settler.clone(),
        };
        let batch = calls.iter().map(|(tool, _, text)| {
            let operation = Operation::new(*tool).of_tool(*tool);
            (operation, ToolResult::success(text.as_str()))
        });
        let settled = settler.settle_batch(batch.collect());
        let shown = settled.iter().zip(&calls).map(|(settled, (_, _, text))| {
            // What a text shows is what it has without what is left out: no marker.
            let graphemes = Measure::of(text).graphemes();
            (graphemes - settled.elided(), settled.turn_limit())
        });
        shown.collect::<Vec<_>>()
    };
    let sum = |shown: &[(u64, Option<u64>)]| shown.iter().map(|(shown, _)| shown).sum::<u64>();
    let alone = shown(None);
    assert_eq!(shown(Some(sum(&alone))), alone, "it fits to the grapheme");
    let less = shown(Some(sum(&alone) - 1));
    assert_eq!(sum(&less), sum(&alone) - 1);
    let lowered = |shown: &[(u64, Option<u64>)]| {
        let is_lowered = |(_, limit): &(u64, Option<u64>)| limit.is_some();
        shown.iter().map(is_lowered).collect::<Vec<_>>()
    };
    // By bytes: families of 11 bytes are the largest, then what has its limit in scalars.
    assert_eq!(lowered(&less), [true, false, false, false, false]);
    let least = shown(Some(4 * 512 + 700));
    assert_eq!(sum(&least), 4 * 512 + 700);
    assert_eq!(shown(Some(1)), least);
    for budget in (3_000..sum(&alone)).step_by(500) {
        assert_eq!(sum(&shown(Some(budget))), budget);
    }
}

/// The part counts against its result's own limit first, so the text shows no more than is left.
#[test]
fn the_turn_budget_lowers_what_a_part_has_left_of_a_limit() {
    let part = serde_json::json!({"type": "hologram", "frames": "x".repeat(1_000)});
    let with_part = ToolResult::success("a".repeat(9_000)).with_parts([part]);
    let batch = [with_part, ToolResult::success("b".repeat(8_000))];
    let settle = |budget| {
        let batch = (1..).map(operation).zip(batch.clone());
        let settler = Settler::new(shape(4_000)).with_turn_budget(budget);
        let settled = settler.settle_batch(batch.collect());
        [9_000 - settled[0].elided(), 8_000 - settled[1].elided()]
    };
    // {"frames":"…","type":"hologram"} has 1,031 bytes.
    assert_eq!(settle(10_000), [2_969, 4_000]);
    assert_eq!(settle(6_000), [2_000, 4_000]);
}

/// A policy's own byte ceiling stays, however the limit is lowered.
#[test]
fn a_lowered_limit_shows_no_more_bytes_than_the_policy_does() {
    let limit = Limit::graphemes(4_000).unwrap();
    let shape = Shape::new(limit.with_byte_ceiling(6_000).unwrap());
    let family = "\u{1F469}\u{200D}\u{1F467}".repeat(5_000);
    let settler = Settler::new(shape).with_turn_budget(5_000);
    let batch = [family.as_str(), &"a".repeat(40_000)].map(ToolResult::success);
    let settled = settler.settle_batch((1..).map(operation).zip(batch).collect());
    assert!(
        settled
            .iter()
            .all(|settled| settled.observation().len() < 6_300)
    );
}

#[test]
fn parallel_settles_with_one_tool_call_id_give_as_many_true_records() {
    let run = Run::new();
    let session = run.session();
    std::thread::scope(|scope| {
        for n in 0..64 {
            let session = &session;
            scope.spawn(move || {
                let operation = Operation::new(format!("op-{n}")).answering("call");
                let text = format!("{n}\n{}", huge());
                session
                    .settle(&operation, ToolResult::success(text))
                    .unwrap();
            });
        }
    });
    let transcript = Transcript::load(&run.transcript).unwrap();
    let store = ArtifactDir::beside(&run.transcript);
    let mut records = BTreeSet::new();
    for state in transcript.operations() {
        let artifact = state.settled().unwrap().artifact().unwrap();
        let number = state
            .operation()
            .op_id()
            .as_str()
            .strip_prefix("op-")
            .unwrap()
            .to_owned();
        let bytes = store.read(&artifact.reference()).unwrap();
        assert_eq!(bytes, format!("{number}\n{}", huge()).into_bytes());
        records.insert(number);
    }
    assert_eq!(records.len(), 64);
    let audit = loop_integration::audit(transcript.places(), Some(&store));
    assert_eq!(
        (audit.operations(), audit.artifacts(), audit.is_clean()),
        (64, 64, true)
    );
}

#[test]
fn two_sessions_on_one_transcript_see_what_the_other_wrote() {
    let run = Run::new();
    let open = || {
        let store = Arc::new(ArtifactDir::beside(&run.transcript));
        let settler = Settler::new(shape(100)).with_store(store);
        Session::open(&run.transcript, settler, ticking()).unwrap()
    };
    let sessions = [open(), open()];
    std::thread::scope(|scope| {
        for (which, session) in sessions.iter().enumerate() {
            scope.spawn(move || {
                for n in 0..50 {
                    let operation = operation(n * 2 + which);
                    session
                        .settle(&operation, ToolResult::success(huge()))
                        .unwrap();
                }
            });
        }
    });
    let [first, second] = sessions;
    let error = first
        .settle(&operation(1), ToolResult::success("again"))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadySettled);
    assert_eq!(
        second
            .settle(&operation(0), ToolResult::success("again"))
            .unwrap_err()
            .kind(),
        ErrorKind::AlreadySettled
    );
    let transcript = Transcript::load(&run.transcript).unwrap();
    assert_eq!(
        (transcript.lines(), transcript.messages().len()),
        (300, 100)
    );
}
