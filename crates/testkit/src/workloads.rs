//! The workloads that are crashed and failed.

use crate::model::{Step, Workload};
use crate::sim::{SimFs, State};

/// How large a sweep is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Size {
    /// For every change: some seconds.
    Short,
    /// For the night.
    Long,
}

/// The workloads of one writer.
#[must_use]
pub fn workloads(size: Size) -> Vec<Workload> {
    let most = match size {
        Size::Short => 7,
        Size::Long => 9,
    };
    let mut workloads = Vec::new();
    for blocks in 1..=most {
        let settle = || vec![Step::Settle("op-1", body(1, blocks))];
        workloads.push(Workload::new(
            format!("first settle, {blocks} blocks"),
            SimFs::new(BLOCK).state(),
            settle(),
        ));
        workloads.push(Workload::new(
            format!("settle in a present directory, {blocks} blocks"),
            with_directory(),
            settle(),
        ));
    }
    let two = |first: usize, second: usize| {
        let (first, second) = (body(first, 3), body(second, 2));
        vec![Step::Settle("op-1", first), Step::Settle("op-1", second)]
    };
    let mut add = |name: &str, before: State, steps: Vec<Step>| {
        workloads.push(Workload::new(name, before, steps));
    };
    add("the same again", SimFs::new(BLOCK).state(), {
        vec![
            Step::Settle("op-1", body(1, 3)),
            Step::Settle("op-1", body(1, 3)),
        ]
    });
    add("other bytes", SimFs::new(BLOCK).state(), two(1, 2));
    add("two operations", SimFs::new(BLOCK).state(), {
        vec![
            Step::Settle("op-1", body(1, 3)),
            Step::Settle("op-2", body(2, 3)),
        ]
    });
    add(
        "stream",
        SimFs::new(BLOCK).state(),
        vec![Step::Stream("op-1", body(1, 4))],
    );
    let items = vec![
        ("op-1", body(1, 1)),
        ("op-2", body(2, 1)),
        ("op-3", body(3, 1)),
    ];
    add("batch", SimFs::new(BLOCK).state(), vec![Step::Batch(items)]);
    let mut torn = with_directory();
    torn.plant_file("run.artifacts", "op-1.txt", b"to");
    add(
        "a torn file has the name",
        torn,
        vec![Step::Settle("op-1", body(1, 2))],
    );
    let mut planted = with_directory();
    planted.plant_other("run.artifacts", "op-1.txt");
    add(
        "a planted link has the name",
        planted,
        vec![Step::Settle("op-1", body(1, 2))],
    );
    add("remove and settle", SimFs::new(BLOCK).state(), {
        let remove = Step::Remove("op-1.txt");
        vec![
            Step::Settle("op-1", body(1, 1)),
            remove,
            Step::Settle("op-2", body(2, 2)),
        ]
    });
    workloads
}

pub(crate) fn with_directory() -> State {
    let mut state = SimFs::new(BLOCK).state();
    state.plant_dir("run.artifacts");
    state
}

/// A body of that many blocks, without zeros and different in each block.
pub(crate) fn body(number: usize, blocks: usize) -> Vec<u8> {
    (0..blocks * BLOCK)
        .map(|index| b'a' + ((number * 7 + index / BLOCK * 3 + index) % 26) as u8)
        .collect()
}

/// What a crash keeps or loses at once, in bytes: a line of the transcript fits.
pub(crate) const BLOCK: usize = 128;
