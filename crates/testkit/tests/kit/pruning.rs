//! A prune that is stopped between its note and its last removal (P1, P3, P12; SPEC 4.12).

use std::time::SystemTime;

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ArtifactStore as _, ErrorKind, Gone, Index, Plan, Policy,
};
use testkit::{SimFs, State};

const BLOCK_BYTES: usize = 128;
const KEPT: usize = 2;

fn dir(state: State) -> ArtifactDir<SimFs> {
    ArtifactDir::on(SimFs::from_state(state), "/run.artifacts")
}

/// The plan that keeps the newest.
fn plan(dir: &ArtifactDir<SimFs>) -> Plan {
    let policy = Policy::forever().max_count(KEPT as u64);
    policy.plan(&dir.entries().unwrap(), SystemTime::UNIX_EPOCH)
}

/// The states of a prune, and what was stored before it, oldest first.
fn pruned() -> (Vec<State>, Vec<ArtifactRef>) {
    let sim = SimFs::new(BLOCK_BYTES);
    let dir = ArtifactDir::on(sim.clone(), "/run.artifacts");
    let index = Index::open(&dir, []).unwrap();
    let stored = (0..5).map(|number| {
        let op_id = OpId::new(format!("op-{number}"));
        let stored = dir.store(&op_id, ContentType::Text, op_id.as_str().as_bytes());
        ArtifactRef::from(&stored.unwrap())
    });
    let stored = stored.collect::<Vec<_>>();
    index.add_all(stored.iter().map(|artifact| (artifact.clone(), None)));
    assert!(index.is_saved());
    sim.record();
    let applied = dir.apply_noted(&plan(&dir), &index).unwrap();
    assert_eq!(applied.removed.files, 3);
    (sim.recorded(), stored)
}

/// What the next process finds: every artifact is there as it was, or is told to have been
/// evicted; and the next prune ends what this one began.
fn check(state: State, stored: &[ArtifactRef]) -> usize {
    let dir = dir(state);
    let index = Index::open(&dir, []).unwrap();
    let mut told = 0;
    for artifact in stored {
        let name = artifact.name().as_str();
        match index.gone(name) {
            None => drop(dir.read(artifact).unwrap()),
            Some(why) => {
                assert_eq!(why, Gone::Evicted, "{name}");
                assert!(index.find(artifact.name()).is_none(), "{name}");
                let refused = index.check(artifact.name()).unwrap_err();
                assert_eq!(refused.kind(), ErrorKind::Evicted);
                told += 1;
            }
        }
    }
    dir.apply_noted(&plan(&dir), &index).unwrap();
    let again = Index::open(&dir, []).unwrap();
    let (old, new) = stored.split_at(stored.len() - KEPT);
    for artifact in old {
        assert_eq!(again.gone(artifact.name().as_str()), Some(Gone::Evicted));
        assert_eq!(dir.read(artifact).unwrap_err().kind(), ErrorKind::NotFound);
    }
    for artifact in new {
        assert_eq!(again.gone(artifact.name().as_str()), None);
        dir.read(artifact).unwrap();
    }
    assert!(dir.scan(stored).unwrap().explained_by(&again).is_sound());
    told
}

#[test]
fn a_prune_killed_at_any_step_is_told_rightly_and_ended_by_the_next() {
    let (moments, stored) = pruned();
    let mut told = moments.into_iter().map(|moment| check(moment, &stored));
    let seen = told.by_ref().collect::<std::collections::BTreeSet<_>>();
    assert_eq!(Vec::from_iter(seen), [0, 3], "the note is for all of them");
}

#[test]
fn a_power_cut_at_any_step_of_a_prune_removes_nothing_that_is_not_told() {
    let (moments, stored) = pruned();
    let mut checked = 0;
    for crash in moments.iter().flat_map(State::crashes) {
        check(crash, &stored);
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}
