//! The settle path against what it can't do without: an append, a store and an append.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use artifacts_core::{ContentType, OpId, Shape};
use artifacts_fs::{ArtifactDir, ArtifactStore as _, artifact_dir_for};
use loop_integration::{Operation, Session, Settler, SystemClock, ToolResult, Transcript};

use crate::data::Kind;
use crate::store::{Bare, spread};
use crate::table::{interleaved, print, row};

/// Prints the table. The bounds are those that the settle path is built for.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir_in(".")?;
    spread(folder.path());
    let mut rows = vec![
        fitting(folder.path(), 4_000)?,
        fitting(folder.path(), 16_000)?,
        over(folder.path(), 400_000)?,
        over(folder.path(), 4_000_000)?,
    ];
    rows.extend(batch(folder.path(), 20_000)?);
    rows.extend(batch(folder.path(), 400_000)?);
    rows.push(resume(folder.path())?);
    println!(
        "\nThe settle path beside what it can't do without: microseconds of the fastest tenth in \
         this run, their ratio, and that of the medians:\n"
    );
    let head = [
        "", "us", "beside", "us", "ratio", "at most", "", "medians", "spread",
    ];
    print(&head, &rows);
    Ok(())
}

/// A result that fits, against the append of the lines it leaves.
fn fitting(folder: &Path, size: usize) -> Result<Vec<String>, Box<dyn Error>> {
    let run = Run::new(folder, &format!("fit-{size}"))?;
    run.dispatch_all()?;
    let text = Kind::Log.text(size);
    let lines = run.lines_of(&text)?;
    let mut bare = run.bare()?;
    let mut round = 0..;
    let times = interleaved(
        ROUNDS,
        || run.settle(round.next(), &text),
        || append(&mut bare, &lines),
    );
    Ok(row(
        &format!("{size} bytes that fit"),
        "append",
        Some(1.3),
        times,
    ))
}

/// A result over the limit, against its store and the append of the lines it leaves.
fn over(folder: &Path, size: usize) -> Result<Vec<String>, Box<dyn Error>> {
    let run = Run::new(folder, &format!("over-{size}"))?;
    run.dispatch_all()?;
    let text = Kind::Log.text(size);
    let lines = run.lines_of(&text)?;
    let mut bare = run.bare()?;
    // The same directory: where it is on the disk matters more than who writes there.
    let store = ArtifactDir::beside(folder.join(format!("over-{size}.jsonl")));
    let (mut round, mut alone) = (0.., 0_u64..);
    let times = interleaved(
        ROUNDS,
        || run.settle(round.next(), &text),
        || {
            // A tool result is owned: so is what is stored alone.
            let text = text.clone();
            let op_id = OpId::new(format!("alone-{:?}", alone.next()));
            let stored = store.store(&op_id, ContentType::Text, text.as_bytes());
            assert!(stored.is_ok(), "{stored:?}");
            append(&mut bare, &lines);
        },
    );
    let name = format!("{size} bytes over the limit");
    Ok(row(&name, "store, append", Some(1.15), times))
}

/// A batch of 16 results over the limit, against one of them.
fn batch(folder: &Path, size: usize) -> Result<[Vec<String>; 2], Box<dyn Error>> {
    let run = Run::new(folder, &format!("batch-{size}"))?;
    run.dispatch_all()?;
    let text = Kind::Log.text(size);
    let of_batch = |round: u64| (0..16).map(move |n| Operation::new(format!("in-{round}-{n}")));
    for round in 0..=ROUNDS as u64 {
        of_batch(round).try_for_each(|operation| run.session.dispatch(&operation))?;
    }
    let (mut round, mut alone) = (0.., 0..);
    let times = interleaved(
        ROUNDS,
        || {
            let results = of_batch(round.next().unwrap_or_default());
            let results = results.map(|one| (one, ToolResult::success(text.as_str())));
            let settled = run.session.settle_batch(results.collect());
            assert!(settled.is_ok(), "{settled:?}");
        },
        || run.settle(alone.next(), &text),
    );
    let dir = artifact_dir_for(folder.join(format!("batch-{size}.jsonl")));
    let (bare, lines) = (Bare::new(&dir), run.lines_of(&text)?);
    // What a settle appends is after the first line.
    let (dispatched, settled) = lines.split_once('\n').unwrap_or_default();
    let all_lines = format!("{dispatched}\n{}", settled.repeat(16));
    let (mut many, mut one) = (run.bare()?, run.bare()?);
    let floor = interleaved(
        ROUNDS,
        || {
            let saved = bare.save_together(text.as_bytes(), 16);
            append(&mut many, &all_lines);
            saved
        },
        || {
            let saved = bare.save(text.as_bytes());
            append(&mut one, &lines);
            saved
        },
    );
    Ok([
        row(
            &format!("16 results of {size} bytes"),
            "one of them",
            Some(2.0),
            times,
        ),
        row(
            &format!("16 bare files of {size} bytes, synced by 8 threads, append"),
            "floor: one of them, append",
            None,
            floor,
        ),
    ])
}

/// Opening a transcript of 99,999 lines, against parsing its lines with `serde_json` alone.
fn resume(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let path = folder.join("long.jsonl");
    let small = Run::new(folder, "small")?;
    let lines = small.lines_of(&Kind::Log.text(1_000))?;
    let mut file = File::create(&path)?;
    for number in 0..OPERATIONS {
        let name = format!("op-{number}");
        file.write_all(lines.replace("op-line", &name).as_bytes())?;
    }
    let bytes = std::fs::read(&path)?;
    let times = interleaved(
        7,
        || {
            let transcript = Transcript::load(&path);
            assert!(transcript.is_ok_and(|loaded| loaded.lines() == OPERATIONS * 3));
        },
        || {
            let lines = bytes
                .split(|byte| *byte == b'\n')
                .filter(|line| !line.is_empty());
            let values = lines.map(serde_json::from_slice::<serde_json::Value>);
            assert_eq!(values.filter(Result::is_ok).count() as u64, OPERATIONS * 3);
        },
    );
    Ok(row(
        "load 99999 lines",
        "serde_json alone",
        Some(2.0),
        times,
    ))
}

/// A session in a folder, and a bare file beside it.
struct Run<'a> {
    folder: &'a Path,
    name: String,
    session: Session,
}

impl<'a> Run<'a> {
    fn new(folder: &'a Path, name: &str) -> Result<Self, Box<dyn Error>> {
        let path = folder.join(format!("{name}.jsonl"));
        let settler =
            Settler::new(Shape::excerpt()).with_store(Arc::new(ArtifactDir::beside(&path)));
        Ok(Self {
            folder,
            name: name.to_owned(),
            session: Session::open(path, settler, Arc::new(SystemClock))?,
        })
    }

    fn dispatch_all(&self) -> Result<(), Box<dyn Error>> {
        for round in 0..=ROUNDS {
            self.session
                .dispatch(&Operation::new(format!("op-{round}")))?;
        }
        Ok(())
    }

    fn settle(&self, round: Option<usize>, text: &str) {
        let operation = Operation::new(format!("op-{}", round.unwrap_or_default()));
        let settled = self.session.settle(&operation, ToolResult::success(text));
        assert!(settled.is_ok(), "{settled:?}");
    }

    fn bare(&self) -> Result<File, Box<dyn Error>> {
        let path = self.folder.join(format!("{}.bare", self.name));
        Ok(OpenOptions::new().append(true).create(true).open(path)?)
    }

    /// The lines that settling `text` leaves: the message and the settle record, after their
    /// dispatch in a transcript of their own.
    fn lines_of(&self, text: &str) -> Result<String, Box<dyn Error>> {
        let other = Self::new(self.folder, &format!("{}-lines", self.name))?;
        let operation = Operation::new("op-line");
        let _ = other
            .session
            .settle(&operation, ToolResult::success(text))?;
        let path = self.folder.join(format!("{}-lines.jsonl", self.name));
        Ok(String::from_utf8(std::fs::read(path)?)?)
    }
}

/// One write for each line of the message and the settle record, then one sync: what the settle
/// path promises to have done when it returns.
fn append(file: &mut File, lines: &str) {
    for line in lines.split_inclusive('\n').skip(1) {
        let written = file.write_all(line.as_bytes());
        assert!(written.is_ok(), "{written:?}");
    }
    let synced = file.sync_data();
    assert!(synced.is_ok(), "{synced:?}");
}

const ROUNDS: usize = 100;

/// Operations in the long transcript.
const OPERATIONS: u64 = 33_333;
