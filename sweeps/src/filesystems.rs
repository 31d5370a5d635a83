//! The conformance suite (T16), the hostile names (T9), planted objects (T10) and damage (T12) on
//! each file system.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{ArtifactDir, ArtifactRef, ArtifactStore as _, Durability};
use testkit::tampering::Stored;
use testkit::{conformance, corpus};

use crate::mount::Mount;
use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally) {
    for (kind, mebibytes) in [("ext4", 64), ("xfs", 320), ("btrfs", 128), ("tmpfs", 64)] {
        let mount = match kind {
            "tmpfs" => Mount::memory("size=64m"),
            kind => Mount::image(kind, mebibytes),
        };
        match mount {
            Ok(mount) => {
                tally.case(format!("conformance on {kind}"), conforms(&mount.path()));
                let stored = names(&mount.path());
                let count = *stored.as_ref().unwrap_or(&0);
                tally.case(format!("hostile names on {kind}"), stored.map(drop));
                println!("{kind}: 13 conformance tests, {count} hostile names");
                planted(tally, kind, &mount.path());
                tampered(tally, kind, &mount.path());
            }
            Err(why) => tally.skip(format!("conformance and names on {kind}"), why),
        }
    }
}

fn conforms(dir: &Path) -> Result<(), String> {
    let mut runs = 0;
    let suite = || {
        conformance::run(
            || {
                runs += 1;
                ArtifactDir::beside(dir.join(format!("run-{runs}.jsonl")))
            },
            Durability::PowerLoss,
        )
    };
    quietly(suite).map(drop)
}

/// Planted objects (T10): 112 cases.
fn planted(tally: &mut Tally, kind: &str, dir: &Path) {
    match quietly(|| testkit::planting::run(dir)) {
        Ok(cases) => {
            tally.passed(cases as u64);
            println!("{kind}: {cases} planted objects");
        }
        Err(why) => tally.case(format!("planted objects on {kind}"), Err(why)),
    }
}

/// Damage (T12): every bit of 1 KiB, every truncation, every appended byte, a swap.
fn tampered(tally: &mut Tally, kind: &str, dir: &Path) {
    let damaged = quietly(|| {
        let folder = dir.join("tampered");
        std::fs::create_dir(&folder).expect("the folder is new");
        let stored = Stored::new(&folder);
        let (bits, others) = (stored.flip_every_bit(), stored.cut_and_append());
        stored.swap_with_sibling();
        (bits, others + 1)
    });
    match damaged {
        Ok((bits, others)) => {
            tally.passed((bits + others) as u64);
            println!("{kind}: {bits} flipped bits and {others} other changes, each seen");
        }
        Err(why) => tally.case(format!("damage on {kind}"), Err(why)),
    }
}

/// What panics has failed.
fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outcome = panic::catch_unwind(AssertUnwindSafe(work));
    outcome.map_err(|_| "see the panic above".to_string())
}

fn names(dir: &Path) -> Result<u64, String> {
    let store = ArtifactDir::beside(dir.join("names.jsonl")).with_durability(Durability::Process);
    let ids = corpus::hostile_ids();
    for id in &ids {
        let bytes = id.as_bytes();
        let stored = store
            .store(&OpId::new(id.as_str()), ContentType::Text, bytes)
            .map_err(|error| format!("{id:?}: {error}"))?;
        let read = store.read(&ArtifactRef::from(&stored));
        if read.map_err(|error| format!("{id:?}: {error}"))? != bytes {
            return Err(format!("{id:?} reads back otherwise"));
        }
    }
    let listed = store.list().map_err(|error| error.to_string())?.len();
    match listed == ids.len() {
        true => Ok(listed as u64),
        false => Err(format!("{listed} files for {} ids", ids.len())),
    }
}
