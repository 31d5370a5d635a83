//! What was computed from an artifact: kept beside it, told from everything else, gone with it
//! (SPEC 7.4).

use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use artifacts_fs::{ArtifactDir, ArtifactRef, Policy, RemovableStore as _};

use super::{Run, names_in};

fn stored(run: &Run, op_id: &str) -> ArtifactRef {
    (&run.save(op_id, op_id.as_bytes()).unwrap()).into()
}

fn write(run: &Run, name: &str, bytes: &[u8]) {
    let mut file = std::fs::File::create(run.file(name)).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn a_cache_is_found_again_also_by_another_process() {
    let run = Run::new();
    let artifact = stored(&run, "op-1");
    assert_eq!(run.store.cached(&artifact), None);
    run.store.cache(&artifact, b"first").unwrap();
    run.store.cache(&artifact, b"second\nline").unwrap();
    let restarted = ArtifactDir::at(run.dir());
    assert_eq!(restarted.cached(&artifact).unwrap(), b"second\nline");
    assert_eq!(names_in(&run.dir()), ["op-1.txt", "op-1.txt.cache"]);
}

#[test]
fn a_cache_of_other_bytes_or_a_damaged_one_is_none() {
    let run = Run::new();
    let artifact = stored(&run, "op-1");
    run.store.cache(&artifact, b"computed").unwrap();
    let other = ArtifactRef::new(
        artifact.name().clone(),
        artifacts_core::ContentDigest::of(b""),
        4,
    );
    assert_eq!(run.store.cached(&other), None);
    let whole = std::fs::read(run.file("op-1.txt.cache")).unwrap();
    for length in 0..whole.len() {
        write(&run, "op-1.txt.cache", &whole[..length]);
        assert_eq!(run.store.cached(&artifact), None, "{length} bytes of it");
        let mut damaged = whole.clone();
        damaged[length] ^= 1;
        write(&run, "op-1.txt.cache", &damaged);
        assert_eq!(run.store.cached(&artifact), None, "byte {length} changed");
    }
    write(&run, "op-1.txt.cache", &whole);
    assert_eq!(run.store.cached(&artifact).unwrap(), b"computed");
}

#[test]
fn a_cache_that_says_it_is_larger_than_memory_is_none() {
    let run = Run::new();
    let artifact = stored(&run, "op-1");
    run.store.cache(&artifact, b"computed").unwrap();
    let file = std::fs::File::options()
        .write(true)
        .open(run.file("op-1.txt.cache"))
        .unwrap();
    file.set_len(1 << 40).unwrap();
    assert_eq!(run.store.cached(&artifact), None);
    let most = vec![0; (1 << 20) + 4 * 64];
    run.store.cache(&artifact, &most).unwrap();
    assert_eq!(run.store.cached(&artifact).unwrap(), most);
    let more = [&most[..], b"x"].concat();
    assert!(run.store.cache(&artifact, &more).is_err());
}

#[test]
fn what_is_planted_at_its_name_is_neither_read_nor_replaced() {
    let run = Run::new();
    let artifact = stored(&run, "op-1");
    let elsewhere = run.tmp.path().join("elsewhere");
    std::fs::copy(run.file("op-1.txt"), &elsewhere).unwrap();
    symlink(&elsewhere, run.file("op-1.txt.cache")).unwrap();
    insta::assert_snapshot!(run.store.cache(&artifact, b"computed").unwrap_err());
    assert_eq!(run.store.cached(&artifact), None);
    run.store.remove(artifact.name()).unwrap();
    assert_eq!(names_in(&run.dir()), ["op-1.txt.cache"]);
    assert_eq!(std::fs::read(&elsewhere).unwrap(), b"op-1");
    let error = run.store.cache(&artifact, b"computed").unwrap_err();
    assert!(
        !error.to_string().is_empty(),
        "there is no artifact any more"
    );
}

#[test]
fn a_cache_goes_with_its_artifact() {
    let run = Run::new();
    let (one, two, three) = (
        stored(&run, "op-1"),
        stored(&run, "op-2"),
        stored(&run, "op-3"),
    );
    for artifact in [&one, &two, &three] {
        run.store.cache(artifact, b"computed").unwrap();
    }
    run.store.remove(one.name()).unwrap();
    let keep_three = Policy::forever().unreferenced_by([three.name().clone()]);
    let entries = run.store.entries().unwrap();
    let applied = run
        .store
        .apply(&keep_three.plan(&entries, SystemTime::now()));
    assert_eq!(applied.unwrap().removed.files, 1);
    assert_eq!(names_in(&run.dir()), ["op-3.txt", "op-3.txt.cache"]);
}

#[test]
fn a_cache_is_counted_and_is_not_foreign() {
    let run = Run::new();
    let (one, two) = (stored(&run, "op-1"), stored(&run, "op-2"));
    run.store.cache(&one, b"computed").unwrap();
    run.store.cache(&two, b"computed").unwrap();
    std::fs::rename(run.file("op-2.txt"), run.tmp.path().join("away")).unwrap();
    let scan = run.store.verify(&[one]).unwrap();
    assert!(scan.is_sound() && scan.foreign.is_empty() && scan.orphans.is_empty());
    assert_eq!(scan.leftovers, ["op-2.txt.cache"]);
    let usage = run.store.usage().unwrap();
    assert_eq!((usage.caches.files, usage.foreign.files), (2, 0));
    // An old cache without its artifact is swept as a leftover, and no other.
    let entries = run.store.entries().unwrap();
    let later = SystemTime::now() + Policy::LEFTOVER_AGE + Duration::from_secs(60);
    let plan = Policy::forever().plan(&entries, later);
    assert_eq!(run.store.apply(&plan).unwrap().removed.files, 1);
    assert_eq!(names_in(&run.dir()), ["op-1.txt", "op-1.txt.cache"]);
}
