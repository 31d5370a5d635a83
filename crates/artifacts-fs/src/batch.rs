//! Saving several results at once: their syncs run together, and one directory sync is for all.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use artifacts_core::{ArtifactName, Measured};

use crate::dir::{ArtifactDir, OpenDir};
use crate::fs::Fs;
use crate::publish::{self, Published};
use crate::save;
use crate::stage::{Open, Staged, Synced};
use crate::together::Tasks;
use crate::{ArtifactStore as _, DurableArtifact, Error, ErrorKind, StoreItem};

/// Saves the items, a group of them at a time, so that a large batch holds few files open.
pub(crate) fn save_all<F: Fs>(
    dir: &ArtifactDir<F>,
    items: &[StoreItem<'_>],
) -> Vec<Result<DurableArtifact, Error>> {
    let groups = items.chunks(MAX_OPEN_FILES);
    groups.flat_map(|group| save_group(dir, group)).collect()
}

/// Stages every item, then syncs all of them together, publishes in order when every sync is
/// back, and syncs the directory once.
///
/// An item that fails is saved once more on its own: what failed for all, such as the directory
/// sync, may not fail for each, and whatever was published already is adopted.
fn save_group<F: Fs>(
    dir: &ArtifactDir<F>,
    items: &[StoreItem<'_>],
) -> Vec<Result<DurableArtifact, Error>> {
    let one_by_one = || items.iter().map(|item| dir.store_item(item)).collect();
    if items.len() < 2 {
        return one_by_one();
    }
    let Ok(open) = dir.open_or_create() else {
        return one_by_one();
    };
    let open = Arc::new(open);
    let (synced, measured) = sync_and_measure(&open, items);
    let published: Vec<Result<Published<F>, Error>> = synced
        .into_iter()
        .zip(measured)
        .zip(items)
        .map(|((synced, measured), item)| {
            let names = publish::names_for(&open, &name_of(item), &measured);
            synced?.publish(&names, measured)
        })
        .collect();
    let entries = open.sync().ok();
    published
        .into_iter()
        .zip(items)
        .map(|(published, item)| match (published, entries) {
            (Ok(published), Some(entries)) => Ok(published.sealed_by(entries)),
            // This was the fresh attempt that a failed sync gets: there is no further one.
            (Err(error), _) if error.kind() == ErrorKind::Sync => {
                save::save_once(dir, &name_of(item), item.bytes)
            }
            _ => dir.store_item(item),
        })
        .collect()
}

type SyncedItem<F> = Result<Staged<F, Synced>, Error>;

/// Writes and syncs on this thread while others measure, and then helps them.
fn sync_and_measure<F: Fs>(
    dir: &Arc<OpenDir<F>>,
    items: &[StoreItem<'_>],
) -> (Vec<SyncedItem<F>>, Vec<Measured>) {
    let measuring = Tasks::new(items);
    let measure = |item: &StoreItem<'_>| item.bytes.measure();
    let others = thread::available_parallelism().map_or(1, NonZero::get) - 1;
    let synced = thread::scope(|scope| {
        for _ in 0..others.clamp(1, items.len()) {
            // A thread that can't be had is work for the others.
            let _ = thread::Builder::new().spawn_scoped(scope, || measuring.work(measure));
        }
        let staged = items.iter().map(|item| write(dir, item)).collect();
        let synced = sync_together(staged);
        measuring.work(measure);
        synced
    });
    let measured = measuring.finish().into_iter().zip(items);
    let measured = measured.map(|(measured, item)| measured.unwrap_or_else(|| measure(item)));
    (synced, measured.collect())
}

/// Writes one item under a staging name; the device is asked to begin at once.
fn write<F: Fs>(dir: &Arc<OpenDir<F>>, item: &StoreItem<'_>) -> Result<Staged<F, Open>, Error> {
    let mut staged = Staged::create(dir, &name_of(item))?;
    save::append_in_pieces(&mut staged, item.bytes.bytes())?;
    Ok(staged)
}

/// Syncs what was staged, at the same time, so that the syncs share the journal's commits.
fn sync_together<F: Fs>(staged: Vec<Result<Staged<F, Open>, Error>>) -> Vec<SyncedItem<F>> {
    let (mut ready, mut outcomes) = (Vec::new(), Vec::new());
    for staged in staged {
        match staged {
            Ok(staged) => {
                ready.push(staged);
                outcomes.push(None);
            }
            Err(error) => outcomes.push(Some(Err(error))),
        }
    }
    let mut synced = Staged::sync_all(ready).into_iter();
    let outcomes = outcomes
        .into_iter()
        .map(|outcome| outcome.or_else(|| Some(synced.next()?.map_err(|(_, error)| error))));
    outcomes.flatten().collect()
}

fn name_of(item: &StoreItem<'_>) -> ArtifactName {
    ArtifactName::for_op(item.op_id, item.content)
}

/// Far below the number of files that a process may have open.
const MAX_OPEN_FILES: usize = 64;
