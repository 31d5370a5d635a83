//! How similar in meaning each chunk is to a question, and what that adds to its words.

use crate::rank::Ranked;

/// For each chunk how far its best stretch stands out from those of the other chunks.
#[derive(Debug)]
pub(crate) struct Similar {
    /// In standard deviations from the mean.
    standing: Vec<f64>,
}

impl Similar {
    /// From the similarities of every 250 grapheme clusters to those of `chunks` chunks.
    pub(crate) fn of(similarities: &[f32], chunks: usize) -> Self {
        let pieces = |chunk: usize| {
            let start = chunk.saturating_mul(STEP).min(similarities.len());
            let (_, from) = similarities.split_at(start);
            from.split_at(from.len().min(STEP + 1)).0
        };
        let best = (0..chunks)
            .map(|chunk| stands_out(pieces(chunk)))
            .collect::<Vec<_>>();
        let count = best.len().max(1) as f64;
        let mean = best.iter().sum::<f64>() / count;
        let squares = best.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let deviation = (squares / count).sqrt().max(FLOOR);
        Self {
            standing: best
                .iter()
                .map(|value| (value - mean) / deviation)
                .collect(),
        }
    }

    /// The `count` chunks that are most similar.
    pub(crate) fn best(&self, count: usize) -> Vec<usize> {
        let mut order = (0..self.standing.len()).collect::<Vec<_>>();
        let standing = |chunk: &usize| self.standing.get(*chunk).copied().unwrap_or_default();
        order.sort_by(|one, other| standing(other).total_cmp(&standing(one)));
        order.truncate(count);
        order
    }

    /// How much the words of a question leave open where the chunks have `coverage` of them, from 0
    /// to 1.
    pub(crate) fn share(coverage: f64) -> f64 {
        (1.0 - coverage / RELIED_ON).clamp(0.0, 1.0)
    }

    /// Adds to each score what its similarity tells. That is nothing where the words of the
    /// question are found, of which the chunks have `coverage`: fusing the two as equals answers
    /// worse than words alone.
    pub(crate) fn blend(&self, ranked: &mut [Ranked], coverage: f64) {
        let best = ranked.iter().map(|ranked| ranked.score).fold(0.0, f64::max);
        let unit = if best > 0.0 { best } else { 1.0 };
        let open = Self::share(coverage);
        for ranked in ranked {
            let standing = self.standing.get(ranked.chunk).copied().unwrap_or_default();
            ranked.score += unit * MOST * open * standing.clamp(LOWEST, HIGHEST);
        }
    }
}

/// The best piece, and the best two in a row: what answers may lie across an edge.
fn stands_out(pieces: &[f32]) -> f64 {
    let best = pieces.iter().copied().fold(-1.0_f32, f32::max);
    let pairs = pieces.windows(2).map(|pair| pair.iter().sum::<f32>() / 2.0);
    f64::from(best) + f64::from(pairs.fold(-1.0, f32::max))
}

/// So many pieces are between the starts of two chunks.
const STEP: usize = 7;

/// Similarities that differ by less do not differ.
const FLOOR: f64 = 1e-6;

/// A question of which so much is found needs no vectors.
const RELIED_ON: f64 = 0.75;

/// What a standard deviation adds at most, as a share of the best score.
const MOST: f64 = 0.7;

/// Beyond these a similarity tells no more.
const LOWEST: f64 = -1.0;
const HIGHEST: f64 = 3.0;
