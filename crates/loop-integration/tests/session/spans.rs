//! SPEC 5.9: spans say sizes and outcomes, never content or a host path.

use std::fmt::{Debug, Write as _};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use loop_integration::ToolResult;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::{Run, huge, operation};

/// Writes every field of every span down.
#[derive(Debug, Clone, Default)]
struct Recorder(Arc<Mutex<String>>);

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            "micros" => write!(self.0, " micros").unwrap(),
            name => write!(self.0, " {name}={value:?}").unwrap(),
        }
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut text = self.0.lock().unwrap();
        write!(text, "\n{}:", span.metadata().name()).unwrap();
        span.record(&mut Fields(&mut text));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Fields(&mut self.0.lock().unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn spans_say_sizes_and_outcomes_and_no_content() {
    // In a process of its own: whether a span is wanted is decided for all threads together, and
    // those of the other tests want none.
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "session::spans::alone", "--test-threads", "1"])
        .env("SPANS", "alone")
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
}

/// Does nothing unless the test above starts it.
#[test]
fn alone() {
    if std::env::var_os("SPANS").is_none() {
        return;
    }
    let run = Run::new();
    let recorder = Recorder::default();
    tracing::subscriber::with_default(recorder.clone(), || {
        let session = run.session();
        session
            .settle(&operation(1), ToolResult::success(huge()))
            .unwrap();
        session
            .settle(&operation(2), ToolResult::error("short"))
            .unwrap();
        let mut stream = session.stream(&operation(3)).unwrap();
        stream.write(huge().repeat(2).as_bytes());
        stream.finish(loop_integration::Ending::TimedOut).unwrap();
        let batch = (4..6).map(|n| (operation(n), ToolResult::success(huge())));
        session.settle_batch(batch.collect()).unwrap();
    });
    insta::assert_snapshot!(recorder.0.lock().unwrap().trim());
}
