//! Counting bytes of which some are invalid, as if each maximal invalid subpart was U+FFFD.
//!
//! A *unit* is a scalar or such a subpart.

use alloc::string::String;
#[cfg(feature = "std")]
use alloc::vec::Vec;

#[cfg(feature = "std")]
use fearless_simd::Level;

use super::class::class_of;
use super::count::Counter;
#[cfg(feature = "std")]
use super::units::{decode_blocks, push_unit};

impl Counter {
    /// Counts `bytes`, which begin and end with whole units; how many are no scalars.
    pub(crate) fn update_lossy(&mut self, bytes: &[u8]) -> u64 {
        let (mut replaced, mut rest) = (0_u64, bytes);
        let mut span = LEAST_SPAN;
        while let Err(error) = simdutf8::compat::from_utf8(rest) {
            let (valid, behind) = rest.split_at(error.valid_up_to());
            self.update(simdutf8::basic::from_utf8(valid).unwrap_or_default());
            // Where errors are dense, looking for the next one does not pay.
            span = match valid.len() < span {
                true => span.saturating_mul(8),
                false => LEAST_SPAN,
            };
            let (dense, after) = behind.split_at(unit_boundary(behind, span));
            replaced = replaced.wrapping_add(self.update_dense(dense));
            rest = after;
        }
        self.update(simdutf8::basic::from_utf8(rest).unwrap_or_default());
        replaced
    }

    /// As [`update_lossy`](Self::update_lossy), without looking for stretches that are valid.
    fn update_dense(&mut self, bytes: &[u8]) -> u64 {
        let (counted, replaced) = self.unit_blocks_with_vectors(bytes);
        replaced.wrapping_add(self.units(bytes, counted, bytes.len()).1)
    }

    #[cfg(feature = "std")]
    fn unit_blocks_with_vectors(&mut self, bytes: &[u8]) -> (usize, u64) {
        match Level::new() {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(simd) => self.unit_blocks(simd, bytes),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(simd) => self.unit_blocks(simd, bytes),
            _ => (0, 0),
        }
    }

    #[cfg(not(feature = "std"))]
    fn unit_blocks_with_vectors(&mut self, _: &[u8]) -> (usize, u64) {
        (0, 0)
    }

    /// Counts the units that begin from `at`, a unit boundary, and before `limit`; the boundary
    /// after them, and how many are no scalars.
    pub(super) fn units(&mut self, bytes: &[u8], mut at: usize, limit: usize) -> (usize, u64) {
        let mut replaced = 0_u64;
        while at < limit {
            let unit = Unit::at(bytes, at);
            let (state, begins) = self.state.step(unit.class);
            self.state = state;
            self.graphemes = self.graphemes.wrapping_add(begins);
            self.scalars = self.scalars.wrapping_add(1);
            let newline = bytes.get(at) == Some(&b'\n');
            self.newlines = self.newlines.wrapping_add(u64::from(newline));
            replaced = replaced.wrapping_add(u64::from(!unit.complete));
            at = at.wrapping_add(unit.length);
        }
        (at, replaced)
    }
}

/// Decodes `bytes` as `String::from_utf8_lossy` does, at the speed of memory also where errors are
/// dense.
#[cfg(feature = "std")]
pub(super) fn decode(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len().saturating_mul(2));
    let mut at = match Level::new() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(simd) => decode_blocks(simd, bytes, &mut text),
        #[cfg(target_arch = "aarch64")]
        Level::Neon(simd) => decode_blocks(simd, bytes, &mut text),
        _ => 0,
    };
    while at < bytes.len() {
        at = at.saturating_add(push_unit(bytes, at, &mut text));
    }
    // Faster than to check where it is, which std would.
    match simdutf8::basic::from_utf8(&text) {
        Ok(text) => text.into(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Decodes `bytes` as `String::from_utf8_lossy` does.
#[cfg(not(feature = "std"))]
pub(super) fn decode(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A scalar, or a subpart that becomes U+FFFD.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub(super) class: u8,
    /// In bytes.
    pub(super) length: usize,
    /// Whether it is a scalar.
    pub(super) complete: bool,
}

impl Unit {
    /// The unit that begins at `at`.
    pub(super) fn at(bytes: &[u8], at: usize) -> Self {
        let (_, rest) = bytes.split_at(at.min(bytes.len()));
        let (rest, _) = rest.split_at(rest.len().min(4));
        if let Some(class) = rest.first().filter(|byte| byte.is_ascii()) {
            return Self {
                class: class_of(u32::from(*class)),
                length: 1,
                complete: true,
            };
        }
        let chunk = rest.utf8_chunks().next();
        let scalar = chunk
            .as_ref()
            .and_then(|chunk| chunk.valid().chars().next());
        let invalid = chunk.map_or(1, |chunk| chunk.invalid().len());
        Self {
            class: class_of(u32::from(scalar.unwrap_or(char::REPLACEMENT_CHARACTER))),
            length: scalar.map_or(invalid.max(1), char::len_utf8),
            complete: scalar.is_some(),
        }
    }
}

/// A unit boundary about `span` bytes into `bytes`, which begin with one: no less, and at most three
/// more.
pub(crate) fn unit_boundary(bytes: &[u8], span: usize) -> usize {
    if span == 0 {
        return 0;
    }
    let mut at = span.min(bytes.len());
    // No unit has more than three bytes after its first.
    for _ in 0..3 {
        if bytes.get(at).is_some_and(|byte| byte.cast_signed() < -64) {
            at = at.saturating_add(1);
        }
    }
    at
}

/// How many bytes after an error are counted as if there were more errors.
const LEAST_SPAN: usize = 1024;
