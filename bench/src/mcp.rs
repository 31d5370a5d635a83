//! What the proxy costs beside the server alone: a small call, a large result, memory, start.

mod least;
mod server;
mod session;

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use session::Session;

use crate::table::{Time, in_turn, print};

pub(crate) use least::serve as serve_least;
pub(crate) use server::serve;

/// Prints the table. The bounds are those of the issue that the proxy was built for.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir_in(".")?;
    let mut rows = Vec::new();
    let mut direct = Session::start(direct()?)?;
    let mut proxied = Session::start(proxied(&folder.path().join("run.artifacts"))?)?;
    rows.push(small(&mut direct, &mut proxied));
    let (idle, bound) = (proxied.resident_bytes()?, 15_000_000);
    rows.push(bounded(
        "idle memory",
        idle as f64 / 1e6,
        bound as f64 / 1e6,
        "MB",
    ));
    rows.extend(large(&mut direct, &mut proxied, folder.path())?);
    let kept = format!("{:.2} MB", proxied.resident_bytes()? as f64 / 1e6);
    rows.push(vec!["what the allocator keeps after them".to_owned(), kept]);
    direct.check().and(proxied.check())?;
    rows.push(start(folder.path())?);
    println!("\nThe proxy beside the server alone; all of one run:\n");
    print(&["", "", "at most", "", "spread"], &rows);
    Ok(())
}

/// What a call adds whose result fits: twice through two pipes, and once looked at.
fn small(direct: &mut Session, proxied: &mut Session) -> Vec<String> {
    let [direct, proxied] = in_turn(
        SMALL_ROUNDS,
        1,
        [&mut || direct.call("small"), &mut || proxied.call("small")],
    );
    let added = (proxied.median - direct.median) / 1e3;
    let mut row = bounded("a small call, added at the median", added, 300.0, "µs");
    row.push(spread(&[direct, proxied]));
    row
}

/// A result of 5 MB, beside the direct call and one durable save of it; and the least that anything
/// in between takes.
fn large(
    direct: &mut Session,
    proxied: &mut Session,
    folder: &Path,
) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let saves = Saves {
        dir: folder.join("saved"),
        text: server::large_text(),
    };
    let mut saved = 0;
    // The proxy never replaces a file: to take the place of one may take time to free it.
    let mut new = || {
        saved += 1;
        saves.save(&format!("saved-{saved}"))
    };
    let settled = Beside::of(direct, &mut new, proxied)?;
    let mut row = bounded(&settled.told("5 MB"), settled.ratio(), 1.5, "times");
    row.push(spread(&settled.times));
    let mut least = Session::start(least(&folder.join("least"))?)?;
    let least = Beside::of(direct, &mut new, &mut least)?;
    let replaced = Beside::of(direct, &mut || saves.save("saved"), proxied)?;
    let unbounded = |name, beside: &Beside| {
        let ratio = format!("{:.2} times", beside.ratio());
        vec![beside.told(name), ratio]
    };
    Ok(vec![
        row,
        unbounded("only passed on, decoded once and saved", &least),
        unbounded("5 MB, where the save replaces a file", &replaced),
    ])
}

struct Saves {
    dir: PathBuf,
    text: String,
}

impl Saves {
    fn save(&self, name: &str) -> io::Result<()> {
        session::save(&self.dir, name, self.text.as_bytes())
    }
}

/// A large call, a durable save, and the call through something that saves.
struct Beside {
    times: [Time; 3],
}

impl Beside {
    fn of(
        direct: &mut Session,
        save: &mut dyn FnMut() -> io::Result<()>,
        through: &mut Session,
    ) -> Result<Self, Box<dyn Error>> {
        let mut outcome = Ok(());
        let mut save = || {
            if let Err(error) = save() {
                outcome = Err(error);
            }
        };
        let mut through_call = || through.call("large");
        let mut direct_call = || direct.call("large");
        let works: [&mut dyn FnMut(); 3] = [&mut direct_call, &mut save, &mut through_call];
        let times = in_turn(LARGE_ROUNDS, 1, works);
        outcome?;
        through.check()?;
        Ok(Self { times })
    }

    /// Of what a tenth was faster: what it takes when a shared disk is not in the way.
    fn ratio(&self) -> f64 {
        let [direct, saved, through] = self.times.map(|time| time.fast);
        through / (direct + saved)
    }

    fn told(&self, name: &str) -> String {
        let [direct, saved, through] = self.times.map(|time| time.fast / 1e6);
        format!(
            "{name}: {through:.1} ms, beside the call ({direct:.1} ms) and a save ({saved:.1} ms)"
        )
    }
}

/// How much later the first answer comes.
fn start(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let dir = folder.join("start.artifacts");
    let (mut alone, mut through) = (Vec::new(), Vec::new());
    for _ in 0..START_ROUNDS {
        alone.push(first_answer(direct()?)?);
        through.push(first_answer(proxied(&dir)?)?);
    }
    let times = [alone, through].map(Time::of);
    let [direct, proxied] = times;
    let added = (proxied.median - direct.median) / 1e6;
    let mut row = bounded("start, added to the first answer", added, 20.0, "ms");
    row.push(spread(&times));
    Ok(row)
}

/// Nanoseconds from the start of a process to its first answer.
fn first_answer(command: Command) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    let mut session = Session::start(command)?;
    session.call("small");
    let taken = start.elapsed().as_nanos() as f64;
    session.check().map(|()| taken)
}

/// The server alone: this binary.
fn direct() -> Result<Command, Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("mcp-server");
    Ok(command)
}

/// The server behind the binary that users run, which was built beside this one.
fn proxied(dir: &Path) -> Result<Command, Box<dyn Error>> {
    let this = std::env::current_exe()?;
    let mut command = Command::new(this.with_file_name("artifacts"));
    command.arg("mcp").arg("--dir").arg(dir).arg("--");
    command.arg(this).arg("mcp-server");
    Ok(command)
}

/// The least program in front of the server: this binary.
fn least(dir: &Path) -> Result<Command, Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("mcp-least").arg(dir);
    Ok(command)
}

fn bounded(name: &str, measured: f64, at_most: f64, unit: &str) -> Vec<String> {
    let verdict = if measured <= at_most { "ok" } else { "over" };
    vec![
        name.to_owned(),
        format!("{measured:.2} {unit}"),
        format!("{at_most} {unit}"),
        verdict.to_owned(),
    ]
}

fn spread(times: &[Time]) -> String {
    let most = times.iter().map(|time| time.spread).fold(0.0, f64::max);
    format!("{:.0} %", 100.0 * most)
}

const SMALL_ROUNDS: usize = 3_000;
const LARGE_ROUNDS: usize = 101;
const START_ROUNDS: usize = 41;
