//! The tests that a directory passes from which artifacts were pruned, however they are stored
//! again (SPEC 4.4, 4.9, 4.12).

use std::time::SystemTime;

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ArtifactStore as _, DurableArtifact, Fs, Gone, Index, Indexed,
    Policy, StoreItem,
};

/// Runs every test for every way to store, in directories of their own.
///
/// # Panics
///
/// With the first that fails.
pub fn run<F: Fs>(mut fresh: impl FnMut() -> ArtifactDir<F>) {
    let ways: [Again<F>; 3] = [whole, streamed, in_a_batch];
    for again in ways {
        its_name_stands_for_no_other_bytes(&fresh(), again);
        the_same_bytes_are_there_again_under_it(&fresh(), again);
        an_index_that_was_open_finds_what_is_stored_again(&fresh(), again);
    }
}

type Again<F> = fn(&ArtifactDir<F>, &[u8]) -> DurableArtifact;

fn its_name_stands_for_no_other_bytes<F: Fs>(dir: &ArtifactDir<F>, again: Again<F>) {
    let (first, _) = pruned(dir);
    let other = again(dir, b"other");
    assert_eq!(*other.name(), first.name().with_content(other.digest()));
    assert_eq!(dir.read(&(&other).into()).unwrap(), b"other");
    let index = Index::open(dir, [(&other).into()].map(indexed)).unwrap();
    assert_eq!(index.gone("op-1.txt"), Some(Gone::Evicted));
    assert_eq!(
        index.find(other.name()).map(|it| it.artifact().clone()),
        Some((&other).into())
    );
    assert!(index.find(first.name()).is_none());
}

fn the_same_bytes_are_there_again_under_it<F: Fs>(dir: &ArtifactDir<F>, again: Again<F>) {
    let (first, _) = pruned(dir);
    assert_eq!(ArtifactRef::from(&again(dir, b"first")), first);
    let index = Index::open(dir, []).unwrap();
    assert_eq!(index.gone("op-1.txt"), None);
    assert_eq!(index.find(first.name()), Some(indexed(first)));
    assert!(index.find_alias("report").is_some());
}

fn an_index_that_was_open_finds_what_is_stored_again<F: Fs>(dir: &ArtifactDir<F>, again: Again<F>) {
    let (first, index) = pruned(dir);
    index.add(first.clone(), None);
    assert_eq!(
        index.gone("op-1.txt"),
        Some(Gone::Evicted),
        "for all that a record says"
    );
    index.add_stored(&again(dir, b"first"), None);
    assert_eq!(index.find(first.name()), Some(indexed(first)));
}

/// A directory whose one artifact, of `op-1`, was pruned, and the index that notes it.
fn pruned<F: Fs>(dir: &ArtifactDir<F>) -> (ArtifactRef, Index) {
    let first = ArtifactRef::from(&whole(dir, b"first"));
    let index = Index::open(dir, []).unwrap();
    index.add(first.clone(), None);
    index.name("report", first.name());
    let plan = Policy::forever().max_count(0);
    let plan = plan.plan(&dir.entries().unwrap(), SystemTime::UNIX_EPOCH);
    assert_eq!(dir.apply_noted(&plan, &index).unwrap().removed.files, 1);
    (first, index)
}

fn indexed(artifact: ArtifactRef) -> Indexed {
    Indexed::new(artifact, None)
}

fn whole<F: Fs>(dir: &ArtifactDir<F>, bytes: &[u8]) -> DurableArtifact {
    dir.store(&OpId::new("op-1"), ContentType::Text, bytes)
        .unwrap()
}

fn streamed<F: Fs>(dir: &ArtifactDir<F>, bytes: &[u8]) -> DurableArtifact {
    let mut writer = dir.writer(&OpId::new("op-1"), ContentType::Text).unwrap();
    writer.write(bytes).unwrap();
    writer.commit().unwrap()
}

fn in_a_batch<F: Fs>(dir: &ArtifactDir<F>, bytes: &[u8]) -> DurableArtifact {
    let [one, two] = ["op-1", "op-2"].map(OpId::new);
    let items = [&one, &two].map(|op_id| StoreItem {
        op_id,
        content: ContentType::Text,
        bytes: bytes.into(),
    });
    dir.store_batch(&items).remove(0).unwrap()
}
