//! One suite on every store.

use artifacts_fs::{ArtifactDir, Durability, MemoryStore};
use testkit::{SimFs, conformance, pruned};

#[test]
fn the_store_on_the_machines_file_system_conforms() {
    let tmp = tempfile::tempdir().unwrap();
    let mut runs = 0;
    let fresh = || {
        runs += 1;
        ArtifactDir::beside(tmp.path().join(format!("run-{runs}.jsonl")))
    };
    let durability = match cfg!(unix) {
        true => Durability::PowerLoss,
        false => Durability::Process,
    };
    assert_eq!(conformance::run(fresh, durability), 14);
}

#[test]
fn the_store_on_the_simulated_file_system_conforms() {
    let fresh = || ArtifactDir::on(SimFs::new(4_096), "/run.artifacts");
    assert_eq!(conformance::run(fresh, Durability::PowerLoss), 14);
}

#[test]
fn the_store_in_memory_conforms() {
    assert_eq!(
        conformance::run(MemoryStore::default, Durability::Memory),
        14
    );
}

#[test]
fn what_was_pruned_keeps_its_name_on_the_machines_file_system() {
    let tmp = tempfile::tempdir().unwrap();
    let mut runs = 0;
    let fresh = || {
        runs += 1;
        ArtifactDir::beside(tmp.path().join(format!("run-{runs}.jsonl")))
    };
    pruned::run(fresh);
}

#[test]
fn what_was_pruned_keeps_its_name_on_the_simulated_file_system() {
    let fresh = || ArtifactDir::on(SimFs::new(4_096), "/run.artifacts");
    pruned::run(fresh);
}
