//! Saving several results at once, with one directory sync for all.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use artifacts_core::{ArtifactName, Measured};

use crate::dir::{ArtifactDir, OpenDir};
use crate::fs::Fs;
use crate::publish::{self, Published};
use crate::save;
use crate::stage::{Staged, Synced};
use crate::{ArtifactStore as _, DurableArtifact, Error, StoreItem};

/// Stages and syncs in parallel, publishes in order, syncs the directory once.
///
/// An item that fails is saved once more on its own: what failed for all, such as the directory
/// sync, may not fail for each, and whatever was published already is adopted.
pub(crate) fn save_all<F: Fs>(
    dir: &ArtifactDir<F>,
    items: &[StoreItem<'_>],
) -> Vec<Result<DurableArtifact, Error>> {
    let one_by_one = || items.iter().map(|item| save_one(dir, item)).collect();
    if items.len() < 2 {
        return one_by_one();
    }
    let Ok(open) = dir.open_or_create() else {
        return one_by_one();
    };
    let open = Arc::new(open);
    let published: Vec<Option<Published<F>>> = stage_all(&open, items)
        .into_iter()
        .zip(items)
        .map(|(staged, item)| {
            let (staged, measured) = staged?;
            let names = publish::names_for(&name_of(item), &measured);
            staged.publish(&names, measured).ok()
        })
        .collect();
    let entries = open.sync().ok();
    published
        .into_iter()
        .zip(items)
        .map(|(published, item)| match (published, entries) {
            (Some(published), Some(entries)) => Ok(published.sealed_by(entries)),
            _ => save_one(dir, item),
        })
        .collect()
}

type StagedItem<F> = Option<(Staged<F, Synced>, Measured)>;

/// Several syncs at a time share the journal's commit.
fn stage_all<F: Fs>(dir: &Arc<OpenDir<F>>, items: &[StoreItem<'_>]) -> Vec<StagedItem<F>> {
    let staged: Vec<Mutex<StagedItem<F>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (Some(item), Some(slot)) = (items.get(index), staged.get(index)) else {
                return;
            };
            let done = save::stage(dir, &name_of(item), item.bytes).ok();
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = done;
        }
    };
    thread::scope(|scope| {
        for _ in 1..items.len().min(MAX_THREADS) {
            // A thread that can't be had is work for the others.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    staged
        .into_iter()
        .map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

fn save_one<F: Fs>(dir: &ArtifactDir<F>, item: &StoreItem<'_>) -> Result<DurableArtifact, Error> {
    dir.store(item.op_id, item.content, item.bytes)
}

fn name_of(item: &StoreItem<'_>) -> ArtifactName {
    ArtifactName::for_op(item.op_id, item.content)
}

/// They mostly wait for the device, so there may be more of them than cores.
const MAX_THREADS: usize = 8;
