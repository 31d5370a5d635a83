//! Killing and failing a child at its system calls.

use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};

use crate::child::{BEGIN, END};
use crate::run::{output, text};

/// A system call of a child: its name and which one of that name it is, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) call: String,
    pub(crate) number: usize,
}

/// Whether strace is there and may trace.
pub(crate) fn is_there() -> Result<(), String> {
    let traced = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .output();
    match traced {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("strace can't trace here: {}", text(&output).trim())),
        Err(_) => Err("strace is not installed".into()),
    }
}

/// Runs the child once and lists the system calls of its settle that touch files.
pub(crate) fn points(child: &[String]) -> Result<Vec<Point>, String> {
    let traced = output(
        Command::new("strace")
            .args(["-f", "-qq", "-e", "trace=file,desc"])
            .args(program(child)),
    )?;
    if !traced.status.success() {
        return Err(format!("the child failed untouched: {}", text(&traced)));
    }
    let trace = String::from_utf8_lossy(&traced.stderr);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut points = Vec::new();
    let mut inside = false;
    for line in trace.lines() {
        let line = line
            .trim_start_matches(|c: char| c == '[' || c == ']' || c == ' ' || c.is_ascii_digit());
        let line = line.strip_prefix("pid").unwrap_or(line).trim_start();
        let Some((call, _)) = line.split_once('(') else {
            continue;
        };
        let count = counts.entry(call).or_default();
        *count += 1;
        inside = (inside || line.contains(BEGIN)) && !line.contains(END);
        if inside && CALLS.contains(&call) && !line.contains(BEGIN) {
            points.push(Point {
                call: call.to_string(),
                number: *count,
            });
        }
    }
    Ok(points)
}

/// Runs the child with something injected: `signal=KILL`, `error=EIO`, `retval=7`.
pub(crate) fn inject(
    child: &[String],
    point: &Point,
    what: &str,
    from_then_on: bool,
) -> Result<Output, String> {
    let (call, number) = (&point.call, point.number);
    let plus = if from_then_on { "+" } else { "" };
    let inject = format!("inject={call}:{what}:when={number}{plus}");
    let trace = format!("trace={call}");
    let mut command = Command::new("timeout");
    command
        .args([
            "-s",
            "KILL",
            "20",
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            &trace,
        ])
        .args(["-e", &inject])
        .args(program(child))
        .stdin(Stdio::null());
    output(&mut command)
}

fn program(child: &[String]) -> Vec<String> {
    let program = std::env::current_exe().unwrap_or_else(|_| "sweeps".into());
    let program = program.to_string_lossy().into_owned();
    std::iter::once(program)
        .chain(child.iter().cloned())
        .collect()
}

/// The calls that are struck: all that read or change the file system.
const CALLS: &[&str] = &[
    "openat",
    "openat2",
    "mkdirat",
    "fchmodat",
    "fchmod",
    "flock",
    "fcntl",
    "lseek",
    "read",
    "pread64",
    "write",
    "pwrite64",
    "ftruncate",
    "fadvise64",
    "fsync",
    "fdatasync",
    "fstat",
    "newfstatat",
    "statx",
    "renameat2",
    "renameat",
    "linkat",
    "unlinkat",
    "getdents64",
];
