//! A file system without locks: storing, adopting and claiming go on, and nothing is swept (P10, P12).

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, Durability, Entry, Policy};
use testkit::SimFs;

use std::time::{Duration, SystemTime};

const ENOLCK: i32 = 37;
const ENOSYS: i32 = 38;
const EOPNOTSUPP: i32 = 95;

#[test]
fn without_locks_everything_is_stored_and_nothing_is_swept() {
    for errno in [ENOLCK, ENOSYS, EOPNOTSUPP] {
        let sim = SimFs::new(64);
        sim.refuse_locks(errno);
        let dir = ArtifactDir::on(sim, "/run.artifacts");
        let store = |bytes: &[u8]| dir.store(&OpId::new("op-1"), ContentType::Text, bytes);
        let first = store(b"the bytes").unwrap();
        assert_eq!(first.durability(), Durability::PowerLoss);
        let claim = dir.claim("op-1").unwrap();
        assert!(!dir.is_claimed("op-1"), "nobody can tell");
        assert!(dir.claim("op-1").is_ok());
        let again = store(b"the bytes").unwrap();
        assert_eq!(again.name(), first.name(), "it is adopted");
        let other = store(b"other bytes").unwrap();
        assert_ne!(other.name(), first.name());
        let mut writer = dir.writer(&OpId::new("op-2"), ContentType::Text).unwrap();
        writer.write(b"in pieces").unwrap();
        let third = writer.commit().unwrap();
        drop(claim);
        for stored in [&first, &again, &other, &third] {
            dir.read(&stored.into()).unwrap();
        }
        let entries = dir.entries().unwrap();
        let artifacts = entries
            .iter()
            .all(|entry| matches!(entry, Entry::Artifact(_)));
        assert!(artifacts && entries.len() == 3, "{entries:?}");

        let much_later = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40);
        let plan = Policy::forever().max_count(0).plan(&entries, much_later);
        assert_eq!(plan.removals().len(), 3);
        assert!(dir.apply(&plan).is_err());
        assert_eq!(dir.entries().unwrap(), entries);
    }
}
