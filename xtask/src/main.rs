//! The repository's own commands: `cargo xtask <command>`.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a development tool: it prints, and reads the repository with std"
)]

mod bench;
mod ci;
mod counterparts;
mod layers;
mod report;
mod shell;
mod sweeps;
mod tidy;
mod unicode;
mod weights;

use std::process::ExitCode;

use report::Report;

fn main() -> ExitCode {
    let args = std::env::args().skip(1).collect::<Vec<_>>();
    let args = args.iter().map(String::as_str).collect::<Vec<_>>();
    let outcome = match args.as_slice() {
        ["ci"] => ci::run(),
        ["tidy"] => tidy::run(Report::default()),
        ["layers"] => layers::run(Report::default()),
        ["unicode"] => unicode::run(),
        ["weights"] => weights::run(),
        ["bench", rest @ ..] => bench::run(rest),
        ["counterparts", rest @ ..] => counterparts::run(rest),
        ["host", host] => counterparts::run(&[host]),
        ["eval", what] => bench::evaluate(what),
        [
            sweep @ ("crash" | "kill" | "powercut" | "blocklog" | "faults" | "races" | "space"
            | "filesystems" | "fuzz" | "sweeps"),
            rest @ ..,
        ] => sweeps::run(sweep, rest),
        _ => {
            println!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome.map(|report| report.finish()) {
        Ok(Report::CLEAN) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            println!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "\
usage: cargo xtask COMMAND

  ci              format, clippy, tests, snapshots, documentation, tidy, layers
  tidy            the repository's own rules: sizes, ids, words, manifests, snapshots, paths
  layers          which crate may reach which, from cargo metadata
  unicode         derive the grapheme classes again and write the core's tables
  weights         fetch static embeddings into target/, for tests and measurements
  bench [NAME]    ratios measured in one run; without a name, the overview; `core` writes
                  docs/benchmarks.md; `store --peer` builds a published store to measure beside
  eval search     how often expand finds the answer, against other methods
  eval tokens     fit the token estimate's weights and write docs/tokens.md
  counterparts [--kills N]  the proxy between real servers and clients, from npm and PyPI
  host codex      the proxy and the hook in the real agent (424 MB), with a scripted model
  sweeps [--short]  all of the following, printing what each counted
  crash | kill [N] | powercut [N] | blocklog | faults | races [N] | space | filesystems | fuzz
                  the sweeps of DURABILITY.md, each for at most so long with --seconds N; with
                  --short, what every change runs";
