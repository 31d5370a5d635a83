//! Races (T11, P10, P12, P13): processes that store the same operation at once, and a reader that
//! looks all the while; processes that adopt what others sweep.

mod adoption;

use std::path::Path;
use std::process::{Child, Stdio};
use std::str::FromStr as _;

use artifacts_core::{ArtifactName, ContentDigest};
use artifacts_fs::{ArtifactRef, ArtifactStore as _};

use crate::random::Random;
use crate::run::{Run, body, this};
use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally, rounds: Option<u64>, short: bool) {
    let tmp = match tempfile::tempdir() {
        Ok(tmp) => tmp,
        Err(error) => return tally.case("races", Err(error.to_string())),
    };
    let rounds = rounds.unwrap_or(if short { 120 } else { 300 });
    tally.for_a_share(2, |tally| at_once(tally, tmp.path(), rounds));
    adoption::run(tally, tmp.path(), if short { 20 } else { 100 });
}

/// Rounds of 2 to 8 processes that store the same operation at once.
fn at_once(tally: &mut Tally, tmp: &Path, rounds: u64) {
    let seed = u64::from(std::process::id());
    println!("races: seed {seed}");
    let mut random = Random::new(seed);
    let mut stored = 0;
    let mut round = 0;
    while tally.goes_on(round, rounds) {
        let dir = tmp.join(round.to_string());
        let writers = 2 + random.below(7);
        let variants = 1 + random.below(3);
        let outcome = race(&dir, writers, variants).map(|count| stored += count);
        let _ = std::fs::remove_dir_all(&dir);
        tally.case(format!("race {round} of {writers} writers"), outcome);
        round += 1;
    }
    println!("races: {round} rounds, {stored} receipts, each true");
}

/// Returns how many receipts there were.
fn race(dir: &Path, writers: u64, variants: u64) -> Result<u64, String> {
    let run = Run::new(dir)?;
    let mut children = Vec::new();
    for writer in 0..writers {
        let number = (writer % variants).to_string();
        let mut child = this(&run.child("store", "op-1", &number));
        child.stdout(Stdio::piped());
        let child = child.spawn().map_err(|error| error.to_string())?;
        children.push((number, child));
    }
    while children.iter_mut().any(|(_, child)| is_running(child)) {
        // Whatever has its final name is whole.
        run.check_finals()?;
    }
    for (number, child) in children {
        let output = child
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let body = body(&number);
        let receipt = receipt(&said, body.len() as u64).ok_or_else(|| said.clone())?;
        let read = run
            .store()
            .read(&receipt)
            .map_err(|error| error.to_string())?;
        if read != body.as_bytes() {
            return Err(format!("{} has another writer's bytes", receipt.name()));
        }
    }
    let left = run.leftovers();
    let names = run.store().list().map_err(|error| error.to_string())?.len() as u64;
    match left.is_empty() && names <= variants {
        true => Ok(writers),
        false => Err(format!(
            "{names} names for {variants} bodies, left {left:?}"
        )),
    }
}

fn is_running(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(None))
}

fn receipt(said: &str, bytes: u64) -> Option<ArtifactRef> {
    let mut words = said.trim().strip_prefix("stored ")?.split(' ');
    let name = ArtifactName::parse(words.next()?).ok()?;
    let digest = ContentDigest::from_str(words.next()?).ok()?;
    Some(ArtifactRef::new(name, digest, bytes))
}
