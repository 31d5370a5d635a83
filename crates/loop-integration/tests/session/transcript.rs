//! The file of SPEC 5.7: torn lines, damage, unknown types, planted objects, seeds.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use loop_integration::{ErrorKind, Format, Message, Session, Settler, ToolResult, Transcript};

use crate::support::{Run, huge, operation, read, shape, ticking};

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    file.write_all(bytes).unwrap();
}

fn open(path: &Path) -> Result<Session, loop_integration::Error> {
    Session::open(path, Settler::new(shape(100)), ticking())
}

/// A run with one settled operation.
fn settled() -> Run {
    let run = Run::new();
    let session = run.session();
    session.push(Message::user("go")).unwrap();
    session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();
    run
}

#[test]
fn a_torn_last_line_is_set_aside_at_every_length() {
    let whole = std::fs::read(settled().transcript).unwrap();
    let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    for length in 0..whole.len() {
        let run = Run::new();
        append(&run.transcript, &whole[..length]);
        let torn = &whole[..length][whole[..length]
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1)..];
        let loaded = Transcript::load(&run.transcript).unwrap();
        assert_eq!(loaded.torn_bytes(), torn.len() as u64);
        assert_eq!(
            std::fs::read(&run.transcript).unwrap(),
            &whole[..length],
            "loading changes nothing"
        );
        let session = open(&run.transcript).unwrap();
        assert_eq!(
            session.transcript().lines() as usize,
            lines(&whole[..length])
        );
        let aside = run.folder.path().join("run.jsonl.torn");
        match torn {
            [] => assert!(!aside.is_file()),
            torn => assert_eq!(std::fs::read(aside).unwrap(), [torn, b"\n"].concat()),
        }
        session.push(Message::user("on")).unwrap();
        assert_eq!(Transcript::load(&run.transcript).unwrap().torn_bytes(), 0);
    }
}

#[test]
fn a_line_torn_by_another_writer_is_never_glued_to_the_next() {
    let run = settled();
    let session = open(&run.transcript).unwrap();
    append(&run.transcript, b"{\"id\":\"op-2\",\"payload\":{\"op");
    session.push(Message::user("on")).unwrap();
    assert_eq!(
        Transcript::load(&run.transcript).unwrap().messages().len(),
        3
    );
    assert!(read(&run.folder.path().join("run.jsonl.torn")).contains("op-2"));
}

#[cfg(unix)]
type Plant = fn(&Path);

/// P8: it is not written to, and the run can be opened all the same.
#[cfg(unix)]
#[test]
fn what_stands_in_the_place_for_torn_lines_stays_and_another_place_is_found() {
    let plants: [(&str, Plant); 4] = [
        ("a link", |place| {
            std::os::unix::fs::symlink("kept", place).unwrap()
        }),
        ("a dangling link", |place| {
            std::os::unix::fs::symlink("nowhere", place).unwrap()
        }),
        ("a directory", |place| std::fs::create_dir(place).unwrap()),
        ("another name of a file", |place| {
            std::fs::hard_link(place.with_file_name("kept"), place).unwrap()
        }),
    ];
    for (name, plant) in plants {
        let run = settled();
        append(&run.folder.path().join("kept"), b"kept");
        plant(&run.folder.path().join("run.jsonl.torn"));
        for torn in ["first", "second"] {
            append(&run.transcript, torn.as_bytes());
            open(&run.transcript).unwrap();
        }
        let aside = read(&run.folder.path().join("run.jsonl.torn.2"));
        assert_eq!(aside, "first\nsecond\n", "{name}");
        assert_eq!(read(&run.folder.path().join("kept")), "kept", "{name}");
        assert!(!run.folder.path().join("nowhere").is_file(), "{name}");
    }
}

type Damage = fn(&mut Vec<String>);

#[test]
fn damage_in_the_middle_is_an_error_that_names_the_line_and_changes_nothing() {
    let lines = settled().lines();
    let damages: [(&str, Damage); 13] = [
        ("no JSON", |lines| lines[1] = "{".into()),
        ("empty line", |lines| lines[1] = String::new()),
        ("no type", |lines| {
            lines[1] = lines[1].replace("\"type\"", "\"kind\"")
        }),
        ("a payload that is no object", |lines| {
            lines[2] =
                "{\"id\":\"a\",\"payload\":7,\"ts\":\"\",\"type\":\"message\",\"v\":1}".into()
        }),
        ("another version", |lines| {
            lines[1] = lines[1].replace("\"v\":1", "\"v\":2")
        }),
        ("another observation", |lines| {
            lines[2] = lines[2].replace("10,913", "10,914")
        }),
        ("a settle record twice", |lines| {
            lines.push(lines[3].clone())
        }),
        ("a version that has other fields", |lines| {
            lines[1] = "{\"kind\":\"tool-dispatched\",\"v\":2}".into()
        }),
        ("a message of another call", |lines| {
            lines[2] = lines[2].replace("call_1", "call_2")
        }),
        ("a dispatch of another call", |lines| {
            lines[1] = lines[1].replace("call_1", "call_2")
        }),
        ("a message of no call", |lines| {
            lines[2] = lines[2].replace(",\"tool-call-id\":\"call_1\"", "")
        }),
        ("no dispatch", |lines| drop(lines.remove(1))),
        ("no message", |lines| drop(lines.remove(2))),
    ];
    let mut report = String::new();
    for (name, damage) in damages {
        let run = Run::new();
        let mut lines = lines.clone();
        damage(&mut lines);
        append(
            &run.transcript,
            format!("{}\n", lines.join("\n")).as_bytes(),
        );
        let error = open(&run.transcript).unwrap_err();
        assert!(matches!(
            error.kind(),
            ErrorKind::Damaged | ErrorKind::Version
        ));
        assert_eq!(run.lines(), lines);
        report.push_str(&format!("{name}: {error}\n"));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn unknown_types_and_fields_survive() {
    let run = settled();
    let unknown =
        "{\"id\":\"x\",\"payload\":[1,2.50],\"ts\":\"never\",\"type\":\"checkpoint\",\"v\":1}\n";
    let message = "{\"id\":\"m-9\",\"payload\":{\"content\":\"hi\",\"mood\":{\"b\":1,\"a\":2},\"role\":\"user\"},\"ts\":\"2026-08-10T12:34:56.000009Z\",\"type\":\"message\",\"v\":1}\n";
    append(&run.transcript, unknown.as_bytes());
    append(&run.transcript, message.as_bytes());
    let session = open(&run.transcript).unwrap();
    session.push(Message::user("on")).unwrap();
    assert_eq!(session.transcript().unknown_lines(), 1);
    assert!(read(&run.transcript).contains(unknown));
    let replay = session.transcript().replay(Format::Messages).to_string();
    assert!(replay.contains("{\"content\":\"hi\",\"mood\":{\"a\":2,\"b\":1},\"role\":\"user\"}"));
}

#[test]
fn line_breaks_of_every_kind_stay_inside_their_line() {
    let run = Run::new();
    let session = run.session_with(shape(10_000));
    let text = "a\u{2028}b\u{2029}c\u{85}d\u{b}e\u{c}f\rg\0h\r\ni\u{1b}\u{feff}\u{7f}\"\\";
    session
        .settle(&operation(1), ToolResult::success(text))
        .unwrap();
    assert_eq!(run.lines().len(), 3);
    let loaded = Transcript::load(&run.transcript).unwrap();
    assert_eq!(loaded.messages()[0].text(), Some(text));
}

/// SPEC 5.8.
#[test]
fn a_seed_that_is_not_the_transcripts_is_refused_before_anything_is_written() {
    let run = settled();
    let seed = open(&run.transcript).unwrap().transcript();
    let seed = seed
        .messages()
        .iter()
        .map(Message::digest)
        .collect::<Vec<_>>();
    append(&run.transcript, b"{\"torn");
    let before = read(&run.transcript);
    let resume =
        |path: &Path, seed: &[_]| Session::resume(path, Settler::new(shape(5)), ticking(), seed);
    let mut different = seed.clone();
    different[1] = Message::user("else").digest();
    let longer = [seed.clone(), vec![Message::user("more").digest()]].concat();
    let mut report = String::new();
    for wrong in [different, longer] {
        let error = resume(&run.transcript, &wrong).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Seed);
        assert_eq!(read(&run.transcript), before);
        report.push_str(&format!("{error}\n"));
    }
    let none = resume(&run.folder.path().join("none.jsonl"), &seed).unwrap_err();
    assert_eq!(none.kind(), ErrorKind::Seed);
    report.push_str(&format!("{none}\n"));
    assert!(!run.folder.path().join("none.jsonl").is_file());
    insta::assert_snapshot!(report);
    for known in 0..=seed.len() {
        resume(&run.transcript, &seed[..known]).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn planted_objects_are_neither_followed_nor_waited_for() {
    use std::os::unix::fs::symlink;
    let run = settled();
    let folder = run.folder.path();
    let path = |name: &str| folder.join(name);
    symlink(&run.transcript, path("link.jsonl")).unwrap();
    symlink(path("nothing"), path("dangling.jsonl")).unwrap();
    std::fs::create_dir(path("folder.jsonl")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(path("fifo.jsonl"))
        .status()
        .unwrap();
    assert!(made.success());
    std::os::unix::net::UnixListener::bind(path("socket.jsonl")).unwrap();
    std::fs::write(path("one.jsonl"), "").unwrap();
    std::fs::hard_link(path("one.jsonl"), path("two.jsonl")).unwrap();
    let mut report = String::new();
    for name in ["link", "dangling", "folder", "fifo", "socket", "two"] {
        let path = path(&format!("{name}.jsonl"));
        let error = open(&path).unwrap_err();
        report.push_str(&format!("{error}\n"));
        assert_eq!(error.kind(), ErrorKind::Transcript, "{name}");
        assert!(
            !format!("{error:?}").contains(folder.to_str().unwrap()),
            "{name}"
        );
        assert!(Transcript::load(&path).is_err(), "{name}");
    }
    assert!(!path("nothing").is_file());
    insta::assert_snapshot!(report);
}

#[cfg(unix)]
#[test]
fn a_new_transcript_is_for_its_owner_whatever_the_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    let run = Run::new();
    // The umask belongs to the process, so it is a process of its own.
    let child = std::process::Command::new("sh")
        .args([
            "-c",
            "umask 777; exec \"$0\" --exact session::transcript::settling_process",
        ])
        .arg(std::env::current_exe().unwrap())
        .env("SETTLING", &run.transcript)
        .output()
        .unwrap();
    assert!(child.status.success(), "{child:?}");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&run.transcript), 0o600);
    let artifacts = run.folder.path().join("run.artifacts");
    assert_eq!(
        (mode(&artifacts), mode(&artifacts.join("op-1.txt"))),
        (0o700, 0o600)
    );
}

/// Does nothing unless the test above starts it.
#[test]
fn settling_process() {
    if let Ok(path) = std::env::var("SETTLING") {
        let session = Run::session_at(path.as_ref());
        session
            .settle(&operation(1), ToolResult::success(huge()))
            .unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_new_transcript_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let run = settled();
    let mode = std::fs::metadata(&run.transcript)
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
