//! The proxy, the hook and the report beside real counterparts: `cargo xtask counterparts`.
//!
//! Servers and clients are installed from npm and PyPI into `target`. What can't be had is
//! skipped, and counted.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a development tool: it prints, lays out files with std, and reads JSON members, \
              which are null where there are none"
)]

mod clients;
mod codex;
mod filesystem;
mod install;
mod kills;
mod model;
mod page;
mod paths;
mod peer;
mod same;
mod surface;
mod tally;
mod walk;

use std::process::ExitCode;
use std::time::Instant;

use tally::Tally;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut tally = Tally::default();
    let number = |text: &str| text.parse().ok();
    match args.as_slice() {
        [] => all(&mut tally, FEW_KILLS, None),
        ["--kills", kills] if number(kills).is_some() => {
            all(&mut tally, number(kills).unwrap_or(FEW_KILLS), None);
        }
        ["codex"] => codex::run(&mut tally),
        [part] if PARTS.contains(part) => all(&mut tally, FEW_KILLS, Some(part)),
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

/// Everything but the agent.
fn all(tally: &mut Tally, kills: u32, only: Option<&str>) {
    let [.., page] = PARTS;
    if only.is_none_or(|only| only == page) {
        page::run(tally);
    }
    let node = match install::node() {
        Ok(node) => node,
        Err(why) => return tally.skip("every counterpart", &why),
    };
    type Part<'a> = (&'a str, &'a mut dyn FnMut(&mut Tally));
    let [surface, clients, filesystem, kill, _] = PARTS;
    let parts: [Part<'_>; 4] = [
        (surface, &mut |tally| surface::run(tally, &node)),
        (clients, &mut |tally| clients::run(tally, &node)),
        (filesystem, &mut |tally| filesystem::run(tally, &node)),
        (kill, &mut |tally| kills::run(tally, &node, kills)),
    ];
    for (name, part) in parts {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let start = Instant::now();
        part(tally);
        println!("         {name}: {} s", start.elapsed().as_secs());
    }
}

const PARTS: [&str; 5] = ["surface", "clients", "filesystem", "kills", "page"];

const FEW_KILLS: u32 = 8;

const USAGE: &str = "\
usage: cargo xtask counterparts [PART | --kills N]

  Runs the proxy between real MCP servers and clients, and kills it N times (8).
  One part alone: surface, clients, filesystem, kills, page.

usage: cargo xtask host codex

  Runs the real Codex with the proxy and the hook, against a model that follows a script.";
