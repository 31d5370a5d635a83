//! How much a store keeps, and where what is too much is cut.

use std::ops::Range;

use crate::clusters;
use crate::{Error, ErrorKind};

/// How much a [`BoundedStore`](crate::BoundedStore) keeps.
///
/// ```
/// use artifacts_fs::{Bounds, ErrorKind};
///
/// assert!(Bounds::new(1 << 20, 1 << 30).is_ok());
/// let error = Bounds::new(2, 1).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Bounds);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    pub(super) max_result_bytes: u64,
    pub(super) max_total_bytes: u64,
}

impl Bounds {
    /// At most `max_result_bytes` of each result and `max_total_bytes` of all together.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Bounds`] if the first is 0 or larger than the second.
    pub fn new(max_result_bytes: u64, max_total_bytes: u64) -> Result<Self, Error> {
        if max_result_bytes == 0 || max_result_bytes > max_total_bytes {
            return Err(Error::new(
                ErrorKind::Bounds,
                format!(
                    "max_result_bytes must be from 1 to max_total_bytes ({max_total_bytes}), got {max_result_bytes}"
                ),
            ));
        }
        Ok(Self {
            max_result_bytes,
            max_total_bytes,
        })
    }

    /// What is kept of a result.
    pub(super) fn clip(self, bytes: &[u8]) -> &[u8] {
        let most = usize::try_from(self.max_result_bytes).unwrap_or(usize::MAX);
        if bytes.len() <= most {
            return bytes;
        }
        let edge = edge(self.max_result_bytes);
        let [near, ahead] = [edge.start, edge.end].map(|at| usize::try_from(at).unwrap_or(most));
        let held = bytes.get(near..ahead.min(bytes.len())).unwrap_or_default();
        let end = near + clipped_len(held, most - near, ahead < bytes.len());
        bytes.get(..end).unwrap_or(bytes)
    }
}

/// The bytes around the bound `most` that decide where to cut.
pub(super) fn edge(most: u64) -> Range<u64> {
    most.saturating_sub(NEAR_BYTES)..most.saturating_add(AHEAD_BYTES)
}

/// How much to keep of the bytes of an edge: up to the last cluster that ends within `most`, or
/// `most` where none does.
pub(super) fn clipped_len(edge: &[u8], most: usize, goes_on: bool) -> usize {
    clusters::page_end(edge, most, goes_on).min(most)
}

/// How far before a bound the end of a cluster is looked for, and how far after it one is seen to
/// have ended.
const NEAR_BYTES: u64 = 1 << 10;
const AHEAD_BYTES: u64 = 64;
