//! Reading what a command works on: a file, or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The input of a command: `-` or nothing is standard input.
#[derive(Debug, Clone)]
pub(crate) struct Input(Option<PathBuf>);

impl Input {
    /// Takes the command's FILE.
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        Self(file.filter(|file| file != Path::new("-")))
    }

    /// Hands the bytes to `take`, piece by piece.
    pub(crate) fn stream(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut reader = self.open()?;
        let mut buffer = vec![0; PIECE_BYTES];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => take(buffer.get(..read).unwrap_or_default())?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.refused(&error)),
            }
        }
    }

    /// All bytes at once.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        self.stream(|piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(bytes)
    }

    fn open(&self) -> Result<Box<dyn Read>, Failure> {
        let Some(path) = &self.0 else {
            return Ok(Box::new(io::stdin().lock()));
        };
        let file = File::open(path).map_err(|error| self.refused(&error))?;
        match file.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(Failure::input(format!(
                "can't read {}: it is a directory; name a file, or - for standard input",
                self.name()
            ))),
            Ok(_) => Ok(Box::new(file)),
            Err(error) => Err(self.refused(&error)),
        }
    }

    fn refused(&self, error: &io::Error) -> Failure {
        let advice = match error.kind() {
            io::ErrorKind::NotFound => "check the path",
            io::ErrorKind::PermissionDenied => "change its permissions",
            _ => "check the file",
        };
        Failure::io(&format!("can't read {}", self.name()), error, advice)
    }

    fn name(&self) -> String {
        match &self.0 {
            Some(path) => base_name(path),
            None => "standard input".into(),
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
