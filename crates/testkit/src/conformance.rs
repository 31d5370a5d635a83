//! The tests that every store passes, whatever is under it (SPEC 4.4, 4.5, 4.7, 4.14).

use artifacts_core::{
    ArtifactName, ContentDigest, ContentType, Limit, Measured, OpId, Shape, Unmeasured,
};
use artifacts_fs::{ArtifactRef, ArtifactStore, Durability, ErrorKind, Selection, StoreItem};

/// Runs every test, each on a store of its own; returns how many there are.
///
/// # Panics
///
/// With the first that fails.
pub fn run<S: ArtifactStore>(mut fresh: impl FnMut() -> S, durability: Durability) -> usize {
    let tests: [fn(&S); 13] = [
        what_is_stored_is_read_back,
        the_empty_result_is_stored,
        equal_bytes_share_a_name,
        other_bytes_get_another_name,
        what_was_stored_first_stays,
        content_types_have_their_extension,
        a_stream_stores_what_a_whole_save_stores,
        a_dropped_stream_stores_nothing,
        a_batch_is_its_single_saves,
        what_a_cut_counted_is_stored_as_anything_else,
        a_missing_artifact_is_not_found,
        other_bytes_than_named_are_never_handed_out,
        parts_are_read_by_line_and_byte,
    ];
    for test in tests {
        test(&fresh());
    }
    let stored = store(&fresh(), "op-1", b"x");
    assert_eq!(stored.durability(), durability);
    tests.len() + 1
}

fn what_is_stored_is_read_back<S: ArtifactStore>(it: &S) {
    for (op, body) in [
        ("op-1", b"full".as_slice()),
        ("../../x", b"\xFF\0"),
        ("CON", b"\n"),
    ] {
        let stored = store(it, op, body);
        assert_eq!(*stored.measured(), Measured::of(body));
        assert_eq!(it.read(&(&stored).into()).unwrap(), body);
    }
}

fn the_empty_result_is_stored<S: ArtifactStore>(it: &S) {
    let stored = store(it, "op-1", b"");
    assert_eq!(it.read(&(&stored).into()).unwrap(), b"");
}

fn equal_bytes_share_a_name<S: ArtifactStore>(it: &S) {
    assert_eq!(store(it, "op-1", b"same"), store(it, "op-1", b"same"));
}

fn other_bytes_get_another_name<S: ArtifactStore>(it: &S) {
    let first = store(it, "op-1", b"first");
    let second = store(it, "op-1", b"second");
    assert_eq!(*second.name(), first.name().with_content(second.digest()));
}

fn what_was_stored_first_stays<S: ArtifactStore>(it: &S) {
    let first = ArtifactRef::from(&store(it, "op-1", b"first"));
    let _ = store(it, "op-1", b"second");
    assert_eq!(it.read(&first).unwrap(), b"first");
}

fn content_types_have_their_extension<S: ArtifactStore>(it: &S) {
    let stored = it
        .store(&OpId::new("op-1"), ContentType::Png, b"\x89PNG")
        .unwrap();
    assert_eq!(stored.name().as_str(), "op-1.png");
    assert_eq!(store(it, "op-1", b"text").name().as_str(), "op-1.txt");
}

fn a_stream_stores_what_a_whole_save_stores<S: ArtifactStore>(it: &S) {
    let body: Vec<u8> = (0..100_000_u32).map(|n| (n % 253) as u8).collect();
    let mut writer = it.writer(&OpId::new("op-1"), ContentType::Text).unwrap();
    for piece in body.chunks(7_777) {
        writer.write(piece).unwrap();
    }
    let streamed = writer.commit().unwrap();
    assert_eq!(streamed, store(it, "op-1", &body));
    assert_eq!(it.read(&(&streamed).into()).unwrap(), body);
}

fn a_dropped_stream_stores_nothing<S: ArtifactStore>(it: &S) {
    let mut writer = it.writer(&OpId::new("op-1"), ContentType::Text).unwrap();
    writer.write(b"part").unwrap();
    drop(writer);
    let part = reference("op-1", b"part");
    assert_eq!(it.read(&part).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(store(it, "op-1", b"whole").name(), part.name());
}

fn a_batch_is_its_single_saves<S: ArtifactStore>(it: &S) {
    let ids = ["op-1", "op-2", "op-1", "op-1"].map(OpId::new);
    let bodies = [b"one".as_slice(), b"two", b"one", b"other"];
    let items: Vec<StoreItem<'_>> = ids
        .iter()
        .zip(bodies)
        .map(|(op_id, bytes)| StoreItem {
            op_id,
            content: ContentType::Text,
            bytes: bytes.into(),
        })
        .collect();
    let stored = it.store_batch(&items);
    assert_eq!(stored.len(), items.len());
    for (stored, item) in stored.into_iter().zip(&items) {
        let stored = stored.unwrap();
        assert_eq!(it.read(&(&stored).into()).unwrap(), item.bytes.bytes());
        assert_eq!(store(it, item.op_id.as_str(), item.bytes.bytes()), stored);
    }
}

fn what_a_cut_counted_is_stored_as_anything_else<S: ArtifactStore>(it: &S) {
    let text = "one\r\n🇩🇪".repeat(500);
    let cut = Shape::new(Limit::graphemes(40).unwrap()).cut(&text);
    let item = StoreItem {
        op_id: &OpId::new("op-1"),
        content: ContentType::Text,
        bytes: Unmeasured::of_cut(&text, cut),
    };
    for stored in [it.store_item(&item), it.store_batch(&[item]).remove(0)] {
        let stored = stored.unwrap();
        assert_eq!(*stored.measured(), Measured::of(text.as_bytes()));
        assert_eq!(it.read(&(&stored).into()).unwrap(), text.as_bytes());
    }
}

fn a_missing_artifact_is_not_found<S: ArtifactStore>(it: &S) {
    let missing = reference("op-1", b"x");
    assert_eq!(it.read(&missing).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(it.open(&missing).unwrap_err().kind(), ErrorKind::NotFound);
}

fn other_bytes_than_named_are_never_handed_out<S: ArtifactStore>(it: &S) {
    let _ = store(it, "op-1", b"these");
    for other in [b"those".as_slice(), b"the", b"these and those"] {
        let other = reference("op-1", other);
        assert_eq!(it.read(&other).unwrap_err().kind(), ErrorKind::Altered);
        assert_eq!(it.open(&other).unwrap_err().kind(), ErrorKind::Altered);
    }
}

fn parts_are_read_by_line_and_byte<S: ArtifactStore>(it: &S) {
    let stored = store(it, "op-1", b"one\ntwo\nthree");
    let open = it.open(&(&stored).into()).unwrap();
    for (selection, expected) in [
        (Selection::all(), b"one\ntwo\nthree".as_slice()),
        (Selection::lines(1..2), b"two\n"),
        (Selection::lines(0..1).from_end(), b"three"),
        (Selection::bytes(4..7), b"two"),
        (Selection::graphemes(0..2).from_end(), b"ee"),
    ] {
        let range = open.locate(&selection).unwrap();
        assert_eq!(open.page(range, 100).unwrap().bytes(), expected);
    }
}

fn store<S: ArtifactStore>(it: &S, op: &str, body: &[u8]) -> artifacts_fs::DurableArtifact {
    it.store(&OpId::new(op), ContentType::Text, body).unwrap()
}

fn reference(op: &str, body: &[u8]) -> ArtifactRef {
    let name = ArtifactName::for_op(&OpId::new(op), ContentType::Text);
    ArtifactRef::new(name, ContentDigest::of(body), body.len() as u64)
}
