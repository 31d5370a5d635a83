//! T14: a future that is dropped or aborted at any point leaves nothing half-done.

use std::collections::BTreeMap;
use std::sync::Arc;

use artifacts_fs::{ArtifactDir, Durability};
use loop_integration::{Pending, Session, Settler, ToolResult, Transcript, audit};
use tokio::runtime::Builder;

use crate::support::{Run, huge, operation, shape, ticking};

#[test]
fn a_settle_that_is_aborted_is_whole_or_did_not_begin() {
    let mut ends = BTreeMap::<&str, u32>::new();
    for round in 0..1_000 {
        let run = Run::in_memory();
        let store = ArtifactDir::beside(&run.transcript).with_durability(Durability::Process);
        let (begins, begun) = std::sync::mpsc::channel();
        let settler = Settler::new(shape(100))
            .with_store(Arc::new(store))
            .with_transform("bash", move |result| {
                let _ = begins.send(());
                result
            });
        let session = Session::open(&run.transcript, settler, ticking()).unwrap();
        let session = Arc::new(session);
        session.dispatch(&operation(1)).unwrap();

        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(1)
            .build()
            .unwrap();
        runtime.block_on(async {
            // On every other round the pool is busy, so that the settle may not have begun.
            let (busy, done) = std::sync::mpsc::channel::<()>();
            let blocker =
                (round % 2 == 0).then(|| tokio::task::spawn_blocking(move || done.recv().is_ok()));
            let settling = Arc::clone(&session);
            let task = tokio::spawn(async move {
                settling
                    .settle_async(operation(1), ToolResult::success(huge()))
                    .await
            });
            match round % 2 {
                0 => std::iter::repeat_n((), round % 300).for_each(|()| std::thread::yield_now()),
                _ => begun.recv().unwrap(),
            }
            task.abort();
            drop((busy, blocker));
        });
        drop(runtime);
        drop(session);

        let transcript = Transcript::load(&run.transcript).unwrap();
        let store = ArtifactDir::beside(&run.transcript);
        assert!(audit(transcript.places(), Some(&store)).is_clean());
        match transcript.pending().as_slice() {
            [] => *ends.entry("settled").or_default() += 1,
            [Pending::Unanswered(_)] => *ends.entry("did not begin").or_default() += 1,
            other => panic!("round {round}: {other:?}"),
        }
        let session = run.session();
        if !session.pending().is_empty() {
            session
                .settle(&operation(1), ToolResult::success(huge()))
                .unwrap();
        }
        assert_eq!(session.pending(), []);
    }
    println!("1,000 aborted: {ends:?}");
    assert!(ends["settled"] >= 500, "{ends:?}");
}
