//! A transcript of any bytes (SPEC 5.7).

use std::fs::File;
use std::io::Write as _;

use loop_integration::{Error, ErrorKind, Format, Replay, Transcript};
use tempfile::TempDir;

use super::same;

/// A transcript loads or says in one line what is wrong; what follows the last newline changes
/// nothing; what loads can be replayed in every form.
///
/// # Errors
///
/// What does not hold.
pub fn transcript(input: &[u8]) -> Result<(), String> {
    let complete = input
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let (lines, torn) = input.split_at_checked(complete).unwrap_or_default();
    match (load(input)?, load(lines)?) {
        (Ok(whole), Ok(complete)) => {
            same("torn bytes", whole.torn_bytes(), torn.len() as u64)?;
            same("lines", whole.lines(), complete.lines())?;
            for format in FORMATS {
                let replay = whole.replay(format).to_string();
                same("replay", &replay, &complete.replay(format).to_string())?;
                same(
                    "replay again",
                    &replay,
                    &Replay::of(whole.messages(), format).to_string(),
                )?;
            }
            let operations = whole.operations().count();
            let open = whole.pending().len();
            match open <= operations {
                true => Ok(()),
                false => Err(format!("{open} of {operations} operations are pending")),
            }
        }
        (Err(whole), Err(complete)) => {
            same("error", whole.to_string(), complete.to_string())?;
            let known = matches!(whole.kind(), ErrorKind::Damaged | ErrorKind::Version);
            match known && !whole.to_string().contains('\n') {
                true => Ok(()),
                false => Err(format!("{:?}: {whole}", whole.kind())),
            }
        }
        (whole, complete) => Err(format!(
            "with what follows the last newline {:?}, without it {:?}",
            whole.map(|transcript| transcript.lines()),
            complete.map(|transcript| transcript.lines())
        )),
    }
}

/// From a file that always has the same name, which errors repeat.
fn load(bytes: &[u8]) -> Result<Result<Transcript, Error>, String> {
    DIR.with(|dir| {
        let dir = dir.as_ref().map_err(ToString::to_string)?;
        let path = dir.path().join("run.jsonl");
        // Some file systems wait for the disk where a file is truncated and written again.
        let _ = std::fs::remove_file(&path);
        let file = File::create(&path).and_then(|mut file| file.write_all(bytes));
        file.map_err(|error| error.to_string())?;
        Ok(Transcript::load(&path))
    })
}

thread_local! {
    static DIR: std::io::Result<TempDir> = tempfile::tempdir();
}

const FORMATS: [Format; 4] = [
    Format::Messages,
    Format::OpenAiChat,
    Format::OpenAiResponses,
    Format::Anthropic,
];
