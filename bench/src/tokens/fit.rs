//! Least squares of relative errors, with weights that are not negative.

use artifacts_core::{TokenEstimator, TokenFeatures, TokenWeights};

use super::sets::Set;

/// The weights that are least wrong on `sets`, each of which counts the same.
///
/// What occurs in few texts stays near the weight of `start`.
pub(crate) fn fit(sets: &[Set], exact: &impl TokenEstimator) -> TokenWeights {
    let rows = rows(sets, exact);
    let prior = START.iter().map(|milli| f64::from(*milli) / 1e3);
    let prior = prior.map(|weight| weight.max(0.01)).collect::<Vec<_>>();
    let mut weights = prior.clone();
    for _ in 0..ROUNDS {
        for place in 0..weights.len() {
            let (mut slope, mut curve) = (0.0, 0.0);
            for (share, features) in &rows {
                let estimate: f64 = features.iter().zip(&weights).map(|(f, w)| f * w).sum();
                let feature = features.get(place).copied().unwrap_or_default();
                slope += share * feature * (1.0 - estimate);
                curve += share * feature * feature;
            }
            let (Some(weight), Some(prior)) = (weights.get_mut(place), prior.get(place)) else {
                continue;
            };
            let pull = PULL / (prior * prior);
            slope += pull * (prior - *weight);
            curve += pull;
            *weight = (*weight + slope / curve).max(0.0);
        }
    }
    let mut milli = [0; TokenFeatures::NAMES.len()];
    for (milli, weight) in milli.iter_mut().zip(&weights) {
        *milli = (weight * 1e3).round() as u32;
    }
    TokenWeights::new(milli)
}

/// For each sample its share of the sum, and its features for each token that it has.
fn rows(sets: &[Set], exact: &impl TokenEstimator) -> Vec<(f64, Vec<f64>)> {
    let mut rows = Vec::new();
    for set in sets {
        let samples = set.samples();
        for sample in &samples {
            let tokens = exact.tokens(sample).max(1) as f64;
            let features = TokenFeatures::of(sample);
            let features = features.counts().iter().map(|count| *count as f64 / tokens);
            rows.push((1.0 / samples.len() as f64, features.collect()));
        }
    }
    rows
}

const ROUNDS: usize = 2_000;

/// How hard a weight is held where it started, against one set.
const PULL: f64 = 0.000_2;

/// Roughly what each feature costs in texts of which there are more than a repository can hold.
const START: [u32; TokenFeatures::NAMES.len()] = [
    780, 200, 300, 900, 400, 400, 1_050, 500, 700, 800, 600, 350, 80, 1_000, 1_000, 650, 200, 250,
    330, 380, 350, 400, 650, 800, 650, 3_100, 1_900, 800, 1_600, 2_000,
];
