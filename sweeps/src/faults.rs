//! Errors from the kernel (T3): every system call with every error, once and from then on.

use std::path::Path;

use crate::kill::{WORKLOADS, Workload};
use crate::run::text;
use crate::strace::{self, Point};
use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally, short: bool) {
    if let Err(why) = strace::is_there() {
        return tally.skip("faults", why);
    }
    let tmp = match tempfile::tempdir() {
        Ok(tmp) => tmp,
        Err(error) => return tally.case("faults", Err(error.to_string())),
    };
    let mut cases = 0;
    for (index, workload) in WORKLOADS.iter().enumerate() {
        if short && index > 0 {
            break;
        }
        match workload.points(tmp.path()) {
            Ok(points) => {
                for point in &points {
                    if tally.is_over() {
                        break;
                    }
                    cases += strike(tally, tmp.path(), workload, point, short);
                }
            }
            Err(why) => tally.case(workload.name, Err(why)),
        }
    }
    println!("faults: {cases} points");
}

fn strike(tally: &mut Tally, tmp: &Path, workload: &Workload, point: &Point, short: bool) -> u64 {
    let mut cases = 0;
    let mut strike = |what: &str, from_then_on: bool| {
        let dir = tmp.join("struck");
        let outcome = struck(&dir, workload, point, what, from_then_on);
        let _ = std::fs::remove_dir_all(&dir);
        let sticky = if from_then_on { " from then on" } else { "" };
        tally.case(
            format!("{}, {point:?}, {what}{sticky}", workload.name),
            outcome,
        );
        cases += 1;
    };
    let sticky_too: &[&str] = if short {
        &["EIO", "ENOSPC", "EDQUOT", "EACCES", "EROFS"]
    } else {
        ERRORS
    };
    for error in ERRORS {
        strike(&format!("error={error}"), false);
        // No kernel interrupts for ever, and the standard library's loops rely on that.
        if sticky_too.contains(error) && *error != "EINTR" {
            strike(&format!("error={error}"), true);
        }
    }
    if point.call == "write" {
        strike("retval=7", false);
    }
    cases
}

fn struck(
    dir: &Path,
    workload: &Workload,
    point: &Point,
    what: &str,
    from_then_on: bool,
) -> Result<(), String> {
    let run = workload.prepared(dir)?;
    let output = strace::inject(&workload.child(&run), point, what, from_then_on)?;
    let said = text(&output);
    // 0: settled, stored or not. 3: the transcript could not be written, and that was said.
    let mute = from_then_on && point.call == "write";
    let told = match output.status.code() {
        Some(0 | 3) if mute => true,
        Some(0) => said.contains("stored") || said.contains("completed"),
        Some(3) => said.contains("error: "),
        _ => false,
    };
    if !told {
        return Err(format!("it ended with {}: {said}", output.status));
    }
    let left = run.leftovers();
    if !left.is_empty() && point.call != "unlinkat" {
        return Err(format!("left {left:?}"));
    }
    // A write to the transcript that lied is the transcript's own test.
    if what.starts_with("retval") && !said.contains("stored") {
        return Ok(());
    }
    workload.check(&run)
}

const ERRORS: &[&str] = &[
    "EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES", "EROFS", "EMFILE", "ENOSYS",
];
