//! A long stream, and the memory it takes.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use artifacts_core::{Excerpter, Shape};

use super::Bounds;
use crate::data::Kind;
use crate::table::markdown;

/// Streams 10 GB of every kind in turn; the process must not have taken more memory before than
/// it has.
pub(super) fn section(bounds: &mut Bounds) -> Result<String, Box<dyn Error>> {
    let pieces = Kind::ALL.map(|kind| kind.bytes(PIECE));
    let idle = memory_bytes("VmRSS");
    let start = Instant::now();
    let mut excerpter = Excerpter::new(Shape::excerpt());
    let mut sent = 0;
    for piece in pieces.iter().cycle() {
        excerpter.update(black_box(piece));
        sent += piece.len() as u64;
        if sent >= BYTES {
            break;
        }
    }
    let excerpted = black_box(excerpter.finish());
    let seconds = start.elapsed().as_secs_f64();
    if excerpted.measured().measure().bytes() != sent || excerpted.cut().is_none() {
        return Err("the stream was not measured whole".into());
    }
    let (memory, met) = match (idle, memory_bytes("VmHWM")) {
        (Some(idle), Some(peak)) => {
            let mebibytes = peak.saturating_sub(idle) as f64 / f64::from(1 << 20);
            let met = bounds.at_most("MiB above idle for 10 GB", mebibytes, 8.0);
            (format!("{mebibytes:.2}"), met)
        }
        _ => ("not known on this system".to_owned(), String::new()),
    };
    let row = vec![
        format!("{:.2} GB", sent as f64 / 1e9),
        format!("{:.2}", sent as f64 / 1e9 / seconds),
        memory,
        "8".to_owned(),
        met,
    ];
    let head = ["streamed", "GB/s", "MiB above idle", "at most", ""];
    Ok(format!(
        "## A stream of all kinds in turn\n\nThrough `Excerpter`, which measures, hashes and \
         cuts. Memory is the process's peak resident size above its resident size before the stream.\n\n{}",
        markdown(&head, &[row])
    ))
}

/// What the kernel says of the process's memory, in bytes: `VmRSS` it holds, `VmHWM` it held at
/// most.
pub(crate) fn memory_bytes(name: &str) -> Option<u64> {
    let kilobytes: u64 = super::machine::field("/proc/self/status", name)?
        .trim_end_matches("kB")
        .trim()
        .parse()
        .ok()?;
    kilobytes.checked_mul(1024)
}

const BYTES: u64 = 10_000_000_000;

/// Of no round size, so that edges fall anywhere.
const PIECE: usize = 100_003;
