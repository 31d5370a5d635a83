//! Adoption against sweeps (P1, P12): what one process takes for its result, because the same bytes
//! are there already and nothing names them, others remove as what nothing names.

use std::path::Path;
use std::process::{Child, Stdio};

use crate::random::Random;
use crate::run::{Run, this};
use crate::tally::Tally;

/// Rounds of 1 to 4 processes that adopt while 1 or 2 others sweep.
pub(super) fn run(tally: &mut Tally, tmp: &Path, rounds: u64) {
    let mut random = Random::new(u64::from(std::process::id()));
    let (mut all, mut round) = (Seen::default(), 0);
    while tally.goes_on(round, rounds) {
        let dir = tmp.join(format!("sweep-{round}"));
        let outcome = contest(&dir, 1 + random.below(4), 1 + random.below(2));
        let outcome = outcome.map(|seen| {
            all.settled += seen.settled;
            all.adopted += seen.adopted;
            all.swept += seen.swept;
        });
        let _ = std::fs::remove_dir_all(&dir);
        tally.case(format!("adoption against a sweep, round {round}"), outcome);
        round += 1;
    }
    let Seen {
        settled,
        adopted,
        swept,
    } = all;
    println!(
        "adoption against sweeps: {round} rounds, {settled} results settled and there, {adopted} \
         adopted; {swept} files swept"
    );
}

#[derive(Debug, Default)]
struct Seen {
    settled: u64,
    adopted: u64,
    swept: u64,
}

fn contest(dir: &Path, writers: u64, sweepers: u64) -> Result<Seen, String> {
    let run = Run::new(dir)?;
    run.succeed("settle", "first", "0")?;
    let start = |verb: &str, writer: u64| {
        let mut child = this(&run.child(verb, &writer.to_string(), ""));
        child.stdout(Stdio::piped());
        child.spawn().map_err(|error| error.to_string())
    };
    let sweepers = (0..sweepers).map(|sweeper| start("prune", sweeper));
    let sweepers = sweepers.collect::<Vec<_>>();
    let writers = (0..writers).map(|writer| start("adopt", writer));
    let writers = writers.collect::<Vec<_>>();
    let mut seen = Seen::default();
    let mut failed = None;
    for writer in writers {
        let ended = writer?
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        if !ended.status.success() {
            failed = Some(format!("a writer ended with {}", ended.status));
        }
        let said = String::from_utf8_lossy(&ended.stdout).into_owned();
        seen.settled += said.lines().count() as u64;
        seen.adopted += said.lines().filter(|line| *line == "adopted").count() as u64;
    }
    for sweeper in sweepers {
        seen.swept += stopped(sweeper?)?;
    }
    run.check(false)?;
    failed.map_or(Ok(seen), Err)
}

/// Ends a sweep, which must not have ended by itself; returns what it removed.
fn stopped(mut sweeper: Child) -> Result<u64, String> {
    if matches!(sweeper.try_wait(), Ok(Some(_))) {
        return Err("a sweep ended by itself".into());
    }
    let _ = sweeper.kill();
    let output = sweeper
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    Ok(output.stdout.iter().filter(|byte| **byte == b'\n').count() as u64)
}
