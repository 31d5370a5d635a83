//! P10: several processes append to one transcript, and settle each operation once (SPEC 5.3).

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use artifacts_core::{ContentType, OpId};
use artifacts_fs::{
    ArtifactDir, ArtifactRef, ArtifactStore, ArtifactWriter, Claim, DurableArtifact, Entry, Error,
    OpenArtifact,
};
use loop_integration::{
    Ending, ErrorKind, Operation, Session, Settler, ToolResult, Transcript, audit,
};

use crate::support::{Run, huge, shape, ticking};

const PROCESSES: usize = 4;
const OPERATIONS: usize = 25;

#[test]
fn lines_of_several_processes_never_interleave_and_an_operation_settles_once() {
    let run = Run::new();
    let children = (0..PROCESSES).map(|number| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "session::processes::child_process"])
            .env("TRANSCRIPT", &run.transcript)
            .env("NUMBER", number.to_string())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    });
    for mut child in children.collect::<Vec<_>>() {
        assert!(child.wait().unwrap().success());
    }
    let transcript = Transcript::load(&run.transcript).unwrap();
    let operations = PROCESSES * OPERATIONS + OPERATIONS;
    assert_eq!(transcript.lines(), operations as u64 * 3);
    let audit = audit(
        transcript.places(),
        Some(&ArtifactDir::beside(&run.transcript)),
    );
    assert_eq!(
        (audit.operations(), audit.is_clean()),
        (operations as u64, true)
    );
    // Who was refused stored nothing, and nobody left the file of a claim.
    let entries = ArtifactDir::beside(&run.transcript).entries().unwrap();
    let stored = entries
        .iter()
        .filter(|entry| matches!(entry, Entry::Artifact(_)));
    assert_eq!((stored.count(), entries.len()), (operations, operations));
}

#[test]
fn a_settle_that_another_process_has_begun_is_refused_before_anything_is_written() {
    let run = Run::new();
    let mut child = Holding::start(&run);
    let session = run.session();
    let before = (
        run.lines(),
        ArtifactDir::beside(&run.transcript).entries().unwrap(),
    );
    for result in [huge(), "it fits".to_owned()] {
        let refused = session.settle(&Operation::new("op-1"), ToolResult::success(result));
        assert_eq!(refused.unwrap_err().kind(), ErrorKind::AlreadySettled);
    }
    let unknown = session
        .outcome_unknown(&Operation::new("op-1"))
        .unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::AlreadySettled);
    let batch = ["op-0", "op-1"].map(|op_id| (Operation::new(op_id), ToolResult::success(huge())));
    let refused = session.settle_batch(batch.into()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AlreadySettled);
    let mut stream = session.stream(&Operation::new("op-1")).unwrap();
    stream.write(&[b'd'; 100_000]);
    let refused = stream.finish(Ending::Success).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AlreadySettled);
    // The batch dispatched what it was about to settle; but for that nothing is new.
    let lines = run.lines();
    let new = lines.strip_prefix(before.0.as_slice()).unwrap();
    assert!(
        new.len() == 1 && new[0].contains("tool-dispatched"),
        "{new:?}"
    );
    let after = ArtifactDir::beside(&run.transcript).entries().unwrap();
    assert_eq!(after, before.1);

    child.go_on();
    let transcript = Transcript::load(&run.transcript).unwrap();
    let settled = transcript.operation(&OpId::new("op-1")).unwrap().settled();
    assert!(settled.is_some());
    let again = session.settle(&Operation::new("op-1"), ToolResult::success(huge()));
    assert_eq!(again.unwrap_err().kind(), ErrorKind::AlreadySettled);
}

#[test]
fn a_settle_that_a_killed_process_had_begun_is_begun_again() {
    let run = Run::new();
    Holding::start(&run).kill();
    let settled = run
        .session()
        .settle(&Operation::new("op-1"), ToolResult::success(huge()))
        .unwrap();
    assert!(settled.artifact().is_some());
    let entries = ArtifactDir::beside(&run.transcript).entries().unwrap();
    assert!(
        matches!(entries.as_slice(), [Entry::Artifact(_)]),
        "{entries:?}"
    );
}

/// A process that has begun to store the result of `op-1` and waits.
struct Holding {
    child: Child,
}

impl Holding {
    fn start(run: &Run) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "session::processes::holding_process",
                "--nocapture",
            ])
            .env("HOLDING", &run.transcript)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().ends_with("storing")));
        Self { child }
    }

    fn go_on(&mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Does nothing unless a test starts it.
#[test]
fn holding_process() {
    let Ok(path) = std::env::var("HOLDING") else {
        return;
    };
    let store = Arc::new(Waiting(ArtifactDir::beside(&path)));
    let settler = Settler::new(shape(100)).with_store(store);
    let session = Session::open(&path, settler, ticking()).unwrap();
    let settled = session.settle(&Operation::new("op-1"), ToolResult::success(huge()));
    assert!(settled.unwrap().artifact().is_some());
}

/// A store that says when it is asked to store, and waits for the end of the standard input.
#[derive(Debug)]
struct Waiting(ArtifactDir);

impl ArtifactStore for Waiting {
    fn store(
        &self,
        op_id: &OpId,
        content: ContentType,
        bytes: &[u8],
    ) -> Result<DurableArtifact, Error> {
        let mut stdout = std::io::stdout();
        writeln!(stdout, "storing").unwrap();
        std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
        self.0.store(op_id, content, bytes)
    }

    fn writer(&self, op_id: &OpId, content: ContentType) -> Result<Box<dyn ArtifactWriter>, Error> {
        self.0.writer(op_id, content)
    }

    fn claim(&self, key: &str) -> Result<Claim, Error> {
        self.0.claim(key)
    }

    fn claim_batch(&self, keys: &[String]) -> Vec<Result<Claim, Error>> {
        self.0.claim_batch(keys)
    }

    fn is_claimed(&self, key: &str) -> bool {
        self.0.is_claimed(key)
    }

    fn read(&self, artifact: &ArtifactRef) -> Result<Vec<u8>, Error> {
        self.0.read(artifact)
    }

    fn open(&self, artifact: &ArtifactRef) -> Result<OpenArtifact, Error> {
        self.0.open(artifact)
    }
}

/// Does nothing unless the test above starts it.
#[test]
fn child_process() {
    let (Ok(path), Ok(number)) = (std::env::var("TRANSCRIPT"), std::env::var("NUMBER")) else {
        return;
    };
    let session = Run::session_at(path.as_ref());
    for n in 0..OPERATIONS {
        let own = Operation::new(format!("own-{number}-{n}"));
        session
            .settle(&own, ToolResult::success(format!("{number}-{n}{}", huge())))
            .unwrap();
        // Every process wants to settle these, and one of them does.
        let shared = Operation::new(format!("shared-{n}"));
        if let Err(error) = session.settle(&shared, ToolResult::success(huge())) {
            let refused = [
                ErrorKind::AlreadySettled,
                ErrorKind::AlreadyAnswered,
                ErrorKind::AlreadyDispatched,
            ];
            assert!(refused.contains(&error.kind()), "{error}");
        }
    }
}
