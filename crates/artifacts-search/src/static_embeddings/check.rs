//! What the files of a model must have, so that embedding with them can't fail half-way.

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde_json::Value;

/// Whether every token of `tokenizer` has a row of numbers in `model`; what is wrong otherwise, in
/// a few words.
pub(super) fn check(model: &[u8], tokenizer: &[u8]) -> Result<(), String> {
    let tensors = SafeTensors::deserialize(model)
        .map_err(|_| "model.safetensors is truncated or no safetensors file")?;
    let named = |name: &&str| tensors.tensor(name).ok();
    let embeddings = ["embeddings", "0", "embedding.weight"]
        .iter()
        .find_map(named)
        .ok_or("model.safetensors has no tensor \"embeddings\"")?;
    let [rows, dimensions] = *embeddings.shape() else {
        return Err("the embeddings in model.safetensors are no table".into());
    };
    if rows == 0 || dimensions == 0 {
        return Err("the embeddings in model.safetensors are empty".into());
    }
    is_of(
        &embeddings,
        "embeddings",
        &[Dtype::F32, Dtype::F16, Dtype::I8],
    )?;
    if let Ok(weights) = tensors.tensor("weights") {
        is_of(&weights, "weights", &[Dtype::F64, Dtype::F32, Dtype::F16])?;
    }
    let mapping = match tensors.tensor("mapping") {
        Ok(mapping) => {
            is_of(&mapping, "mapping", &[Dtype::I64, Dtype::I32])?;
            numbers(&mapping)
        }
        Err(_) => Vec::new(),
    };
    let last = last_token(tokenizer)?;
    let row_of = |token: u64| {
        let mapped = usize::try_from(token)
            .ok()
            .and_then(|token| mapping.get(token));
        mapped.copied().unwrap_or(token)
    };
    let farthest = (mapping.len() as u64..=last).next_back();
    let farthest = mapping.iter().copied().chain(farthest.map(row_of)).max();
    match farthest.is_some_and(|row| row >= rows as u64) {
        true => Err(format!(
            "model.safetensors has {rows} embeddings, and tokenizer.json has tokens beyond that: \
             the two are of different models"
        )),
        false => Ok(()),
    }
}

/// Whether a tensor has one of these types, and numbers alone.
fn is_of(tensor: &TensorView<'_>, name: &str, types: &[Dtype]) -> Result<(), String> {
    let dtype = tensor.dtype();
    if !types.contains(&dtype) {
        return Err(format!(
            "the {name} in model.safetensors are of type {dtype:?}, which is none of {types:?}"
        ));
    }
    let bytes = tensor.data();
    let is_finite = match dtype {
        Dtype::F64 => {
            let (all, _) = bytes.as_chunks::<8>();
            // They are made single.
            all.iter()
                .all(|one| (f64::from_le_bytes(*one) as f32).is_finite())
        }
        Dtype::F32 => {
            let (all, _) = bytes.as_chunks::<4>();
            all.iter().all(|one| f32::from_le_bytes(*one).is_finite())
        }
        Dtype::F16 => {
            let (all, _) = bytes.as_chunks::<2>();
            all.iter()
                .all(|one| u16::from_le_bytes(*one) & F16_EXPONENT != F16_EXPONENT)
        }
        _ => true,
    };
    match is_finite {
        true => Ok(()),
        false => Err(format!(
            "the {name} in model.safetensors have NaN or infinity among them"
        )),
    }
}

/// Whole numbers, of which none that counts is negative.
fn numbers(tensor: &TensorView<'_>) -> Vec<u64> {
    let positive = |number: i64| u64::try_from(number).unwrap_or(u64::MAX);
    let bytes = tensor.data();
    match tensor.dtype() {
        Dtype::I64 => {
            let (all, _) = bytes.as_chunks::<8>();
            all.iter()
                .map(|one| positive(i64::from_le_bytes(*one)))
                .collect()
        }
        _ => {
            let (all, _) = bytes.as_chunks::<4>();
            let number = |one: &[u8; 4]| positive(i32::from_le_bytes(*one).into());
            all.iter().map(number).collect()
        }
    }
}

/// The highest number of a token.
fn last_token(tokenizer: &[u8]) -> Result<u64, String> {
    let tokenizer: Value =
        serde_json::from_slice(tokenizer).map_err(|_| "tokenizer.json is truncated or no JSON")?;
    let model = tokenizer.get("model");
    let vocabulary = model.and_then(|model| model.get("vocab"));
    let highest = match vocabulary {
        Some(Value::Object(tokens)) => tokens.values().filter_map(Value::as_u64).max(),
        Some(Value::Array(tokens)) => (tokens.len() as u64).checked_sub(1),
        _ => None,
    };
    let added = tokenizer.get("added_tokens").and_then(Value::as_array);
    let added = added.into_iter().flatten();
    let added = added.filter_map(|token| token.get("id")?.as_u64()).max();
    highest
        .max(added)
        .ok_or_else(|| "tokenizer.json has no tokens".into())
}

/// The bits that are all set in what is no number.
const F16_EXPONENT: u16 = 0x7C00;
