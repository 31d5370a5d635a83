//! Damage to a stored artifact: every one is seen, none is handed out (P7).

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _, Durability, ErrorKind};

struct Stored {
    tmp: tempfile::TempDir,
    store: ArtifactDir,
    artifact: ArtifactRef,
    body: Vec<u8>,
}

fn stored() -> Stored {
    let tmp = tempfile::tempdir().unwrap();
    let store =
        ArtifactDir::beside(tmp.path().join("run.jsonl")).with_durability(Durability::Process);
    let body: Vec<u8> = (0..1_024_u32).map(|n| (n * 7 % 256) as u8).collect();
    let stored = store
        .store(&OpId::new("op-1"), ContentType::Text, &body)
        .unwrap();
    Stored {
        artifact: ArtifactRef::from(&stored),
        tmp,
        store,
        body,
    }
}

impl Stored {
    fn put(&self, bytes: &[u8]) {
        let mut file =
            std::fs::File::create(self.tmp.path().join("run.artifacts/op-1.txt")).unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
    }

    #[track_caller]
    fn is_seen(&self, bytes: &[u8]) {
        self.put(bytes);
        assert_eq!(
            self.store.read(&self.artifact).unwrap_err().kind(),
            ErrorKind::Altered
        );
    }
}

#[test]
fn every_flipped_bit_is_seen() {
    let stored = stored();
    let mut seen = 0;
    for bit in 0..stored.body.len() * 8 {
        let mut bytes = stored.body.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        stored.is_seen(&bytes);
        seen += 1;
    }
    assert_eq!(seen, 8_192);
    stored.put(&stored.body);
    assert_eq!(stored.store.read(&stored.artifact).unwrap(), stored.body);
}

#[test]
fn every_truncation_and_any_appended_byte_is_seen() {
    let stored = stored();
    for length in 0..stored.body.len() {
        stored.is_seen(&stored.body[..length]);
    }
    for byte in 0..=255 {
        stored.is_seen(&[stored.body.as_slice(), &[byte]].concat());
    }
}

#[test]
fn a_swap_with_a_sibling_of_the_same_size_is_seen() {
    let stored = stored();
    let other: Vec<u8> = stored.body.iter().rev().copied().collect();
    let sibling = stored
        .store
        .store(&OpId::new("op-2"), ContentType::Text, &other)
        .unwrap();
    let sibling = ArtifactRef::from(&sibling);
    let path = |name: &str| stored.tmp.path().join("run.artifacts").join(name);
    stored.put(&other);
    assert_eq!(
        stored.store.read(&stored.artifact).unwrap_err().kind(),
        ErrorKind::Altered
    );
    assert_eq!(std::fs::read(path("op-2.txt")).unwrap(), other);
    let scan = stored
        .store
        .verify(&[stored.artifact.clone(), sibling.clone()])
        .unwrap();
    assert_eq!(
        (scan.altered, scan.intact),
        (vec![stored.artifact], vec![sibling])
    );
}
