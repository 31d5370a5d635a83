//! Names: one for each id, on every file system (P9).

use std::collections::BTreeMap;

use artifacts_core::{ArtifactName, ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _};
use testkit::corpus::hostile_ids;

/// What ext4, XFS, btrfs, APFS, NTFS and exFAT all accept, and tell apart.
#[track_caller]
fn check(name: &str) {
    assert!(name.len() <= ArtifactName::MAX_BYTES, "{name:?}");
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b);
    assert!(name.bytes().all(is_plain), "{name:?}");
    assert!(
        name.starts_with(|c: char| c.is_ascii_alphanumeric()),
        "{name:?}"
    );
    assert!(!name.ends_with('.'), "{name:?}");
    let stem = name.split('.').next().unwrap();
    let device = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    assert!(!["con", "prn", "aux", "nul"].contains(&stem), "{name:?}");
    let is_port = ["com", "lpt"].contains(&device) && stem.len() == 4;
    assert!(!is_port, "{name:?}");
}

fn name_of(id: &str) -> String {
    ArtifactName::for_op(&OpId::new(id), ContentType::Text).to_string()
}

#[test]
fn hostile_ids_have_plain_names_no_two_equal() {
    let ids = hostile_ids();
    assert!(ids.len() >= 300, "only {}", ids.len());
    let mut names = BTreeMap::new();
    for id in &ids {
        let name = name_of(id);
        check(&name);
        let before = names.insert(name, id);
        assert_eq!(before, None, "{id:?}");
    }
}

#[test]
fn a_hundred_thousand_random_ids_have_names_no_two_equal() {
    let mut ids = BTreeMap::new();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..100_000 {
        // xorshift64: the seed above makes the same ids each time.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let alphabet = ['a', 'A', '1', '-', '_', '.', '/', ' ', 'é', 'x', 'B', 'c'];
        let id: String = (0..4 + random % 12)
            .map(|place| alphabet[(random >> (place * 4)) as usize % alphabet.len()])
            .collect();
        let name = name_of(&id);
        check(&name);
        let before = ids.insert(name, id.clone());
        assert!(before.is_none_or(|before| before == id), "{id:?}");
    }
    assert!(ids.len() > 90_000, "only {}", ids.len());
}

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
