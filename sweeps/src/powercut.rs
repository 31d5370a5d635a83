//! Power cuts on real file systems (T5): the process is killed at a system call, then the power
//! fails, then the journal is replayed.

use std::collections::BTreeSet;

use crate::kill::{WORKLOADS, Workload};
use crate::mount::Mount;
use crate::strace::{self, Point};
use crate::tally::Tally;

/// Cuts the power at every system call of the first settle, on ext4 and XFS, or `cycles` times on
/// each over all workloads.
pub(crate) fn run(tally: &mut Tally, cycles: Option<u64>) {
    if let Err(why) = strace::is_there() {
        return tally.skip("power cuts", why);
    }
    for (kind, mebibytes, shares) in [("ext4", 64, 2), ("xfs", 320, 1)] {
        tally.for_a_share(shares, |tally| match Mount::image(kind, mebibytes) {
            Ok(mut mount) => {
                let cut = cut_all(tally, kind, &mut mount, cycles);
                println!("power cuts on {kind}: {cut}");
            }
            Err(why) => tally.skip(format!("power cuts on {kind}"), why),
        });
    }
}

fn cut_all(tally: &mut Tally, kind: &str, mount: &mut Mount, cycles: Option<u64>) -> u64 {
    let mut cut = 0;
    loop {
        for workload in &WORKLOADS {
            let points = match workload.points(&mount.path()) {
                Ok(points) => points,
                Err(why) => {
                    tally.case(format!("{kind}, {}", workload.name), Err(why));
                    return cut;
                }
            };
            for point in changing(points) {
                if tally.is_over() {
                    return cut;
                }
                let outcome = cut_at(mount, workload, &point, cut);
                tally.case(format!("{kind}, {}, {point:?}", workload.name), outcome);
                cut += 1;
                if cycles.is_some_and(|cycles| cut >= cycles) {
                    return cut;
                }
            }
            // And once after the settle returned: what it told must be there (P2).
            let outcome = cut_after(mount, workload, cut);
            tally.case(format!("{kind}, {}, afterwards", workload.name), outcome);
            cut += 1;
            // Both first settles, unless more was asked for.
            let is_enough = workload.name == "later settle" && !tally.goes_on(1, 1);
            if cycles.is_none() && is_enough {
                return cut;
            }
        }
    }
}

/// The calls after which there is something else to lose.
fn changing(points: Vec<Point>) -> Vec<Point> {
    let changing = BTreeSet::from([
        "mkdirat",
        "openat",
        "write",
        "pwrite64",
        "fsync",
        "fdatasync",
        "renameat2",
        "unlinkat",
        "flock",
    ]);
    let changes = |point: &Point| changing.contains(point.call.as_str());
    points.into_iter().filter(changes).collect()
}

fn cut_at(mount: &mut Mount, workload: &Workload, point: &Point, cut: u64) -> Result<(), String> {
    let run = workload.prepared(&mount.path().join(format!("run-{cut}")))?;
    // What was done before must survive, so it has to have reached the directory above.
    let acknowledged = run.named().unwrap_or_default();
    crate::mount::command("sync", &["-f", &mount.path().to_string_lossy()])?;
    strace::inject(&workload.child(&run), point, "signal=KILL", false)?;
    mount.cut_power()?;
    let named = run.named().unwrap_or_default();
    if acknowledged
        .iter()
        .any(|artifact| !named.contains(artifact))
    {
        return Err("an acknowledged record is lost".into());
    }
    workload.check(&run)
}

fn cut_after(mount: &mut Mount, workload: &Workload, cut: u64) -> Result<(), String> {
    let dir = mount.path().join(format!("run-{cut}"));
    std::fs::create_dir(&dir).map_err(|error| error.to_string())?;
    crate::mount::command("sync", &["-f", &mount.path().to_string_lossy()])?;
    let run = workload.prepared(&dir)?;
    run.succeed("settle", "op-1", "1")?;
    mount.cut_power()?;
    run.check_settled("op-1")?;
    workload.check(&run)
}
