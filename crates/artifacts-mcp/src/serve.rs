//! The proxy in front of a server's process.

mod child;
mod pool;

use std::io::{self, Read, Write};
use std::process::{ChildStdin, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::lines::Lines;
use crate::{Error, FromClient, FromServer, Proxy};

use self::child::Server;
use self::pool::Pool;

pub use self::child::Ended;

/// Runs `command` as the server and proxies between it and the client until one of them ends.
///
/// When the client closes its input, or goes away, or `terminated` says that this process was
/// asked to end, the server is asked to end, and then ended. Results that arrived are stored and
/// sent before this returns. The thread that reads `client_in` may outlive the call, since
/// nothing interrupts a read: this is for a process that ends then.
///
/// # Errors
///
/// [`ErrorKind::Server`](crate::ErrorKind::Server) if the server can't be started.
pub fn serve(
    proxy: Proxy,
    command: Command,
    client_in: impl Read + Send + 'static,
    client_out: impl Write + Send + 'static,
    terminated: Receiver<()>,
) -> Result<Ended, Error> {
    let (mut server, stdin, stdout) = Server::start(command)?;
    let (happened, happens) = channel();
    let proxy = Arc::new(proxy);
    let client_out = Arc::new(Mutex::new(Out::to(client_out, happened.clone())));
    let pool = Arc::new(Pool::default());

    spawn("client", {
        let (proxy, out, pool) = (
            Arc::clone(&proxy),
            Arc::clone(&client_out),
            Arc::clone(&pool),
        );
        let happened = happened.clone();
        move || {
            from_client(&proxy, client_in, stdin, &out, &pool);
            let _ = happened.send(Happened::ClientClosed);
        }
    });
    spawn("server", {
        let (proxy, out, pool) = (
            Arc::clone(&proxy),
            Arc::clone(&client_out),
            Arc::clone(&pool),
        );
        let happened = happened.clone();
        move || {
            from_server(&proxy, stdout, &out, &pool);
            let _ = happened.send(Happened::ServerClosed);
        }
    });
    spawn("signals", move || {
        while terminated.recv().is_ok() {
            let _ = happened.send(Happened::Terminated);
        }
    });

    wait(&proxy, &mut server, &happens);
    pool.finish();
    Ok(server.ended())
}

/// What the threads tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Happened {
    /// The client's input is at its end.
    ClientClosed,
    /// The client takes no more output.
    ClientGone,
    /// The server's output is at its end, and all of it was handed on.
    ServerClosed,
    /// This process was asked to end.
    Terminated,
}

/// Returns when the server's output is at its end and its process is.
fn wait(proxy: &Proxy, server: &mut Server, happens: &Receiver<Happened>) {
    let mut patience = None;
    loop {
        let outcome = match patience {
            None => happens.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => happens.recv_timeout(Instant::duration_since(&until, Instant::now())),
        };
        match outcome {
            Ok(Happened::ServerClosed) => return server.reap(),
            Ok(Happened::ClientClosed) => {
                // Whoever sends calls and closes still waits for the answers.
                let patient = match proxy.is_awaited() {
                    false => IDLE_PATIENCE,
                    true => BUSY_PATIENCE,
                };
                patience = patience.or_else(|| Instant::now().checked_add(patient));
            }
            Ok(Happened::ClientGone | Happened::Terminated) | Err(_) => {
                server.end();
                // What it wrote before it ended is still handed on.
                while let Ok(happened) = happens.recv_timeout(DRAIN_PATIENCE) {
                    if happened == Happened::ServerClosed {
                        break;
                    }
                }
                return;
            }
        }
    }
}

fn from_client(
    proxy: &Arc<Proxy>,
    client_in: impl Read,
    mut stdin: ChildStdin,
    out: &Arc<Mutex<Out>>,
    pool: &Arc<Pool>,
) {
    let mut lines = Lines::new(client_in);
    while let Ok(Some(line)) = lines.next_line() {
        let passed = match proxy.from_client(&line) {
            FromClient::Pass => stdin.write_all(&line),
            FromClient::Split(rest, questions) => {
                for question in questions {
                    let (proxy, out) = (Arc::clone(proxy), Arc::clone(out));
                    pool.run(0, move || send(&out, &proxy.answer(&question)));
                }
                rest.map_or(Ok(()), |rest| stdin.write_all(&rest))
            }
        };
        if passed.and_then(|()| stdin.flush()).is_err() {
            // The server takes no more input; what it still says decides.
            break;
        }
    }
}

fn from_server(proxy: &Arc<Proxy>, stdout: impl Read, out: &Arc<Mutex<Out>>, pool: &Arc<Pool>) {
    let mut lines = Lines::new(stdout);
    while let Ok(Some(line)) = lines.next_line() {
        match proxy.from_server(&line) {
            FromServer::Pass => send(out, &line),
            FromServer::Replace(line) => send(out, &line),
            FromServer::Settle(answered) => {
                let (proxy, out) = (Arc::clone(proxy), Arc::clone(out));
                pool.run(line.len(), move || {
                    let settled = proxy.settle(&answered, &line);
                    send(&out, settled.as_deref().unwrap_or(&line));
                });
            }
        }
    }
    pool.finish();
}

/// The client's side of the output.
struct Out {
    writer: Box<dyn Write + Send>,
    happened: Option<Sender<Happened>>,
}

impl Out {
    fn to(writer: impl Write + Send + 'static, happened: Sender<Happened>) -> Self {
        Self {
            writer: Box::new(writer),
            happened: Some(happened),
        }
    }

    /// Writes a whole line, or tells once that nobody reads.
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        if self.happened.is_none() {
            return Ok(());
        }
        self.writer.write_all(line)?;
        self.writer.flush()
    }
}

fn send(out: &Mutex<Out>, line: &[u8]) {
    let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
    if out.write(line).is_err()
        && let Some(happened) = out.happened.take()
    {
        let _ = happened.send(Happened::ClientGone);
    }
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().name(name.to_owned());
    // Where no thread can be had the proxy can't work at all: the channel ends, and so does it.
    let _ = thread.spawn(body);
}

/// How long a server may take to end after its input did, with nothing to answer.
const IDLE_PATIENCE: Duration = Duration::from_secs(2);

/// The same with answers that are waited for.
const BUSY_PATIENCE: Duration = Duration::from_secs(60);

/// How long the output of a server that was ended is waited for.
const DRAIN_PATIENCE: Duration = Duration::from_secs(1);
