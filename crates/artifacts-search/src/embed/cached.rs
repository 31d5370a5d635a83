//! Vectors as bytes, for a cache.

use super::Vectors;
use crate::Embedder;

impl Vectors {
    /// The vectors as bytes that [`from_bytes`](Self::from_bytes) takes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(MAGIC.len() + self.components().len() + 5 * self.len());
        bytes.extend_from_slice(MAGIC);
        let numbers = [self.embedder.len(), self.dimensions, self.len()];
        for number in numbers {
            bytes.extend_from_slice(&(number as u64).to_le_bytes());
        }
        bytes.extend_from_slice(self.embedder.as_bytes());
        for scale in &self.scales {
            bytes.extend_from_slice(&scale.to_le_bytes());
        }
        bytes.extend_from_slice(self.components());
        bytes
    }

    /// The vectors that [`to_bytes`](Self::to_bytes) wrote with this version and an embedder of
    /// this name; `None` for all other bytes. The bytes are kept, not copied.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>, embedder: &dyn Embedder) -> Option<Self> {
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let mut numbers = [0; 3];
        for number in &mut numbers {
            let (first, behind) = rest.split_first_chunk::<8>()?;
            *number = usize::try_from(u64::from_le_bytes(*first)).ok()?;
            rest = behind;
        }
        let [name, dimensions, count] = numbers;
        let (name, rest) = rest.split_at_checked(name)?;
        let (scales, components) = rest.split_at_checked(count.checked_mul(4)?)?;
        if name != embedder.name().as_bytes()
            || components.len() != count.checked_mul(dimensions)?
        {
            return None;
        }
        let (scales, _) = scales.as_chunks::<4>();
        let scales = scales
            .iter()
            .map(|scale| f32::from_le_bytes(*scale))
            .collect::<Vec<_>>();
        if !scales.iter().all(|scale| scale.is_finite()) {
            return None;
        }
        Some(Self {
            embedder: embedder.name().to_owned(),
            dimensions,
            scales,
            start: bytes.len() - components.len(),
            bytes,
        })
    }
}

/// Ends with the version of the form and of how a text is divided.
const MAGIC: &[u8] = b"artifact vectors 1\n";
