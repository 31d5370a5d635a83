//! The proxy in front of a server's process.

mod child;
mod out;
mod pool;

use std::io::{Read, Write};
use std::process::{ChildStdin, Command};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::lines::Lines;
use crate::{Error, FromClient, FromServer, Proxy};

use self::child::Server;
use self::out::Out;
use self::pool::Pool;

pub use self::child::Ended;

/// Runs `command` as the server and proxies between it and the client until one of them ends.
///
/// When the client closes its input, or goes away, or `terminated` says that this process was
/// asked to end, the server is asked to end, and then ended. Results that arrived are stored before
/// this returns, and sent, unless the client goes away or takes nothing when this process is asked
/// to end. The threads that read `client_in` and write `client_out` may outlive the call, since
/// nothing interrupts them: this is for a process that ends then.
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
    let out = Arc::new(Out::to(client_out, happened.clone()));
    let pool = Arc::new(Pool::sending_to(Arc::clone(&out)));

    spawn("client", &happened, {
        let (proxy, pool, happened) = (Arc::clone(&proxy), Arc::clone(&pool), happened.clone());
        move || {
            from_client(&proxy, client_in, stdin, &pool);
            let _ = happened.send(Happened::ClientClosed);
        }
    });
    spawn("server", &happened, {
        let (proxy, pool, happened) = (Arc::clone(&proxy), Arc::clone(&pool), happened.clone());
        move || {
            from_server(&proxy, stdout, &out, &pool);
            let _ = happened.send(Happened::ServerClosed);
        }
    });
    spawn("signals", &happened, {
        let happened = happened.clone();
        move || {
            while terminated.recv().is_ok() {
                let _ = happened.send(Happened::Terminated);
            }
        }
    });

    let left = wait(&proxy, &mut server, &happens);
    spawn("rest", &happened, {
        let (pool, happened) = (Arc::clone(&pool), happened.clone());
        move || {
            pool.finish();
            let _ = happened.send(Happened::AllSent);
        }
    });
    until(&happens, Happened::AllSent, left);
    pool.finish_work();
    Ok(server.ended())
}

/// What the threads tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Happened {
    /// The client's input is at its end.
    ClientClosed,
    /// The client takes no more output.
    ClientGone,
    /// The server's output is at its end.
    ServerClosed,
    /// Every result that arrived was sent.
    AllSent,
    /// This process was asked to end.
    Terminated,
}

/// Returns when the server's process ended, with the time until which the client is waited for, if
/// that is bounded.
fn wait(proxy: &Proxy, server: &mut Server, happens: &Receiver<Happened>) -> Option<Instant> {
    let mut closed: Option<Instant> = None;
    let is_bounded = loop {
        let outcome = match closed {
            None => happens.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => happens.recv_timeout(IDLE_PATIENCE),
        };
        match outcome {
            Ok(Happened::ServerClosed) => {
                server.reap();
                return None;
            }
            Ok(Happened::ClientClosed) => closed = Some(Instant::now()),
            Ok(Happened::AllSent) => {}
            Ok(Happened::ClientGone | Happened::Terminated) => break true,
            // Whoever asks and closes still waits for the answers.
            Err(RecvTimeoutError::Timeout)
                if proxy.is_awaited()
                    && closed.is_some_and(|closed| closed.elapsed() < BUSY_PATIENCE) => {}
            Err(_) => break false,
        }
    };
    server.end();
    // What it wrote before it ended is still handed on.
    let drained = Instant::now().checked_add(DRAIN_PATIENCE);
    until(happens, Happened::ServerClosed, drained);
    drained.filter(|_| is_bounded)
}

/// Waits for `last`, which is not waited for long once nobody wants what it brings.
fn until(happens: &Receiver<Happened>, last: Happened, mut patience: Option<Instant>) {
    loop {
        let outcome = match patience {
            None => happens.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => happens.recv_timeout(Instant::duration_since(&until, Instant::now())),
        };
        match outcome {
            Ok(happened) if happened == last => return,
            Ok(Happened::ClientGone | Happened::Terminated) => {
                patience = patience.or_else(|| Instant::now().checked_add(DRAIN_PATIENCE));
            }
            Ok(_) => {}
            Err(_) => return,
        }
    }
}

fn from_client(proxy: &Arc<Proxy>, client_in: impl Read, mut stdin: ChildStdin, pool: &Arc<Pool>) {
    let mut lines = Lines::new(client_in);
    while let Ok(Some(line)) = lines.next_line() {
        let passed = match proxy.from_client(&line) {
            FromClient::Pass => stdin.write_all(&line),
            FromClient::Split(rest, questions) => {
                for question in questions {
                    let proxy = Arc::clone(proxy);
                    pool.run(0, move || proxy.answer(&question));
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

fn from_server(proxy: &Arc<Proxy>, stdout: impl Read, out: &Out, pool: &Arc<Pool>) {
    let mut lines = Lines::new(stdout);
    while let Ok(Some(line)) = lines.next_line() {
        match proxy.from_server(&line) {
            FromServer::Pass => out.send(&line),
            FromServer::Replace(line) => out.send(&line),
            FromServer::Settle(answered) => {
                let proxy = Arc::clone(proxy);
                pool.run(line.len(), move || {
                    proxy.settle(&answered, &line).unwrap_or(line)
                });
            }
        }
    }
}

fn spawn(name: &str, happened: &Sender<Happened>, body: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().name(name.to_owned());
    if thread.spawn(body).is_err() {
        // Where no thread can be had the proxy can't work at all: it ends.
        let _ = happened.send(Happened::Terminated);
    }
}

/// How long a server may take to end after its input did, with nothing to answer.
const IDLE_PATIENCE: Duration = Duration::from_secs(2);

/// The longest with answers that are waited for.
const BUSY_PATIENCE: Duration = Duration::from_secs(60);

/// How long the output of a server that was ended, and a client that takes nothing, is waited for.
const DRAIN_PATIENCE: Duration = Duration::from_secs(1);
