//! A few threads for what takes time: storing results, answering retrieval tools.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::out::Out;

/// Runs jobs beside each other, a bounded number of them and of the bytes they hold, and sends the
/// line that each makes.
#[derive(Debug)]
pub(super) struct Pool {
    out: Arc<Out>,
    busy: Mutex<Busy>,
    less: Condvar,
}

#[derive(Debug, Default)]
struct Busy {
    jobs: usize,
    bytes: usize,
    /// Of the jobs, those whose line is not made yet.
    at_work: usize,
}

impl Busy {
    /// One job may be of any size; several together stay below a bound.
    fn takes(&self, bytes: usize) -> bool {
        let within = self.bytes.saturating_add(bytes) <= MOST_BYTES;
        self.jobs == 0 || (self.jobs < MOST_JOBS && within)
    }
}

impl Pool {
    pub(super) fn sending_to(out: Arc<Out>) -> Self {
        Self {
            out,
            busy: Mutex::default(),
            less: Condvar::new(),
        }
    }

    /// Runs the job on a thread of its own, as soon as there is room for it and the `bytes` it
    /// holds. Blocks until then.
    pub(super) fn run(
        self: &Arc<Self>,
        bytes: usize,
        job: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) {
        let busy = self.busy();
        let busy = self.less.wait_while(busy, |busy| !busy.takes(bytes));
        let mut busy = busy.unwrap_or_else(PoisonError::into_inner);
        busy.jobs += 1;
        busy.bytes = busy.bytes.saturating_add(bytes);
        busy.at_work += 1;
        drop(busy);
        let ticket = Ticket {
            pool: Arc::clone(self),
            bytes,
            is_at_work: true,
        };
        let shared = Arc::new(Mutex::new(Some((ticket, job))));
        let taken = Arc::clone(&shared);
        let spawned = thread::Builder::new().spawn(move || work(&taken));
        if spawned.is_err() {
            work(&shared);
        }
    }

    /// Waits until every job's line is sent, which takes a client that reads.
    pub(super) fn finish(&self) {
        drop(self.less.wait_while(self.busy(), |busy| busy.jobs > 0));
    }

    /// Waits until every job's line is made: what is to be stored is.
    pub(super) fn finish_work(&self) {
        drop(self.less.wait_while(self.busy(), |busy| busy.at_work > 0));
    }

    fn busy(&self) -> MutexGuard<'_, Busy> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn work<J: FnOnce() -> Vec<u8>>(shared: &Mutex<Option<(Ticket, J)>>) {
    let taken = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((mut ticket, job)) = taken {
        let line = job();
        ticket.stop_work();
        ticket.pool.out.send(&line);
    }
}

/// Given back when the line is sent, also after a panic.
struct Ticket {
    pool: Arc<Pool>,
    bytes: usize,
    is_at_work: bool,
}

impl Ticket {
    fn stop_work(&mut self) {
        if std::mem::take(&mut self.is_at_work) {
            let mut busy = self.pool.busy();
            busy.at_work = busy.at_work.saturating_sub(1);
            self.pool.less.notify_all();
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop_work();
        let mut busy = self.pool.busy();
        busy.jobs = busy.jobs.saturating_sub(1);
        busy.bytes = busy.bytes.saturating_sub(self.bytes);
        self.pool.less.notify_all();
    }
}

/// Jobs mostly wait for the disk, which makes several results durable in one go.
const MOST_JOBS: usize = 16;
const MOST_BYTES: usize = 32 << 20;

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_job_runs_and_no_more_than_allowed_at_once() {
        let (happened, _happens) = std::sync::mpsc::channel();
        let out = Arc::new(Out::to(std::io::sink(), happened));
        let pool = Arc::new(Pool::sending_to(out));
        let counts = Arc::new([const { AtomicUsize::new(0) }; 3]);
        for number in 0..200 {
            let counts = Arc::clone(&counts);
            pool.run(number << 18, move || {
                let [done, now, most] = &*counts;
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                thread::yield_now();
                now.fetch_sub(1, Ordering::SeqCst);
                done.fetch_add(1, Ordering::SeqCst);
                Vec::new()
            });
        }
        pool.finish();
        let [done, now, most] = &*counts;
        assert_eq!(
            (done.load(Ordering::SeqCst), now.load(Ordering::SeqCst)),
            (200, 0)
        );
        assert!(most.load(Ordering::SeqCst) <= MOST_JOBS);
    }

    #[test]
    fn one_job_of_any_size_is_taken() {
        let busy = Busy::default();
        assert!(busy.takes(usize::MAX));
        let busy = Busy {
            jobs: 1,
            bytes: 1,
            at_work: 1,
        };
        assert!(busy.takes(MOST_BYTES - 1));
        assert!(!busy.takes(MOST_BYTES));
    }
}
