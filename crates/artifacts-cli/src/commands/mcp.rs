//! `artifacts mcp`: the proxy in front of a server.

mod wrap;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use artifacts_core::SettledDigest;
use artifacts_fs::artifact_dir_for;
use artifacts_mcp::{Ended, Host, Proxy, serve};
use clap::{Subcommand, ValueEnum};

use crate::embeddings;
use crate::failure::{Exit, Failure};
use crate::input::base_name;
use crate::output;
use crate::policies::PolicyArgs;
use crate::state::state_folder;

/// Stand between an MCP client and a server, and store large results
///
/// Put `artifacts mcp --` before the server's own command. Exits as the server does.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    subcommand: Option<Sub>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Debug, Subcommand)]
enum Sub {
    Wrap(wrap::Args),
}

#[derive(Debug, clap::Args)]
struct Serve {
    #[command(flatten)]
    policies: PolicyArgs,
    /// The client that shows the results, which decides the limit
    #[arg(long, value_enum, default_value_t)]
    host: HostName,
    /// The directory for the results; without it, one for this command and folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Keep the results beside this transcript, in `<name>.artifacts`
    #[arg(long, value_name = "T.jsonl", conflicts_with = "dir")]
    session: Option<PathBuf>,
    /// Answer questions in other words, too, with the static embeddings (Model2Vec) in this folder
    #[cfg_attr(
        not(feature = "static-embeddings"),
        doc = "(this build has none: it needs --features static-embeddings)"
    )]
    #[arg(long, value_name = "DIR")]
    embeddings: Option<PathBuf>,
    /// Begin the names of the tools that read results with this, where one client has several
    /// servers in one list
    #[arg(long, value_name = "PREFIX", default_value = "", hide_default_value = true, value_parser = tools_prefix)]
    tools_prefix: String,
    /// Print the limit and what the host cuts itself, and start nothing
    #[arg(long)]
    check: bool,
    /// The server's command
    #[arg(last = true, value_name = "SERVER")]
    server: Vec<OsString>,
}

/// The client behind the proxy or the hook.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum HostName {
    /// Any client
    #[default]
    Generic,
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
}

impl From<HostName> for Host {
    fn from(name: HostName) -> Self {
        match name {
            HostName::Generic => Self::Generic,
            HostName::ClaudeCode => Self::ClaudeCode,
            HostName::Codex => Self::Codex,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.subcommand {
        Some(Sub::Wrap(args)) => wrap::run(&args),
        None => proxy(&args.serve),
    }
}

fn proxy(args: &Serve) -> Result<ExitCode, Failure> {
    let host = Host::from(args.host);
    let policies = args.policies.policies(host)?;
    let shape = policies.default_policy().shape().copied();
    let shape = shape.unwrap_or_else(|| host.shape());
    let above = args.policies.above_cap(&policies, host);
    if args.check {
        let limit = shape.limit();
        let report = format!(
            "host: {host}\nits own cap: {} bytes\nlimit here: {} {}, {} bytes\n",
            host.cap_bytes(),
            limit.amount(),
            limit.unit().as_str(),
            limit.byte_ceiling(),
        );
        output::write(report.as_bytes())?;
    }
    above.iter().for_each(|finding| output::diagnose(finding));
    if args.check {
        return match above.is_empty() {
            true => Ok(ExitCode::SUCCESS),
            false => Ok(Exit::Found.into()),
        };
    }
    let Some((program, rest)) = args.server.split_first() else {
        return Err(Failure::input(
            "no server: put its command after --, as in `artifacts mcp -- npx my-server`",
        ));
    };
    let embedder = args.embeddings.as_deref().map(embeddings::load);
    let embedder = embedder.transpose()?;
    let terminated = signals()?;
    let dir = args.directory()?;
    let mut server = Command::new(program);
    server.args(rest);
    let mut proxy = Proxy::new(host, policies, &dir)
        .with_tools_prefix(&args.tools_prefix)
        .with_notices(|notice| say(notice.to_owned()));
    if let Some(embedder) = embedder {
        proxy = proxy.with_embedder(embedder);
    }
    let ended = serve(
        proxy,
        server,
        std::io::stdin(),
        std::io::stdout(),
        terminated,
    )
    .map_err(|error| Failure::new(Exit::Io, error.to_string()))?;
    match ended {
        Ended::Code(0) => {}
        Ended::Code(code) => say(format!("the server exited with status {code}")),
        Ended::Signal(signal) => say(format!("the server was ended by signal {signal}")),
        _ => say("the server ended, and nobody can tell how".to_owned()),
    }
    Ok(ExitCode::from(ended.code()))
}

/// Tells the user, who may read nothing: the server may have filled the pipe for it.
fn say(message: String) {
    let (said, is_said) = channel();
    std::thread::spawn(move || {
        output::diagnose(&message);
        let _ = said.send(());
    });
    let _ = is_said.recv_timeout(SAY_PATIENCE);
}

const SAY_PATIENCE: Duration = Duration::from_millis(500);

impl Serve {
    /// Where results are kept. By default it depends on the command and the folder alone, so that
    /// what one process stored is there for the next.
    fn directory(&self) -> Result<PathBuf, Failure> {
        if let Some(dir) = &self.dir {
            return Ok(dir.clone());
        }
        if let Some(session) = &self.session {
            return Ok(artifact_dir_for(session));
        }
        let folder = state_folder()?;
        let mut identity = std::env::current_dir()
            .unwrap_or_default()
            .into_os_string()
            .into_encoded_bytes();
        for word in &self.server {
            identity.push(0);
            identity.extend_from_slice(word.as_encoded_bytes());
        }
        let digest = SettledDigest::of(&identity).to_string();
        let short = digest.chars().take(16).collect::<String>();
        let program = self
            .server
            .first()
            .map(|program| base_name(Path::new(program)));
        let program = program.unwrap_or_default();
        Ok(folder.join(format!("{program}-{short}.artifacts")))
    }
}

/// A prefix that every client allows in a tool's name.
fn tools_prefix(prefix: &str) -> Result<String, String> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match prefix.len() <= LONGEST_PREFIX && prefix.chars().all(is_allowed) {
        true => Ok(prefix.to_owned()),
        false => Err(format!(
            "expected at most {LONGEST_PREFIX} letters, digits, _ and -"
        )),
    }
}

/// Clients allow a name 64 characters, and some put the server's name before it.
const LONGEST_PREFIX: usize = 32;

#[cfg(unix)]
fn signals() -> Result<Receiver<()>, Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let (sender, receiver) = channel();
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])
        .map_err(|error| Failure::io("can't listen for signals", &error, "try again"))?;
    watch_client(sender.clone());
    std::thread::spawn(move || {
        for _ in &mut signals {
            let _ = sender.send(());
        }
    });
    Ok(receiver)
}

/// Tells `gone` some time after nobody reads the output any more. A server that neither takes input
/// nor says anything would keep the proxy from noticing that its client is gone.
#[cfg(unix)]
fn watch_client(gone: Sender<()>) {
    use rustix::event::{PollFd, PollFlags, poll};
    std::thread::spawn(move || {
        let output = std::io::stdout();
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        while poll(&mut watched, None) == Err(rustix::io::Errno::INTR) {}
        let [watched] = watched;
        let is_gone = PollFlags::ERR | PollFlags::HUP;
        if watched.revents().intersects(is_gone) {
            std::thread::sleep(GONE_PATIENCE);
            let _ = gone.send(());
        }
    });
}

/// So long a server that its client left has to end by itself: longer than one whose client only
/// closed the input.
#[cfg(unix)]
const GONE_PATIENCE: Duration = Duration::from_secs(4);

#[cfg(not(unix))]
fn signals() -> Result<Receiver<()>, Failure> {
    let (_, receiver) = channel();
    Ok(receiver)
}
