//! Killing the settling process (T2, T7, T13): at every system call, and at random moments.

use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::random::Random;
use crate::run::{Run, this};
use crate::strace::{self, Point};
use crate::tally::Tally;

/// Kills at every system call of every workload, then `random` times at random (1,000).
pub(crate) fn run(tally: &mut Tally, random: Option<u64>) {
    let tmp = tempfile::tempdir().map_err(|error| error.to_string());
    let tmp = match tmp {
        Ok(tmp) => tmp,
        Err(error) => return tally.case("kill", Err(error)),
    };
    tally.for_a_share(2, |tally| at_every_call(tally, tmp.path()));
    at_random(tally, tmp.path(), random.unwrap_or(1_000));
}

fn at_every_call(tally: &mut Tally, tmp: &Path) {
    if let Err(why) = strace::is_there() {
        return tally.skip("kill at every system call", why);
    }
    for workload in WORKLOADS {
        match workload.points(tmp) {
            Ok(points) => {
                println!("kill, {}: {} points", workload.name, points.len());
                for (index, point) in points.iter().enumerate() {
                    if tally.is_over() {
                        return;
                    }
                    let dir = tmp.join(format!("{}-{index}", workload.verb));
                    let outcome = workload.killed(&dir, point);
                    let _ = std::fs::remove_dir_all(&dir);
                    tally.case(format!("kill, {}, {point:?}", workload.name), outcome);
                }
            }
            Err(why) => tally.case(workload.name, Err(why)),
        }
    }
}

/// What is done before, and what is killed.
#[derive(Debug)]
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    verb: &'static str,
    before: &'static [(&'static str, &'static str, &'static str)],
}

impl Workload {
    /// A run on which everything before was done.
    pub(crate) fn prepared(&self, dir: &Path) -> Result<Run, String> {
        let run = Run::new(dir)?;
        for (verb, op, number) in self.before {
            run.succeed(verb, op, number)?;
        }
        Ok(run)
    }

    pub(crate) fn child(&self, run: &Run) -> Vec<String> {
        run.child(self.verb, OP, "1")
    }

    /// The system calls of this workload.
    pub(crate) fn points(&self, tmp: &Path) -> Result<Vec<Point>, String> {
        let dir = tmp.join("untouched");
        let run = self.prepared(&dir)?;
        let points = strace::points(&self.child(&run));
        std::fs::remove_dir_all(&dir).map_err(|error| error.to_string())?;
        points
    }

    /// Kills at one system call, looks, settles again and looks again.
    fn killed(&self, dir: &Path, point: &Point) -> Result<(), String> {
        let run = self.prepared(dir)?;
        strace::inject(&self.child(&run), point, "signal=KILL", false)?;
        self.check(&run)
    }

    /// What must hold after anything happened to the child.
    pub(crate) fn check(&self, run: &Run) -> Result<(), String> {
        let removed = self.verb == "evict";
        run.check(removed)?;
        run.succeed("settle", OP, "1")?;
        run.check_settled(OP)?;
        run.check(removed)
    }
}

/// The five workloads: a first settle, a later one, one whose artifact is there already, one whose
/// name other bytes have, and one after a sweep.
pub(crate) const WORKLOADS: [Workload; 5] = [
    Workload {
        name: "first settle",
        verb: "settle",
        before: &[],
    },
    Workload {
        name: "later settle",
        verb: "settle",
        before: &[("settle", "op-0", "0")],
    },
    Workload {
        name: "artifact there already",
        verb: "settle",
        before: &[("store", OP, "1")],
    },
    Workload {
        name: "other bytes have the name",
        verb: "settle",
        before: &[("store", OP, "2")],
    },
    Workload {
        name: "sweep, then settle",
        verb: "evict",
        before: &[("settle", "op-0", "0")],
    },
];

const OP: &str = "op-1";

/// Kills 1 to 4 processes that settle in one directory, each at a moment of its own.
fn at_random(tally: &mut Tally, tmp: &Path, kills: u64) {
    let seed = u64::from(std::process::id());
    println!("random kills: seed {seed}");
    let mut random = Random::new(seed);
    let (mut killed, mut round) = (0, 0);
    while tally.goes_on(killed, kills) {
        let dir = tmp.join(format!("random-{round}"));
        let (dead, outcome) = random_round(&dir, &mut random);
        killed += dead;
        round += 1;
        let _ = std::fs::remove_dir_all(&dir);
        tally.case(format!("random kills, round {round}"), outcome);
    }
    println!("random kills: {killed} processes killed in {round} rounds");
}

fn random_round(dir: &Path, random: &mut Random) -> (u64, Result<(), String>) {
    let run = match Run::new(dir) {
        Ok(run) => run,
        Err(why) => return (1, Err(why)),
    };
    let mut killed = 0;
    for _ in 0..4 {
        let writers = 1 + random.below(4);
        let children: Vec<(Child, u64)> = (0..writers)
            .filter_map(|writer| {
                let mut child = this(&run.child("churn", &writer.to_string(), ""));
                child.stdout(Stdio::null()).stderr(Stdio::null());
                Some((child.spawn().ok()?, random.below(12_000)))
            })
            .collect();
        let killers: Vec<_> = children
            .into_iter()
            .map(|(mut child, micros)| {
                thread::spawn(move || {
                    thread::sleep(Duration::from_micros(micros + 2_000));
                    let _ = child.kill();
                    // A child that ended by itself was not killed.
                    child.wait().is_ok_and(|status| status.code().is_none())
                })
            })
            .collect();
        let dead = killers.into_iter().filter_map(|killer| killer.join().ok());
        killed += dead.filter(|killed| *killed).count() as u64;
        if let Err(why) = run.check(false) {
            return (killed, Err(why));
        }
    }
    let again = run.succeed("settle", "afterwards", "1");
    let outcome = again.and_then(|_| run.check_settled("afterwards"));
    (killed, outcome.and_then(|()| run.check(false)))
}
