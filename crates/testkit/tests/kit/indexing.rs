//! The index on the simulated file system, crashed at every moment of a turn (SPEC 4.11, 4.12).

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _, BoundedStore, Bounds, Index};
use testkit::{Fault, Persistence, Plan, SimFs, State};

const BLOCK_BYTES: usize = 128;

fn open(sim: &SimFs) -> BoundedStore<ArtifactDir<SimFs>> {
    let dir = ArtifactDir::on(sim.clone(), "/run.artifacts");
    let index = Index::open(&dir, []).unwrap();
    BoundedStore::new(dir, Bounds::new(10, 20).unwrap(), index)
}

fn save(store: &BoundedStore<ArtifactDir<SimFs>>, op_id: &str) -> ArtifactRef {
    let bytes = op_id.repeat(10);
    let stored = store.store(&OpId::new(op_id), ContentType::Text, bytes.as_bytes());
    (&stored.unwrap()).into()
}

/// The states of a turn, between what was before it and what it made.
fn turn() -> (Vec<State>, Index, Index, Vec<ArtifactRef>) {
    let sim = SimFs::new(BLOCK_BYTES);
    let store = open(&sim);
    let (a, b) = (save(&store, "a"), save(&store, "b"));
    store.index().name("first", a.name());
    let before = open(&SimFs::from_state(sim.state())).index().clone();
    sim.record();
    let turn = store.begin_turn().unwrap();
    let [c, _, d] = ["c", "a", "d"].map(|op_id| save(&store, op_id));
    store.index().name("first", c.name());
    turn.commit();
    let after = store.index().clone();
    (sim.recorded(), before, after, vec![a, b, c, d])
}

#[test]
fn a_kill_at_any_moment_of_a_turn_leaves_all_of_it_or_nothing() {
    let (moments, before, after, stored) = turn();
    let mut seen = [0, 0];
    for moment in &moments {
        let index = open(&SimFs::from_state(moment.clone())).index().clone();
        let is_after = index.entries() == after.entries();
        let expected = if is_after { &after } else { &before };
        assert_eq!(index.entries(), expected.entries());
        assert_eq!(index.find_alias("first"), expected.find_alias("first"));
        for artifact in &stored {
            let name = artifact.name().as_str();
            assert_eq!(index.gone(name), expected.gone(name), "{name}");
        }
        seen[usize::from(is_after)] += 1;
    }
    assert!(seen.iter().all(|moments| *moments > 1), "{seen:?}");
}

#[test]
fn after_a_power_cut_at_any_moment_the_index_opens_and_what_it_lists_is_there() {
    let (moments, ..) = turn();
    let crashes = moments.iter().flat_map(State::crashes);
    let mut opened = 0;
    for crash in crashes {
        let store = open(&SimFs::from_state(crash));
        for entry in store.index().entries() {
            assert!(store.read(entry.artifact()).is_ok());
        }
        store.index().name("again", save(&store, "e").name());
        assert!(store.index().is_saved());
        opened += 1;
    }
    assert!(opened > 100, "{opened}");
}

#[test]
fn a_fault_at_any_operation_is_no_error_of_the_index() {
    for fault in [Fault::Error(28), Fault::Error(5), Fault::Short, Fault::Lie] {
        let mut at = 0;
        loop {
            let sim = SimFs::new(BLOCK_BYTES);
            let store = open(&sim);
            let artifact = save(&store, "a");
            let index = store.index().clone();
            sim.plan(Some(Plan::new(at, fault, Persistence::Once)));
            index.name("one", artifact.name());
            let is_done = sim.ops() <= at;
            sim.plan(None);
            index.name("two", artifact.name());
            assert!(index.is_saved(), "{fault:?} at {at}");
            let again = open(&sim).index().clone();
            assert!(again.find_alias("two").is_some(), "{fault:?} at {at}");
            assert_eq!(again.entries(), index.entries(), "{fault:?} at {at}");
            // A file system that lies about a write may lose what it was told.
            let lied = fault == Fault::Lie;
            assert!(
                lied || again.find_alias("one").is_some(),
                "{fault:?} at {at}"
            );
            if is_done {
                break;
            }
            at += 1;
        }
        assert!(at > 3, "{fault:?}: only {at} operations");
    }
}
