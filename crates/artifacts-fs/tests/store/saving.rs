//! Write-once saving: names, adoption, clashes, the streaming writer, batches (SPEC 4.4, 4.5; P3,
//! P10, P13).

use artifacts_core::{ContentDigest, ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, Durability, ErrorKind, StoreItem};

use super::{Run, names_in};

#[test]
fn the_receipt_names_a_file_with_exactly_the_bytes() {
    let run = Run::new();
    let stored = run.save("op-1", b"the full bytes").unwrap();
    assert_eq!(stored.name().as_str(), "op-1.txt");
    assert_eq!(*stored.digest(), ContentDigest::of(b"the full bytes"));
    assert_eq!(stored.measured().measure().bytes(), 14);
    assert_eq!(stored.durability(), Durability::PowerLoss);
    assert_eq!(
        std::fs::read(run.file("op-1.txt")).unwrap(),
        b"the full bytes"
    );
    assert_eq!(names_in(&run.dir()), ["op-1.txt"]);
}

#[test]
fn saving_the_same_bytes_again_rewrites_nothing() {
    let run = Run::new();
    let first = run.save("op-1", b"same").unwrap();
    let before = std::fs::metadata(run.file("op-1.txt"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(run.save("op-1", b"same").unwrap(), first);
    let after = std::fs::metadata(run.file("op-1.txt"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(before, after);
    assert_eq!(names_in(&run.dir()), ["op-1.txt"]);
}

#[test]
fn other_bytes_of_the_same_operation_get_the_digest_in_their_name() {
    let run = Run::new();
    let first = run.save("op-1", b"one").unwrap();
    let second = run.save("op-1", b"two").unwrap();
    let named = first.name().with_content(&ContentDigest::of(b"two"));
    assert_eq!(*second.name(), named);
    assert_eq!(run.save("op-1", b"two").unwrap(), second);
    assert_eq!(run.store.read(&(&first).into()).unwrap(), b"one");
    assert_eq!(run.store.read(&(&second).into()).unwrap(), b"two");
}

#[test]
fn a_torn_file_under_the_name_is_never_adopted() {
    let run = Run::new();
    run.make_dir();
    std::fs::File::create(run.file("op-1.txt")).unwrap();
    let stored = run.save("op-1", b"whole").unwrap();
    assert_ne!(stored.name().as_str(), "op-1.txt");
    assert_eq!(run.store.read(&(&stored).into()).unwrap(), b"whole");
    assert_eq!(std::fs::read(run.file("op-1.txt")).unwrap(), b"");
}

#[test]
fn with_both_names_taken_by_other_bytes_nothing_is_named() {
    let run = Run::new();
    let stored = run
        .save("op-1", b"first")
        .and(run.save("op-1", b"second"))
        .unwrap();
    std::fs::OpenOptions::new()
        .write(true)
        .open(run.file(stored.name().as_str()))
        .unwrap()
        .set_len(1)
        .unwrap();
    let error = run.save("op-1", b"second").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Foreign);
    assert_eq!(names_in(&run.dir()).len(), 2);
}

#[test]
fn a_writer_stores_what_a_whole_save_stores() {
    let pieces: Vec<Vec<u8>> = (0..200_usize)
        .map(|n| vec![n as u8; n * 37 % 5_000])
        .collect();
    let whole = pieces.concat();
    let run = Run::new();
    let mut writer = run
        .store
        .writer(&OpId::new("op-1"), ContentType::Text)
        .unwrap();
    for piece in &pieces {
        writer.write(piece).unwrap();
    }
    let streamed = writer.commit().unwrap();
    assert_eq!(*streamed.digest(), ContentDigest::of(&whole));
    assert_eq!(run.save("op-1", &whole).unwrap(), streamed);
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let run = Run::new();
    let mut writer = run
        .store
        .writer(&OpId::new("op-1"), ContentType::Text)
        .unwrap();
    writer.write(&[b'x'; 200_000]).unwrap();
    assert_eq!(names_in(&run.dir()).len(), 1);
    drop(writer);
    assert!(names_in(&run.dir()).is_empty());
}

#[test]
fn a_large_result_is_stored_as_a_small_one_is() {
    let bytes: Vec<u8> = (0..1_500_001_u32).map(|n| (n % 251) as u8).collect();
    let run = Run::new();
    let stored = run.save("op-1", &bytes).unwrap();
    assert_eq!(*stored.digest(), ContentDigest::of(&bytes));
    assert_eq!(run.store.read(&(&stored).into()).unwrap(), bytes);
}

#[test]
fn a_batch_stores_each_item_as_a_single_save_does() {
    let run = Run::new();
    let ids: Vec<OpId> = (0..20)
        .map(|n| OpId::new(format!("op-{}", n % 15)))
        .collect();
    let bodies: Vec<Vec<u8>> = (0..20_u8).map(|n| vec![n; 1_000]).collect();
    let items: Vec<StoreItem<'_>> = ids
        .iter()
        .zip(&bodies)
        .map(|(op_id, bytes)| StoreItem {
            op_id,
            content: ContentType::Text,
            bytes: bytes.as_slice().into(),
        })
        .collect();
    let stored = run.store.store_batch(&items);
    assert_eq!(stored.len(), 20);
    for (stored, body) in stored.iter().zip(&bodies) {
        let stored = stored.as_ref().unwrap();
        assert_eq!(run.store.read(&stored.into()).unwrap(), *body);
        assert_eq!(stored.durability(), Durability::PowerLoss);
    }
    assert_eq!(names_in(&run.dir()).len(), 20);
    assert!(run.store.store_batch(&[]).is_empty());
}

#[test]
fn a_lower_durability_is_told_by_the_receipt() {
    let run = Run::new();
    let store = run.store.clone().with_durability(Durability::Process);
    let stored = store
        .store(&OpId::new("op-1"), ContentType::Json, b"{}")
        .unwrap();
    assert_eq!(stored.durability(), Durability::Process);
    assert_eq!(stored.name().as_str(), "op-1.json");
}

#[test]
fn threads_saving_one_operation_share_equal_bytes_and_part_different_ones() {
    let run = Run::new();
    let bodies = [b"equal".as_slice(), b"equal", b"other", b"third"];
    let stored: Vec<_> = std::thread::scope(|scope| {
        let save = |body| run.save("op-1", body).unwrap();
        let threads: Vec<_> = bodies
            .iter()
            .map(|body| scope.spawn(move || save(*body)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    for (stored, body) in stored.iter().zip(bodies) {
        assert_eq!(run.store.read(&stored.into()).unwrap(), body);
    }
    let store = ArtifactDir::at(run.dir());
    assert!(store.list().unwrap().len() >= 3);
}
