//! What a check of a directory costs, in operations on files (SPEC 4.13).

use artifacts_core::{ArtifactName, ContentDigest};
use artifacts_fs::{ArtifactDir, ArtifactRef};
use testkit::SimFs;

#[test]
fn what_was_renamed_is_found_with_no_more_operations_a_file_however_many_there_are() {
    let few = operations(20);
    let many = operations(200);
    assert!(many <= 10 * few, "{few} for 20, {many} for 200");
}

/// How many operations it takes to find as many renamed artifacts.
fn operations(count: usize) -> u64 {
    let mut state = SimFs::new(4_096).state();
    state.plant_dir("run.artifacts");
    let named = (0..count).map(|number| {
        let bytes = format!("{number:04}");
        state.plant_file(
            "run.artifacts",
            &format!("renamed-{number:04}.txt"),
            bytes.as_bytes(),
        );
        let name = ArtifactName::parse(&format!("op-{number:04}.txt")).unwrap();
        ArtifactRef::new(name, ContentDigest::of(bytes.as_bytes()), 4)
    });
    let named = named.collect::<Vec<_>>();
    let sim = SimFs::from_state(state);
    let dir = ArtifactDir::on(sim.clone(), "/run.artifacts");
    let scan = dir.verify(&named).unwrap();
    assert_eq!((scan.misnamed.len(), scan.missing.len()), (count, 0));
    sim.ops()
}
