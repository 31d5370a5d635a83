//! Comparing the directory with the records: every finding has its list.

use artifacts_core::{ArtifactName, ContentDigest};
use artifacts_fs::ArtifactRef;

use super::{Run, names_in};

#[test]
fn every_finding_has_its_list() {
    let run = Run::new();
    let stored = |op: &str, bytes: &[u8]| ArtifactRef::from(&run.save(op, bytes).unwrap());
    let intact = stored("intact", b"intact");
    let short = stored("short", b"short");
    let longer = stored("longer", b"longer");
    let altered = stored("altered", b"altered");
    let missing = stored("missing", b"missing");
    let misnamed = stored("misnamed", b"misnamed");
    stored("orphan", b"orphan");
    let write = |name: &str, bytes: &[u8]| {
        let mut file = std::fs::File::create(run.file(name)).unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
    };
    write("short.txt", b"shor");
    write("longer.txt", b"longer.");
    write("altered.txt", b"Altered");
    write(".tmp-1-1", b"half");
    write("Notes.TXT", b"mine");
    std::fs::rename(run.file("missing.txt"), run.tmp.path().join("away")).unwrap();
    std::fs::rename(run.file("misnamed.txt"), run.file("found.txt")).unwrap();
    let named = [&intact, &short, &longer, &altered, &missing, &misnamed].map(Clone::clone);
    let before = names_in(&run.dir());

    let scan = run.store.scan(&named).unwrap();
    assert_eq!(scan.intact, [altered.clone(), intact.clone()]);
    assert_eq!(scan.missing, [misnamed.clone(), missing.clone()]);
    assert_eq!(scan.short, std::slice::from_ref(&short));
    assert_eq!(scan.altered, std::slice::from_ref(&longer));
    assert_eq!(scan.leftovers, [".tmp-1-1"]);
    assert_eq!(scan.foreign, ["Notes.TXT"]);

    let scan = run.store.verify(&named).unwrap();
    assert!(!scan.is_sound());
    assert_eq!(scan.intact, [intact]);
    assert_eq!(scan.missing, [missing]);
    assert_eq!(scan.short, [short]);
    assert_eq!(scan.altered, [altered, longer]);
    assert_eq!(
        scan.misnamed,
        [(misnamed, ArtifactName::parse("found.txt").unwrap())]
    );
    assert_eq!(scan.leftovers, [".tmp-1-1"]);
    assert_eq!(names_in(&run.dir()), before);
}

#[test]
fn nothing_named_and_nothing_there_is_sound() {
    let run = Run::new();
    assert!(run.store.verify(&[]).unwrap().is_sound());
    let name = ArtifactName::parse("op-1.txt").unwrap();
    let named = ArtifactRef::new(name, ContentDigest::of(b""), 0);
    let named = [named];
    assert_eq!(run.store.verify(&named).unwrap().missing, named);
}

#[test]
fn what_was_renamed_is_found_among_others_of_its_size() {
    let run = Run::new();
    let count = 100;
    let named = (0..count)
        .map(|number| {
            let bytes = format!("{number:04}");
            let file = format!("renamed-{number:04}.txt");
            std::fs::create_dir_all(run.dir()).unwrap();
            std::fs::write(run.file(&file), &bytes).unwrap();
            let name = ArtifactName::parse(&format!("op-{number}.txt")).unwrap();
            ArtifactRef::new(name, ContentDigest::of(bytes.as_bytes()), 4)
        })
        .collect::<Vec<_>>();
    let scan = run.store.verify(&named).unwrap();
    assert_eq!((scan.misnamed.len(), scan.missing.len()), (count, 0));
    let is_right = |(missing, found): &(ArtifactRef, ArtifactName)| {
        ContentDigest::of(&std::fs::read(run.file(found.as_str())).unwrap()) == *missing.digest()
    };
    assert!(scan.misnamed.iter().all(is_right));
}
