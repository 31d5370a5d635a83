//! Reading what a command works on: a file, or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::progress::Progress;

/// The opened input of a command.
pub(crate) struct Input {
    reader: Box<dyn Read>,
    name: String,
}

impl Input {
    /// Opens the command's FILE; `-` or nothing is standard input.
    pub(crate) fn open(file: Option<PathBuf>) -> Result<Self, Failure> {
        let Some(path) = file.filter(|file| file != Path::new("-")) else {
            return Ok(Self {
                reader: Box::new(io::stdin().lock()),
                name: "standard input".into(),
            });
        };
        let name = base_name(&path);
        let file = File::open(&path).map_err(|error| refused(&name, &error))?;
        let metadata = file.metadata().map_err(|error| refused(&name, &error))?;
        if metadata.is_dir() {
            return Err(Failure::input(format!(
                "can't read {name}: it is a directory; name a file, or - for standard input"
            )));
        }
        Ok(Self {
            reader: Box::new(file),
            name,
        })
    }

    /// Hands the bytes to `take`, piece by piece.
    pub(crate) fn stream(mut self, mut take: impl FnMut(&[u8])) -> Result<(), Failure> {
        let mut progress = Progress::new("read");
        let mut buffer = vec![0; PIECE_BYTES];
        loop {
            match self.reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => {
                    progress.add(read);
                    take(buffer.get(..read).unwrap_or_default());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(refused(&self.name, &error)),
            }
        }
    }

    /// All bytes at once.
    pub(crate) fn read(self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        self.stream(|piece| bytes.extend_from_slice(piece))?;
        Ok(bytes)
    }
}

fn refused(name: &str, error: &io::Error) -> Failure {
    let advice = match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "change its permissions",
        _ => "check the file",
    };
    Failure::io(&format!("can't read {name}"), error, advice)
}

/// The text of a file that the user wrote.
pub(crate) fn text_of(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = File::open(path).and_then(|mut file| file.read_to_string(&mut text));
    let name = base_name(path);
    match read {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(Failure::input(format!(
            "{name} is no text: name a file in UTF-8"
        ))),
        Err(error) => {
            let what = format!("can't read {name}");
            Err(Failure::io(&what, &error, "check the path"))
        }
    }
}

/// The last component of a path: messages name no folders.
pub(crate) fn base_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}

/// Read at a time.
const PIECE_BYTES: usize = 128 << 10;
