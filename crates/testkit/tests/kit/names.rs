//! Hostile ids in a store on disk (P9). The names themselves are proved in artifacts-core.

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _};
use testkit::corpus::hostile_ids;

#[test]
fn hostile_ids_are_stored_and_read_back() {
    let tmp = tempfile::tempdir().unwrap();
    let store = ArtifactDir::beside(tmp.path().join("run.jsonl"))
        .with_durability(artifacts_fs::Durability::Process);
    let ids = hostile_ids();
    for id in &ids {
        let stored = store
            .store(&OpId::new(id.as_str()), ContentType::Text, id.as_bytes())
            .unwrap();
        let stored = ArtifactRef::from(&stored);
        assert_eq!(store.read(&stored).unwrap(), id.as_bytes());
    }
    assert_eq!(store.list().unwrap().len(), ids.len());
}
