//! Random operations, one after the other against a model and in parallel against the bound.

use std::collections::BTreeMap;

use artifacts_fs::{ArtifactRef, ErrorKind};
use proptest::prelude::*;

use super::{bounded, read, save};

const MOST: u64 = 100;

#[derive(Debug, Clone)]
enum Step {
    Store { id: u8, size: u8 },
    Cover { id: u8 },
    Begin,
    Commit,
    Block,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        10 => (0_u8..12, 0_u8..60).prop_map(|(id, size)| Step::Store { id, size }),
        1 => (0_u8..12).prop_map(|id| Step::Cover { id }),
        2 => Just(Step::Begin),
        1 => Just(Step::Commit),
        1 => Just(Step::Block),
    ]
}

/// What there should be: names with sizes, oldest first, and why the others are gone.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    kept: Vec<(String, u64)>,
    gone: BTreeMap<String, ErrorKind>,
}

impl Model {
    fn store(&mut self, name: &str, size: u64) {
        self.kept.retain(|(kept, _)| kept != name);
        self.gone.remove(name);
        self.kept.push((name.into(), size));
        while self.kept.iter().map(|(_, size)| size).sum::<u64>() > MOST {
            let (oldest, _) = self.kept.remove(0);
            self.gone.insert(oldest, ErrorKind::Evicted);
        }
    }

    fn cover(&mut self, name: &str) {
        let count = self.kept.len();
        self.kept.retain(|(kept, _)| kept != name);
        if self.kept.len() < count {
            self.gone.insert(name.into(), ErrorKind::Covered);
        }
    }
}

proptest! {
    #[test]
    fn every_step_does_what_the_model_does(steps in prop::collection::vec(step(), 0..80)) {
        let store = bounded(50, MOST);
        let mut model = Model::default();
        let mut before = None;
        let mut turn = None;
        let mut seen = BTreeMap::new();
        for step in steps {
            match step {
                Step::Store { id, size } => {
                    // Every operation has its size, so it always has the same bytes.
                    let bytes = vec![id; usize::from(size / 20 * 20 + id) % 60];
                    let stored = save(&store, &format!("{id}-{}", bytes.len()), &bytes);
                    model.store(stored.name().as_str(), bytes.len().min(50) as u64);
                    seen.insert(stored.name().to_string(), stored);
                }
                Step::Cover { id } => {
                    let named = seen.values().find(|stored| stored.name().stem().starts_with(&format!("{id}-")));
                    if let Some(named) = named {
                        store.remove_covered([named.name()]);
                        model.cover(named.name().as_str());
                    }
                }
                Step::Begin => match turn {
                    Some(_) => {
                        let error = store.begin_turn().unwrap_err();
                        prop_assert_eq!(error.kind(), ErrorKind::Busy);
                    }
                    None => {
                        turn = Some(store.begin_turn().unwrap());
                        before = Some(model.clone());
                    }
                },
                Step::Commit => if let Some(turn) = turn.take() {
                    turn.commit();
                },
                Step::Block => if let Some(turn) = turn.take() {
                    turn.block();
                    model = before.take().unwrap();
                },
            }
            let kept: Vec<_> = store.index().entries().iter()
                .map(|entry| (entry.artifact().name().to_string(), entry.artifact().bytes()))
                .collect();
            prop_assert_eq!(&kept, &model.kept);
            prop_assert!(store.index().total_bytes() <= MOST);
            for (name, stored) in &seen {
                let found = read(&store, stored).map_err(|error| error.kind());
                match (model.gone.get(name), kept.iter().any(|(kept, _)| kept == name)) {
                    (Some(kind), _) => prop_assert_eq!(found, Err(*kind)),
                    (None, true) => prop_assert!(found.is_ok()),
                    // Stored in a turn that was blocked.
                    (None, false) => prop_assert_eq!(found, Err(ErrorKind::NotFound)),
                }
            }
            if turn.is_none() {
                let mut names: Vec<_> = kept.into_iter().map(|(name, _)| name).collect();
                names.sort();
                let beneath: Vec<_> = store.inner().names().iter().map(ToString::to_string).collect();
                prop_assert_eq!(beneath, names);
            }
        }
    }
}

#[test]
fn the_bound_holds_after_every_step_of_a_thousand_parallel_operations() {
    let store = bounded(50, MOST);
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let store = &store;
            scope.spawn(move || {
                let mut state = thread + 1;
                for step in 0..250 {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    let (id, size) = ((state >> 33) % 20, (state >> 40) % 70);
                    let stored = save(store, &format!("{id}-{size}"), &vec![b'x'; size as usize]);
                    assert!(store.index().total_bytes() <= MOST);
                    match read(store, &stored) {
                        Ok(bytes) => assert_eq!(bytes.len() as u64, size.min(50)),
                        Err(error) => assert_eq!(error.kind(), ErrorKind::Evicted),
                    }
                    if step % 50 == 49 {
                        // Of this thread alone: nobody else reads it meanwhile.
                        let own = save(store, &format!("own-{thread}-{step}"), b"covered");
                        store.remove_covered([own.name()]);
                    }
                }
            });
        }
    });
    let kept: Vec<ArtifactRef> = store
        .index()
        .entries()
        .iter()
        .map(|entry| entry.artifact().clone())
        .collect();
    assert_eq!(store.inner().names().len(), kept.len());
    assert!(kept.iter().map(ArtifactRef::bytes).sum::<u64>() <= MOST);
}
