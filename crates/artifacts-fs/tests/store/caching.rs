//! What was computed from an artifact: kept beside it, told from everything else, gone with it
//! (SPEC 7.4).

use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::time::{Duration, SystemTime};

use artifacts_fs::{ArtifactDir, ArtifactRef, Policy, RemovableStore as _};

use super::{Run, names_in};

const MODEL: &str = "model 1";

/// Where what the model computed from `op-1.txt` is kept.
const CACHE: &str = "op-1.txt.cd36b49d7b2a8b5e.cache";

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
    assert_eq!(run.store.cached(&artifact, MODEL), None);
    run.store.cache(&artifact, MODEL, b"first").unwrap();
    run.store.cache(&artifact, MODEL, b"second\nline").unwrap();
    let restarted = ArtifactDir::at(run.dir());
    assert_eq!(restarted.cached(&artifact, MODEL).unwrap(), b"second\nline");
    assert_eq!(names_in(&run.dir()), ["op-1.txt", CACHE]);
}

#[test]
fn what_two_models_computed_is_kept_beside_each_other_and_goes_together() {
    let run = Run::new();
    let artifact = stored(&run, "op-1");
    run.store.cache(&artifact, MODEL, b"one").unwrap();
    run.store.cache(&artifact, "model 2", b"two").unwrap();
    assert_eq!(run.store.cached(&artifact, MODEL).unwrap(), b"one");
    assert_eq!(run.store.cached(&artifact, "model 2").unwrap(), b"two");
    assert_eq!(run.store.cached(&artifact, "model 3"), None);
    // As an earlier version kept it.
    write(&run, "op-1.txt.cache", b"artifact cache 1");
    assert_eq!(run.store.usage().unwrap().caches.files, 3);
    run.store.remove(artifact.name()).unwrap();
    assert_eq!(names_in(&run.dir()), Vec::<String>::new());
}

#[test]
fn a_cache_of_other_bytes_or_a_damaged_one_is_none() {
    let run = Run::new();
    let artifact = stored(&run, "op-1");
    run.store.cache(&artifact, MODEL, b"computed").unwrap();
    let other = ArtifactRef::new(
        artifact.name().clone(),
        artifacts_core::ContentDigest::of(b""),
        4,
    );
    assert_eq!(run.store.cached(&other, MODEL), None);
    let whole = std::fs::read(run.file(CACHE)).unwrap();
    for length in 0..whole.len() {
        write(&run, CACHE, &whole[..length]);
        assert_eq!(
            run.store.cached(&artifact, MODEL),
            None,
            "{length} bytes of it"
        );
        let mut damaged = whole.clone();
        damaged[length] ^= 1;
        write(&run, CACHE, &damaged);
        assert_eq!(
            run.store.cached(&artifact, MODEL),
            None,
            "byte {length} changed"
        );
    }
    write(&run, CACHE, &whole);
    assert_eq!(run.store.cached(&artifact, MODEL).unwrap(), b"computed");
}

#[test]
fn a_cache_that_says_it_is_larger_than_memory_is_none() {
    let run = Run::new();
    let artifact = stored(&run, "op-1");
    run.store.cache(&artifact, MODEL, b"computed").unwrap();
    let file = std::fs::File::options()
        .write(true)
        .open(run.file(CACHE))
        .unwrap();
    file.set_len(1 << 40).unwrap();
    assert_eq!(run.store.cached(&artifact, MODEL), None);
    let most = vec![0; (1 << 20) + 4 * 64];
    run.store.cache(&artifact, MODEL, &most).unwrap();
    assert_eq!(run.store.cached(&artifact, MODEL).unwrap(), most);
    let more = [&most[..], b"x"].concat();
    assert!(run.store.cache(&artifact, MODEL, &more).is_err());
}

#[test]
fn what_is_planted_at_its_name_is_neither_read_nor_replaced() {
    let run = Run::new();
    let artifact = stored(&run, "op-1");
    let elsewhere = run.tmp.path().join("elsewhere");
    std::fs::copy(run.file("op-1.txt"), &elsewhere).unwrap();
    symlink(&elsewhere, run.file(CACHE)).unwrap();
    insta::assert_snapshot!(run.store.cache(&artifact, MODEL, b"computed").unwrap_err());
    assert_eq!(run.store.cached(&artifact, MODEL), None);
    run.store.remove(artifact.name()).unwrap();
    assert_eq!(names_in(&run.dir()), [CACHE]);
    assert_eq!(std::fs::read(&elsewhere).unwrap(), b"op-1");
    let error = run.store.cache(&artifact, MODEL, b"computed").unwrap_err();
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
        run.store.cache(artifact, MODEL, b"computed").unwrap();
    }
    run.store.remove(one.name()).unwrap();
    let keep_three = Policy::forever().unreferenced_by([three.name().clone()]);
    let entries = run.store.entries().unwrap();
    let applied = run
        .store
        .apply(&keep_three.plan(&entries, SystemTime::now()));
    assert_eq!(applied.unwrap().removed.files, 1);
    assert_eq!(
        names_in(&run.dir()),
        ["op-3.txt", "op-3.txt.cd36b49d7b2a8b5e.cache"]
    );
}

#[test]
fn a_cache_is_counted_and_is_not_foreign() {
    let run = Run::new();
    let (one, two) = (stored(&run, "op-1"), stored(&run, "op-2"));
    run.store.cache(&one, MODEL, b"computed").unwrap();
    run.store.cache(&two, MODEL, b"computed").unwrap();
    std::fs::rename(run.file("op-2.txt"), run.tmp.path().join("away")).unwrap();
    let scan = run.store.verify(&[one]).unwrap();
    assert!(scan.is_sound() && scan.foreign.is_empty() && scan.orphans.is_empty());
    assert_eq!(scan.leftovers, ["op-2.txt.cd36b49d7b2a8b5e.cache"]);
    let usage = run.store.usage().unwrap();
    assert_eq!((usage.caches.files, usage.foreign.files), (2, 0));
    // An old cache without its artifact is swept as a leftover, and no other.
    let entries = run.store.entries().unwrap();
    let later = SystemTime::now() + Policy::LEFTOVER_AGE + Duration::from_secs(60);
    let plan = Policy::forever().plan(&entries, later);
    assert_eq!(run.store.apply(&plan).unwrap().removed.files, 1);
    assert_eq!(names_in(&run.dir()), ["op-1.txt", CACHE]);
}
