//! The heavy sweeps of DURABILITY.md: crashes, kills, power cuts, faults, races, full disks.
//!
//! Each prints what it counted. What this machine can't do is skipped, with the reason. Packages
//! of Debian that nothing is skipped with: strace, xfsprogs, btrfs-progs, e2fsprogs,
//! util-linux, qemu-utils.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a development tool: it prints, and damages files with std"
)]

mod blocklog;
mod child;
mod crash;
mod faults;
mod filesystems;
mod fuzz;
mod kill;
mod mount;
mod powercut;
mod races;
mod random;
mod run;
mod space;
mod strace;
mod tally;
mod wrong;

use std::process::ExitCode;
use std::time::Instant;

use tally::Tally;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
    if let ["child", rest @ ..] = args.as_slice() {
        return child::main(rest);
    }
    let short = args.contains(&"--short");
    args.retain(|arg| *arg != "--short");
    let number = |text: Option<&&str>| text.and_then(|text| text.parse().ok());
    let (args, mut tally) = match args.as_slice() {
        [rest @ .., "--seconds", seconds] if rest != ["fuzz"] => match number(Some(seconds)) {
            Some(seconds) => (rest, Tally::within(seconds)),
            None => (&[][..], Tally::default()),
        },
        rest => (rest, Tally::default()),
    };
    match args {
        ["crash"] => crash::run(&mut tally, short),
        ["kill", rest @ ..] => kill::run(&mut tally, number(rest.first())),
        ["powercut", rest @ ..] => powercut::run(&mut tally, number(rest.first())),
        ["blocklog"] => blocklog::run(&mut tally, short),
        ["faults"] => faults::run(&mut tally, short),
        ["races", rest @ ..] => races::run(&mut tally, number(rest.first()), short),
        ["space"] => space::run(&mut tally, short),
        ["filesystems"] => filesystems::run(&mut tally),
        ["fuzz"] => fuzz::run(&mut tally, None, short),
        ["fuzz", "--seconds", seconds] => fuzz::run(&mut tally, number(Some(seconds)), short),
        ["all"] => all(&mut tally, short),
        _ => {
            println!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    match tally.finish() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

type Sweep = fn(&mut Tally, bool);

/// Every sweep, one after the other.
fn all(tally: &mut Tally, short: bool) {
    let sweeps: [(&str, Sweep); 9] = [
        ("crash", crash::run),
        ("kill", |tally, _| kill::run(tally, None)),
        ("powercut", |tally, _| powercut::run(tally, None)),
        ("blocklog", blocklog::run),
        ("faults", faults::run),
        ("races", |tally, short| races::run(tally, None, short)),
        ("space", space::run),
        ("filesystems", |tally, _| filesystems::run(tally)),
        ("fuzz", |tally, short| fuzz::run(tally, None, short)),
    ];
    for (name, sweep) in sweeps {
        let (start, before) = (Instant::now(), *tally);
        sweep(tally, short);
        println!(
            "{name}: {} in {} s",
            tally.since(before),
            start.elapsed().as_secs()
        );
    }
}

const USAGE: &str = "\
usage: cargo xtask COMMAND [--seconds N] [--short]

  crash           every crash of the protocol in simulation, and the wrong protocols
  kill [N]        kill at every system call, then N random kills of 1 to 4 processes (1,000)
  powercut [N]    N power cuts on ext4 and XFS each (all kill points once)
  blocklog        the device made again after every write of a settle (T6), by wrong protocols too
  faults          every system call with every error, once and from then on
  races [N]       N rounds of 2 to 8 processes storing the same operation (300), and adoption
                  against sweeps
  space           full disks, quotas, limits, read-only mounts, permissions
  filesystems     the conformance suite, hostile names (T9), planted objects (T10) and damage (T12)
                  on each file system
  fuzz [--seconds N]  random inputs to what reads bytes that anyone wrote (60 seconds)
  sweeps          all of them

With --seconds, random cases go on until the time is over, and enumerated ones stop then.";
