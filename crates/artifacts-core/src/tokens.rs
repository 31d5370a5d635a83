//! How many tokens a text has, estimated without a tokenizer (SPEC 1.6).

mod features;
mod sample;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use features::TokenFeatures;

/// Says how many tokens a text has: a guess, or the count of a real tokenizer.
///
/// An estimate is for reports and choices. What a model is shown never depends on it, so that
/// another estimator changes no observation.
///
/// ```
/// use artifacts_core::TokenEstimator;
///
/// /// For a model that reads bytes.
/// struct Bytes;
///
/// impl TokenEstimator for Bytes {
///     fn tokens(&self, text: &str) -> u64 {
///         text.len() as u64
///     }
/// }
///
/// assert_eq!(Bytes.tokens("word"), 4);
/// ```
pub trait TokenEstimator {
    /// The tokens of `text`; 0 for the empty text alone.
    fn tokens(&self, text: &str) -> u64;
}

/// A weight for everything in a text that costs tokens: the default estimator.
///
/// The default weights are fitted to the o200k vocabulary; `docs/tokens.md` says how far off they
/// are on each kind of text. A text of more than [`WHOLE_BYTES`](Self::WHOLE_BYTES) is sampled
/// evenly from start to end, so that the cost has a bound. The same text has the same estimate on
/// every machine.
///
/// ```
/// use artifacts_core::{TokenEstimator, TokenWeights};
///
/// let weights = TokenWeights::default();
/// assert_eq!(weights.tokens(""), 0);
/// assert_eq!(weights.tokens("word"), 1);
/// // Characters of most scripts cost more than four to a token.
/// assert!(weights.tokens("結果が長すぎる") >= 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenWeights {
    milli_tokens: [u32; TokenFeatures::NAMES.len()],
}

/// What [`TokenWeights`] reads of a text, to be counted once the text is elsewhere: at most
/// [`TokenWeights::WHOLE_BYTES`] of it, copied.
///
/// ```
/// use artifacts_core::{TokenEstimator, TokenSample, TokenWeights};
///
/// let text = "a word ".repeat(100_000);
/// let sample = TokenSample::of(&text);
/// let weights = TokenWeights::default();
/// assert_eq!(weights.tokens_of(&sample), weights.tokens(&text));
/// ```
#[derive(Debug, Clone)]
pub struct TokenSample {
    windows: Vec<String>,
    /// Of the whole text.
    bytes: usize,
}

impl TokenSample {
    /// Copies what is read of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self {
            windows: sample::windows(text).map(String::from).collect(),
            bytes: text.len(),
        }
    }
}

impl TokenWeights {
    /// Texts of at most so many bytes are read whole.
    pub const WHOLE_BYTES: usize = sample::WINDOWS * sample::WINDOW_BYTES;

    /// Other weights, in thousandths of a token for each occurrence, in the order of
    /// [`TokenFeatures::NAMES`].
    #[must_use]
    pub const fn new(milli_tokens: [u32; TokenFeatures::NAMES.len()]) -> Self {
        Self { milli_tokens }
    }

    /// The weights, as [`new`](Self::new) takes them.
    #[must_use]
    pub fn milli_tokens(&self) -> &[u32] {
        &self.milli_tokens
    }

    /// As [`tokens`](TokenEstimator::tokens) of the text that the sample is of.
    #[must_use]
    pub fn tokens_of(&self, sample: &TokenSample) -> u64 {
        let windows = sample.windows.iter().map(String::as_str);
        match sample.bytes {
            0 => 0,
            bytes => self.tokens_of_windows(windows, bytes),
        }
    }

    fn tokens_of_windows<'w>(
        &self,
        windows: impl Iterator<Item = &'w str>,
        text_bytes: usize,
    ) -> u64 {
        let (mut milli_tokens, mut bytes) = (0_u128, 0_u128);
        for window in windows {
            let features = TokenFeatures::of(window);
            milli_tokens = milli_tokens.saturating_add(self.milli_tokens_of(&features));
            bytes = bytes.saturating_add(window.len() as u128);
        }
        let whole = milli_tokens.saturating_mul(text_bytes as u128);
        let tokens = whole.div_ceil(bytes.saturating_mul(1_000).max(1));
        u64::try_from(tokens).unwrap_or(u64::MAX).max(1)
    }

    fn milli_tokens_of(&self, features: &TokenFeatures) -> u128 {
        let pairs = features.counts().iter().zip(&self.milli_tokens);
        pairs.fold(0, |sum: u128, (count, weight)| {
            sum.saturating_add(u128::from(*count).saturating_mul(u128::from(*weight)))
        })
    }
}

impl TokenEstimator for TokenWeights {
    fn tokens(&self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        self.tokens_of_windows(sample::windows(text), text.len())
    }
}

/// Fitted by `cargo xtask eval tokens`.
impl Default for TokenWeights {
    fn default() -> Self {
        Self::new(O200K)
    }
}

impl fmt::Debug for TokenWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = TokenFeatures::NAMES.iter().zip(&self.milli_tokens);
        f.debug_map().entries(named).finish()
    }
}

const O200K: [u32; TokenFeatures::NAMES.len()] = [
    400, 468, 46, 774, 706, 197, 1260, 0, 827, 665, 655, 223, 332, 1096, 1359, 717, 14, 329, 400,
    391, 365, 434, 649, 780, 708, 3150, 2039, 1243, 1701, 2220,
];
