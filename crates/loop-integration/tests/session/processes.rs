//! P10: several processes append to one transcript.

use std::process::{Command, Stdio};

use artifacts_fs::ArtifactDir;
use loop_integration::{ErrorKind, Operation, ToolResult, Transcript, audit};

use crate::support::{Run, huge};

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
