//! No space, no inodes, no permission (T8, P4, P11): settling goes on, and says what it could not.

use std::path::Path;
use std::process::{Command, Output};

use crate::mount::{Mount, command};
use crate::run::{Run, output, text};
use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally, short: bool) {
    let parts: [fn(&mut Tally, usize); 7] = [
        sizes,
        |tally, _| inodes(tally),
        file_sizes,
        |tally, _| full_disk(tally),
        |tally, _| read_only(tally),
        |tally, _| immutable(tally),
        |tally, _| other_user(tally),
    ];
    for part in parts {
        if !tally.is_over() {
            part(tally, if short { 2 } else { 1 });
        }
    }
}

/// tmpfs of 1 to 60 pages.
fn sizes(tally: &mut Tally, step: usize) {
    for pages in (1..=60).step_by(step) {
        in_memory(tally, &format!("size={}k", pages * 4), "1@120000");
    }
}

/// tmpfs with 1 to 8 inodes, of which the root is one.
fn inodes(tally: &mut Tally) {
    for inodes in 2..=8 {
        in_memory(tally, &format!("nr_inodes={inodes}"), "1");
    }
}

fn in_memory(tally: &mut Tally, limits: &str, number: &str) {
    let mount = match Mount::memory(limits) {
        Ok(mount) => mount,
        Err(why) => return tally.skip(format!("tmpfs {limits}"), why),
    };
    let outcome = Run::new(mount.path()).and_then(|run| {
        told(&settle(&run, number, &[])?)?;
        nothing_half(&run)?;
        mount.remount("size=10m,nr_inodes=1000")?;
        settled_at_last(&run, number)
    });
    tally.case(format!("tmpfs {limits}"), outcome);
}

/// A limit on the size of every file, from nothing to beyond the artifact.
fn file_sizes(tally: &mut Tally, step: usize) {
    for kibibytes in (0..=128).step_by(4 * step) {
        let limit = format!("--fsize={}", kibibytes * 1_024);
        limited(
            tally,
            &format!("file size limit {kibibytes} KiB"),
            &["prlimit", &limit],
            |_| Ok(()),
        );
    }
}

/// An ext4 that something else filled.
fn full_disk(tally: &mut Tally) {
    for left in [0_u64, 8, 40, 80, 160] {
        let name = format!("full ext4 with {left} KiB left");
        let mount = match Mount::image("ext4", 16) {
            Ok(mount) => mount,
            Err(why) => return tally.skip(name, why),
        };
        let outcome = Run::new(mount.path().join("run")).and_then(|run| {
            let filler = mount.path().join("filler");
            let reserve = mount.path().join("reserve");
            fill(&reserve, Some(left))?;
            fill(&filler, None)?;
            std::fs::remove_file(&reserve).map_err(|error| error.to_string())?;
            told(&settle(&run, "1@120000", &[])?)?;
            nothing_half(&run)?;
            std::fs::remove_file(&filler).map_err(|error| error.to_string())?;
            settled_at_last(&run, "1@120000")
        });
        tally.case(name, outcome);
    }
}

/// Writes so many KiB, or until nothing fits.
fn fill(path: &Path, kibibytes: Option<u64>) -> Result<(), String> {
    let count = format!("count={}", kibibytes.unwrap_or(100_000));
    let of = format!("of={}", path.to_string_lossy());
    let filled =
        output(Command::new("dd").args(["if=/dev/zero", "bs=1k", "conv=fsync", &count, &of]))?;
    match filled.status.success() || kibibytes.is_none() {
        true => Ok(()),
        false => Err(text(&filled)),
    }
}

fn read_only(tally: &mut Tally) {
    let mount = match Mount::memory("size=10m") {
        Ok(mount) => mount,
        Err(why) => return tally.skip("read-only mount", why),
    };
    let outcome = Run::new(mount.path().join("run")).and_then(|run| {
        run.succeed("settle", "op-0", "0")?;
        mount.remount("ro")?;
        let output = settle(&run, "1", &[])?;
        told(&output)?;
        run.check_finals()?;
        run.check_settled("op-0")?;
        mount.remount("rw")?;
        settled_at_last(&run, "1")
    });
    tally.case("read-only mount", outcome);
}

/// A directory that not even root may change.
fn immutable(tally: &mut Tally) {
    let name = "immutable artifact directory";
    let mount = match Mount::image("ext4", 16) {
        Ok(mount) => mount,
        Err(why) => return tally.skip(name, why),
    };
    let outcome = Run::new(mount.path().join("run")).and_then(|run| {
        run.succeed("settle", "op-0", "0")?;
        let artifacts = run.artifacts().to_string_lossy().into_owned();
        command("chattr", &["+i", &artifacts])?;
        let output = settle(&run, "1", &[]);
        command("chattr", &["-i", &artifacts])?;
        let output = output?;
        told(&output)?;
        match text(&output).contains("not stored") {
            true => run.check(false),
            false => Err("it was stored nevertheless".into()),
        }
    });
    tally.case(name, outcome);
}

/// A user who may write the transcript and not the artifacts.
fn other_user(tally: &mut Tally) {
    let as_nobody = [
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
    ];
    limited(
        tally,
        "another user's artifact directory",
        &as_nobody,
        |run| {
            std::fs::create_dir(run.artifacts()).map_err(|error| error.to_string())?;
            let nobody = "65534";
            let dir = run.transcript();
            let dir = dir.parent().unwrap_or(Path::new("/"));
            command("chmod", &["700", &run.artifacts().to_string_lossy()])?;
            command("chown", &[nobody, &dir.to_string_lossy()])
        },
    );
}

/// Settles under a program that limits what it starts.
fn limited(
    tally: &mut Tally,
    name: &str,
    under: &[&str],
    prepare: impl FnOnce(&Run) -> Result<(), String>,
) {
    if command(under.first().copied().unwrap_or_default(), &["--version"]).is_err() {
        return tally.skip(name, "util-linux is not installed");
    }
    let mount = match Mount::memory("size=10m,mode=755") {
        Ok(mount) => mount,
        Err(why) => return tally.skip(name, why),
    };
    // The program is where another user may start it.
    let program = mount.path().join("sweeps");
    let copied = std::env::current_exe().and_then(|this| std::fs::copy(this, &program));
    let outcome = Run::new(mount.path().join("run")).and_then(|run| {
        if copied.is_err() {
            mount.remount("size=200m")?;
            let this = std::env::current_exe().map_err(|error| error.to_string())?;
            std::fs::copy(this, &program).map_err(|error| error.to_string())?;
        }
        prepare(&run)?;
        let mut words = under.to_vec();
        let program = program.to_string_lossy();
        words.push(&program);
        told(&settle(&run, "1@120000", &words)?)?;
        nothing_half(&run)?;
        settled_at_last(&run, "1@120000")
    });
    tally.case(name, outcome);
}

/// Settles as a child, under the words of another program if there are any.
fn settle(run: &Run, number: &str, under: &[&str]) -> Result<Output, String> {
    let child = run.child("settle", "op-1", number);
    match under {
        [] => output(&mut crate::run::this(&child)),
        [program, rest @ ..] => output(Command::new(program).args(rest).args(child)),
    }
}

/// It settled, stored or not, or it said that the transcript could not be written.
fn told(output: &Output) -> Result<(), String> {
    let said = text(output);
    match output.status.code() {
        Some(0) if said.contains("stored") => Ok(()),
        Some(3) if said.contains("error: ") => Ok(()),
        _ => Err(format!("it ended with {}: {said}", output.status)),
    }
}

fn nothing_half(run: &Run) -> Result<(), String> {
    let left = run.leftovers();
    if !left.is_empty() {
        return Err(format!("left {left:?}"));
    }
    run.check(false)
}

/// With room again, a settle succeeds, and everything recorded is there.
fn settled_at_last(run: &Run, number: &str) -> Result<(), String> {
    run.succeed("settle", "op-1", number)?;
    run.succeed("settle", "op-2", number)?;
    run.check_settled("op-2")?;
    run.check(false)
}
