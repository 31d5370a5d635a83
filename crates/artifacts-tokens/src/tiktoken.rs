//! The vocabularies of OpenAI's models, counted by `tiktoken-rs`.

use std::fmt;

use artifacts_core::TokenEstimator;
use tiktoken_rs::CoreBPE;

/// A byte-pair vocabulary; what looks like a special token is counted as plain text.
///
/// Loading one takes a few hundred milliseconds the first time in a process.
#[derive(Clone, Copy)]
pub struct Tiktoken {
    name: &'static str,
    vocabulary: &'static CoreBPE,
}

impl Tiktoken {
    /// The vocabulary of GPT-4o and the models after it.
    #[must_use]
    pub fn o200k() -> Self {
        Self {
            name: "o200k",
            vocabulary: tiktoken_rs::o200k_base_singleton(),
        }
    }

    /// The vocabulary of GPT-4.
    #[must_use]
    pub fn cl100k() -> Self {
        Self {
            name: "cl100k",
            vocabulary: tiktoken_rs::cl100k_base_singleton(),
        }
    }
}

impl TokenEstimator for Tiktoken {
    fn tokens(&self, text: &str) -> u64 {
        self.vocabulary.count_ordinary(text) as u64
    }
}

impl fmt::Debug for Tiktoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tiktoken").field(&self.name).finish()
    }
}
