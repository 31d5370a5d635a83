//! Work on several things at the same time, on as many threads as can be had.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Things to do, each of which is done once, by whoever comes first.
#[derive(Debug)]
pub(crate) struct Tasks<'t, T, R> {
    tasks: &'t [T],
    next: AtomicUsize,
    done: Vec<Mutex<Option<R>>>,
}

impl<'t, T, R> Tasks<'t, T, R> {
    pub(crate) fn new(tasks: &'t [T]) -> Self {
        Self {
            tasks,
            next: AtomicUsize::new(0),
            done: tasks.iter().map(|_| Mutex::new(None)).collect(),
        }
    }

    /// Does what nobody has begun, until there is nothing left.
    pub(crate) fn work(&self, mut work: impl FnMut(&T) -> R) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(task), Some(slot)) = (self.tasks.get(index), self.done.get(index)) else {
                return;
            };
            let done = work(task);
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    }

    /// What was done, in order; `None` where that panicked.
    pub(crate) fn finish(self) -> Vec<Option<R>> {
        let done = self.done.into_iter();
        done.map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }
}

/// Does `work` to each of `tasks` on at most `threads` threads, this one among them.
pub(crate) fn each<T: Sync, R: Send>(
    tasks: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<Option<R>> {
    let shared = Tasks::new(tasks);
    thread::scope(|scope| {
        for _ in 1..tasks.len().min(threads) {
            // A thread that can't be had is work for the others.
            let _ = thread::Builder::new().spawn_scoped(scope, || shared.work(&work));
        }
        shared.work(&work);
    });
    shared.finish()
}
