//! A few threads for what takes time: storing results, answering retrieval tools.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Runs jobs beside each other, a bounded number of them and of the bytes they hold.
#[derive(Debug, Default)]
pub(super) struct Pool {
    busy: Mutex<Busy>,
    less: Condvar,
}

#[derive(Debug, Default)]
struct Busy {
    jobs: usize,
    bytes: usize,
}

impl Busy {
    /// One job may be of any size; several together stay below a bound.
    fn takes(&self, bytes: usize) -> bool {
        let within = self.bytes.saturating_add(bytes) <= MOST_BYTES;
        self.jobs == 0 || (self.jobs < MOST_JOBS && within)
    }
}

impl Pool {
    /// Runs the job on a thread of its own, as soon as there is room for it and the `bytes` it
    /// holds. Blocks until then.
    pub(super) fn run(self: &Arc<Self>, bytes: usize, job: impl FnOnce() + Send + 'static) {
        let busy = self.busy();
        let busy = self.less.wait_while(busy, |busy| !busy.takes(bytes));
        let mut busy = busy.unwrap_or_else(PoisonError::into_inner);
        busy.jobs += 1;
        busy.bytes = busy.bytes.saturating_add(bytes);
        drop(busy);
        let ticket = Ticket {
            pool: Arc::clone(self),
            bytes,
        };
        let shared = Arc::new(Mutex::new(Some((ticket, job))));
        let taken = Arc::clone(&shared);
        let spawned = thread::Builder::new().spawn(move || work(&taken));
        if spawned.is_err() {
            work(&shared);
        }
    }

    /// Waits for every job.
    pub(super) fn finish(&self) {
        drop(self.less.wait_while(self.busy(), |busy| busy.jobs > 0));
    }

    fn busy(&self) -> MutexGuard<'_, Busy> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn work<J: FnOnce()>(shared: &Mutex<Option<(Ticket, J)>>) {
    let taken = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((_ticket, job)) = taken {
        job();
    }
}

/// Given back when the job is done, also by a panic.
struct Ticket {
    pool: Arc<Pool>,
    bytes: usize,
}

impl Drop for Ticket {
    fn drop(&mut self) {
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
        let pool = Arc::new(Pool::default());
        let counts = Arc::new([const { AtomicUsize::new(0) }; 3]);
        for number in 0..200 {
            let counts = Arc::clone(&counts);
            pool.run(number << 18, move || {
                let [done, now, most] = &*counts;
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                thread::yield_now();
                now.fetch_sub(1, Ordering::SeqCst);
                done.fetch_add(1, Ordering::SeqCst);
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
        let busy = Busy { jobs: 1, bytes: 1 };
        assert!(busy.takes(MOST_BYTES - 1));
        assert!(!busy.takes(MOST_BYTES));
    }
}
