//! Exact token counts for [`artifacts_core::TokenEstimator`], one tokenizer for each feature.
//!
//! # Limits
//!
//! - Without a feature there is nothing here: `artifacts_core::TokenWeights` estimates.
//! - A tokenizer reads some ten megabytes a second, a hundredth of what hashing does, and counts
//!   as its own model does. Another vendor's model counts differently.
//!
//! # Example
//!
//! ```
//! # #[cfg(feature = "tiktoken")] {
//! use artifacts_core::TokenEstimator as _;
//! use artifacts_tokens::Tiktoken;
//!
//! assert_eq!(Tiktoken::o200k().tokens("Hello, world!"), 4);
//! # }
//! ```

#[cfg(feature = "tiktoken")]
mod tiktoken;

#[cfg(feature = "tiktoken")]
pub use tiktoken::Tiktoken;
