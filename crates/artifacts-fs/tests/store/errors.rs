//! Every error text, as a person sees it: one line, no path.

use std::error::Error as _;
use std::os::unix::fs::symlink;

use artifacts_core::{ArtifactName, ContentDigest, ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _, Error};

use super::Run;

fn told(error: &Error) -> String {
    let cause = error.source().map(|cause| format!("\n  cause: {cause}"));
    format!("{:?}: {error}{}\n", error.kind(), cause.unwrap_or_default())
}

#[test]
fn errors_say_what_to_do() {
    let run = Run::new();
    let mut texts = String::new();
    let missing = ArtifactDir::beside(run.tmp.path().join("missing/run.jsonl"));
    let saved = missing.store(&OpId::new("op-1"), ContentType::Text, b"x");
    texts += &told(&saved.unwrap_err());

    let stored = ArtifactRef::from(&run.save("op-1", b"x").unwrap());
    let gone = ArtifactName::parse("op-2.txt").unwrap();
    let gone = ArtifactRef::new(gone, ContentDigest::of(b""), 0);
    texts += &told(&run.store.read(&gone).unwrap_err());

    let other = ArtifactRef::new(stored.name().clone(), ContentDigest::of(b"y"), 1);
    texts += &told(&run.store.read(&other).unwrap_err());

    rustix::fs::link(run.file("op-1.txt"), run.file("op-3.txt")).unwrap();
    texts += &told(&run.store.read(&stored).unwrap_err());

    symlink("op-1.txt", run.file("op-2.txt")).unwrap();
    texts += &told(&run.store.read(&gone).unwrap_err());

    let linked = Run::new();
    symlink("/tmp", linked.dir()).unwrap();
    texts += &told(&linked.save("op-1", b"x").unwrap_err());

    insta::assert_snapshot!(texts);
}
