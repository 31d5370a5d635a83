//! Texts as vectors: what a model of meanings is to this crate, and the vectors of one text.

mod cached;

use std::fmt;

use artifacts_core::Limit;

use crate::{Error, ErrorKind, OVERLAP_GRAPHEMES};

/// Turns texts into vectors whose directions tell what the texts mean (SPEC 7.3).
///
/// ```
/// use artifacts_search::{Embedder, Error};
///
/// /// Knows two things.
/// #[derive(Debug)]
/// struct Weather;
///
/// impl Embedder for Weather {
///     fn name(&self) -> &str {
///         "weather 1"
///     }
///
///     fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
///         let counts = |text: &&str, word: &str| text.matches(word).count() as f32;
///         let vector = |text| vec![counts(text, "rain"), counts(text, "sun")];
///         Ok(texts.iter().map(vector).collect())
///     }
/// }
/// ```
pub trait Embedder: fmt::Debug + Send + Sync {
    /// Names the model and its version. Vectors of embedders with different names are never
    /// compared, so that a cache made by one is not used by another.
    fn name(&self) -> &str;

    /// A vector for each of `texts`, in their order and all of one length.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Embedder`] if it can't.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error>;
}

/// The vectors of one text: one for every 250 grapheme clusters, of which a chunk has eight.
///
/// They depend on the text and the embedder alone. A component takes a byte, so the vectors of a
/// model with 256 dimensions take as much room as the text where that is ASCII.
///
/// ```
/// # use artifacts_search::{Embedder, Error, Vectors};
/// # #[derive(Debug)]
/// # struct Weather;
/// # impl Embedder for Weather {
/// #     fn name(&self) -> &str { "weather 1" }
/// #     fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
/// #         Ok(texts.iter().map(|text| vec![text.matches("rain").count() as f32, 1.0]).collect())
/// #     }
/// # }
/// let vectors = Vectors::of("rain ".repeat(100).as_str(), &Weather)?;
/// assert_eq!(vectors.len(), 2);
/// let cached = vectors.to_bytes();
/// assert_eq!(Vectors::from_bytes(cached, &Weather), Some(vectors));
/// # Ok::<(), artifacts_search::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Vectors {
    embedder: String,
    dimensions: usize,
    /// What a component of each vector is multiplied by.
    scales: Vec<f32>,
    /// The bytes that the vectors came in, if they did, and where the components begin in them.
    bytes: Vec<u8>,
    start: usize,
}

impl Vectors {
    /// Embeds `text`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Embedder`] if `embedder` fails, or if its vectors don't fit together.
    pub fn of(text: &str, embedder: &dyn Embedder) -> Result<Self, Error> {
        let mut vectors = Self {
            embedder: embedder.name().to_owned(),
            dimensions: 0,
            scales: Vec::new(),
            bytes: Vec::new(),
            start: 0,
        };
        let mut rest = text;
        while !rest.is_empty() {
            let mut batch = Vec::new();
            while !rest.is_empty() && batch.len() < BATCH {
                let (piece, behind) = split_piece(rest);
                batch.push(piece);
                rest = behind;
            }
            let embedded = embedder.embed(&batch)?;
            if embedded.len() != batch.len() {
                return Err(unfit(embedder));
            }
            for vector in embedded {
                vectors.push(&vector).ok_or_else(|| unfit(embedder))?;
            }
        }
        Ok(vectors)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there is none: the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// How near each vector's direction is to that of `question`, from -1 to 1.
    pub(crate) fn similarities(
        &self,
        question: &str,
        embedder: &dyn Embedder,
    ) -> Result<Vec<f32>, Error> {
        let embedded = embedder.embed(&[question])?;
        let Some(question) = embedded.first().and_then(|vector| normalized(vector)) else {
            return Err(unfit(embedder));
        };
        if embedder.name() != self.embedder || question.len() != self.dimensions && !self.is_empty()
        {
            return Err(unfit(embedder));
        }
        // Products of bytes, summed as integers: these the compiler adds many at a time.
        let (question, step) = steps(&question);
        let rows = self.components().chunks_exact(self.dimensions.max(1));
        let near = |(row, scale): (&[u8], &f32)| {
            let products = row.iter().zip(&question);
            let sum = products
                .map(|(one, other)| i32::from(one.cast_signed()) * i32::from(*other))
                .sum::<i32>();
            scale * step * sum as f32
        };
        Ok(rows.zip(&self.scales).map(near).collect())
    }

    /// One byte for each, of all vectors one after the other.
    fn components(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    fn push(&mut self, vector: &[f32]) -> Option<()> {
        if self.is_empty() {
            self.dimensions = vector.len();
        }
        if vector.len() != self.dimensions || vector.is_empty() {
            return None;
        }
        let vector = normalized(vector)?;
        let (components, scale) = steps(&vector);
        self.bytes
            .extend(components.iter().map(|step| step.cast_unsigned()));
        self.scales.push(scale);
        Some(())
    }
}

impl PartialEq for Vectors {
    fn eq(&self, other: &Self) -> bool {
        let of = |vectors: &Self| (vectors.embedder.clone(), vectors.dimensions);
        of(self) == of(other)
            && self.scales == other.scales
            && self.components() == other.components()
    }
}

/// The components in steps of a 127th of the largest, and how large a step is.
fn steps(vector: &[f32]) -> (Vec<i8>, f32) {
    let sizes = vector.iter().map(|value| value.abs());
    let largest = sizes.fold(FLOOR, f32::max);
    let steps = vector
        .iter()
        .map(|value| (value / largest * 127.0).round() as i8);
    (steps.collect(), largest / 127.0)
}

/// The first 250 clusters, and the others.
fn split_piece(text: &str) -> (&str, &str) {
    let limit = Limit::graphemes(OVERLAP_GRAPHEMES)
        .and_then(|limit| limit.with_byte_ceiling(u64::MAX))
        .expect("because neither is 0");
    let prefix = limit.prefix(text);
    (prefix.head(), prefix.rest())
}

/// The vector with the length 1; what is shorter than the floor stays shorter, so that nothing is
/// divided by zero. `None` if a component is no number.
fn normalized(vector: &[f32]) -> Option<Vec<f32>> {
    if !vector.iter().all(|value| value.is_finite()) {
        return None;
    }
    let largest = vector
        .iter()
        .fold(FLOOR, |most, value| most.max(value.abs()));
    // Scaled first: squares of large components would not be finite.
    let squares = vector
        .iter()
        .map(|value| (value / largest).powi(2))
        .sum::<f32>();
    let length = (squares.sqrt() * largest).max(FLOOR);
    Some(vector.iter().map(|value| value / length).collect())
}

fn unfit(embedder: &dyn Embedder) -> Error {
    Error::new(
        ErrorKind::Embedder,
        format!(
            "the vectors of {} don't fit together: use another embedder",
            embedder.name()
        ),
    )
}

/// Vectors shorter than this have no direction.
const FLOOR: f32 = 1e-12;

/// So many pieces are embedded at a time.
const BATCH: usize = 256;
