//! The kinds of text that are fitted to, and those that are held back.

use std::error::Error;

use super::generated;
use crate::eval::package_file;

/// Which of the two halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    /// What the weights are fitted to.
    Fitted,
    /// What the error is measured on.
    Held,
}

/// Texts of one kind.
pub(crate) struct Set {
    pub(crate) name: String,
    text: String,
}

impl Set {
    fn new(name: &str, text: String) -> Self {
        let name = name.to_owned();
        Self { name, text }
    }

    /// Pieces of about 2 KB, cut after a line or a word where there is one.
    pub(crate) fn samples(&self) -> Vec<&str> {
        let mut samples = Vec::new();
        let mut rest = self.text.as_str();
        while rest.len() > 2 * SAMPLE_BYTES {
            let near = floor(rest, SAMPLE_BYTES);
            let (piece, _) = rest.split_at(near);
            let end = piece.rfind(['\n', ' ']).filter(|end| *end > near / 2);
            let (piece, behind) = rest.split_at(end.unwrap_or(near));
            samples.push(piece);
            rest = behind;
        }
        samples.push(rest);
        samples
    }
}

/// Every set of one half.
pub(crate) fn all(half: Half) -> Result<Vec<Set>, Box<dyn Error>> {
    let paragraphs = match half {
        Half::Fitted => include_str!("../../data/tokens/fit.txt"),
        Half::Held => include_str!("../../data/tokens/held.txt"),
    };
    let languages = paragraphs
        .split("# ")
        .filter_map(|part| part.split_once('\n'));
    let languages = languages
        .map(|(name, text)| Set::new(name, text.trim_end().to_owned()))
        .collect::<Vec<_>>();
    let find = |name: &str| {
        let set = languages.iter().find(|set| set.name == name);
        set.map_or("", |set| set.text.as_str())
    };
    let mut sets = generated::sets(half)
        .into_iter()
        .map(|(name, text)| Set::new(name, text))
        .collect::<Vec<_>>();
    sets.extend([
        Set::new("Rust source", files(half, SOURCES)?),
        Set::new("Markdown", files(half, PAGES)?),
        Set::new(
            "decomposed accents",
            generated::decomposed(find("Vietnamese")),
        ),
        Set::new("decomposed Hangul", generated::jamo(find("Korean"))),
        Set::new("stacked marks", generated::stacked(find("English"), half)),
    ]);
    sets.extend(languages);
    Ok(sets)
}

/// Files of this workspace's dependencies, as the lock file pins them, under their own licences.
fn files(half: Half, files: &[(Half, &str, &str)]) -> Result<String, Box<dyn Error>> {
    let mut all = String::new();
    for (_, package, file) in files.iter().filter(|(of, ..)| *of == half) {
        let text = package_file(package, file)?;
        all.push_str(text.get(..floor(&text, MOST_BYTES)).unwrap_or_default());
    }
    Ok(all)
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    (0..=at.min(text.len()))
        .rev()
        .find(is_boundary)
        .unwrap_or_default()
}

const SOURCES: &[(Half, &str, &str)] = &[
    (Half::Fitted, "regex", "src/builders.rs"),
    (Half::Fitted, "memchr", "src/memmem/mod.rs"),
    (Half::Fitted, "serde_json", "src/de.rs"),
    (Half::Held, "tempfile", "src/file/mod.rs"),
    (Half::Held, "jiff", "src/span.rs"),
    (Half::Held, "tokio", "src/sync/mutex.rs"),
];

const PAGES: &[(Half, &str, &str)] = &[
    (Half::Fitted, "regex", "README.md"),
    (Half::Fitted, "serde_json", "README.md"),
    (Half::Held, "jiff", "DESIGN.md"),
    (Half::Held, "clap", "README.md"),
    (Half::Held, "tokio", "README.md"),
];

const SAMPLE_BYTES: usize = 2_000;

/// Of one file.
const MOST_BYTES: usize = 40_000;
