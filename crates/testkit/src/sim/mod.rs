//! The simulated file system.

mod crash;
mod faults;
mod fs;
mod state;

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

pub use crash::Ack;
pub use faults::{Fault, Persistence, Plan};
pub use fs::{SimDir, SimFile};
pub use state::State;

/// A file system in memory. Clones are the same one, as seen by the same writer.
#[derive(Clone)]
pub struct SimFs {
    shared: Arc<Shared>,
    /// Which of the interleaved writers this handle belongs to.
    writer: usize,
}

#[derive(Default)]
struct Shared {
    inner: Mutex<Inner>,
    turn: Condvar,
}

/// Whose turn it is. A change waits until every other writer waits with its own or has finished,
/// so that a schedule always gives the same run.
#[derive(Default)]
struct Turns {
    schedule: VecDeque<usize>,
    writers: [Writer; 2],
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Writer {
    #[default]
    Running,
    Waiting,
    Finished,
}

#[derive(Default)]
struct Inner {
    state: State,
    /// How many operations were performed.
    ops: u64,
    plan: Option<Plan>,
    /// The kinds of operations that a planned fault struck.
    struck: BTreeSet<String>,
    /// The state after every change, if it is to be kept.
    recorded: Option<Vec<State>>,
    turns: Option<Turns>,
}

impl SimFs {
    /// An empty file system whose writes take at most `block_bytes` at a time, which is also what
    /// a crash keeps or loses at once.
    #[must_use]
    pub fn new(block_bytes: usize) -> Self {
        Self::from_state(State::new(block_bytes))
    }

    /// A file system in this state.
    #[must_use]
    pub fn from_state(state: State) -> Self {
        let inner = Inner {
            state,
            ..Inner::default()
        };
        let shared = Shared {
            inner: Mutex::new(inner),
            ..Shared::default()
        };
        Self {
            shared: Arc::new(shared),
            writer: 0,
        }
    }

    /// The same file system for the writer with this number, 0 or 1.
    #[must_use]
    pub fn as_writer(&self, writer: usize) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            writer,
        }
    }

    /// The present state.
    #[must_use]
    pub fn state(&self) -> State {
        self.inner().state.clone()
    }

    /// Keeps the state after every change from here on.
    pub fn record(&self) {
        self.inner().recorded = Some(Vec::new());
    }

    /// The states kept since [`record`](Self::record), and the present one.
    #[must_use]
    pub fn recorded(&self) -> Vec<State> {
        let mut inner = self.inner();
        let mut states = inner.recorded.take().unwrap_or_default();
        states.push(inner.state.clone());
        states
    }

    /// How many operations were performed.
    #[must_use]
    pub fn ops(&self) -> u64 {
        self.inner().ops
    }

    /// Lets operations fail as planned, counted from here.
    pub fn plan(&self, plan: Option<Plan>) {
        let mut inner = self.inner();
        inner.ops = 0;
        inner.struck.clear();
        inner.plan = plan;
    }

    /// Refuses every lock with this error number of Linux from here on, as file systems without locks
    /// do.
    pub fn refuse_locks(&self, errno: i32) {
        self.inner().state.refused_locks = Some(errno);
    }

    /// Performs `work` without faults, and without counting its operations.
    pub fn without_faults<T>(&self, work: impl FnOnce() -> T) -> T {
        let plan = self.inner().plan.take();
        let ops = self.ops();
        let outcome = work();
        let mut inner = self.inner();
        inner.plan = plan;
        inner.ops = ops;
        outcome
    }

    /// The kinds of operations that the planned fault struck.
    #[must_use]
    pub fn struck(&self) -> BTreeSet<String> {
        self.inner().struck.clone()
    }

    /// Notes that something was acknowledged: it must survive any crash from here on.
    pub fn acknowledge(&self, ack: Ack) {
        self.inner().state.acks.push(ack);
    }

    /// Lets the two writers change the state in this order; afterwards, and where one has
    /// finished, the first that has not goes on.
    pub fn schedule(&self, order: impl IntoIterator<Item = usize>) {
        self.inner().turns = Some(Turns {
            schedule: order.into_iter().collect(),
            writers: [Writer::Running; 2],
        });
    }

    /// Says that this writer makes no more changes.
    pub fn finish(&self) {
        self.inner().set(self.writer, Writer::Finished);
        self.shared.turn.notify_all();
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.shared.inner.lock().unwrap()
    }

    /// Performs an operation that changes nothing.
    fn look<T>(&self, op: &str, look: impl FnOnce(&State) -> io::Result<T>) -> io::Result<T> {
        let mut inner = self.inner();
        if let Some(Fault::Error(errno)) = inner.fault(op) {
            return Err(io::Error::from_raw_os_error(errno));
        }
        look(&inner.state)
    }

    /// Performs an operation that changes the state, in its turn.
    fn change<T>(
        &self,
        op: &str,
        change: impl FnOnce(&mut State, Option<Fault>) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut inner = self.inner();
        inner.set(self.writer, Writer::Waiting);
        self.shared.turn.notify_all();
        while !inner.may_go(self.writer) {
            inner = self.shared.turn.wait(inner).unwrap();
        }
        inner.set(self.writer, Writer::Running);
        let fault = inner.fault(op);
        let outcome = match fault {
            Some(Fault::Error(errno)) if op != "sync" && op != "sync_dir" => {
                Err(io::Error::from_raw_os_error(errno))
            }
            fault => change(&mut inner.state, fault),
        };
        if inner.recorded.is_some() {
            let state = inner.state.clone();
            inner.recorded.get_or_insert_default().push(state);
        }
        outcome
    }
}

impl Inner {
    fn set(&mut self, writer: usize, is: Writer) {
        let slot = self
            .turns
            .as_mut()
            .and_then(|turns| turns.writers.get_mut(writer));
        if let Some(slot) = slot {
            *slot = is;
        }
    }

    /// Whether it is this writer's turn; if so, the turn is taken.
    fn may_go(&mut self, writer: usize) -> bool {
        let Some(turns) = &mut self.turns else {
            return true;
        };
        if turns.writers.contains(&Writer::Running) {
            return false;
        }
        let is_waiting = |writer: usize| turns.writers.get(writer) == Some(&Writer::Waiting);
        while turns
            .schedule
            .front()
            .is_some_and(|next| !is_waiting(*next))
        {
            turns.schedule.pop_front();
        }
        let first = (0..turns.writers.len()).find(|writer| is_waiting(*writer));
        let is_next = turns.schedule.front().copied().or(first) == Some(writer);
        if is_next {
            turns.schedule.pop_front();
        }
        is_next
    }

    fn fault(&mut self, op: &str) -> Option<Fault> {
        let number = self.ops;
        self.ops += 1;
        let fault = self.plan.as_mut()?.fault(number, op)?;
        self.struck.insert(op.to_string());
        Some(fault)
    }
}

impl fmt::Debug for SimFs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SimFs({})", self.writer)
    }
}
