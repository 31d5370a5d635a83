//! An embedder that looks the parts of words up: static embeddings from a local folder.

mod check;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use artifacts_core::ContentHasher;
use model2vec_rs::model::StaticModel;

use crate::{Embedder, Error, ErrorKind};

/// A Model2Vec model in a folder with `config.json`, `model.safetensors` and `tokenizer.json`.
/// Nothing is downloaded. It takes a fraction of a millisecond for a chunk.
pub struct StaticEmbeddings {
    name: String,
    model: StaticModel,
}

impl StaticEmbeddings {
    /// Loads the model in `folder`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Embedder`] if a file is missing, truncated or not what it should be, if a token
    /// has no embedding, or if a component of one is no number.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref();
        let base = folder
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let base = base.unwrap_or_default();
        let refused = |why: &dyn fmt::Display| {
            let message = format!("no static embeddings in {base}: {why}");
            Error::new(ErrorKind::Embedder, message)
        };
        let read = |file: &str| std::fs::read(folder.join(file));
        let files = [CONFIG, MODEL, TOKENIZER].map(read);
        let [Ok(config), Ok(model), Ok(tokenizer)] = files else {
            let needed = "it needs config.json, model.safetensors and tokenizer.json";
            return Err(refused(&needed));
        };
        check::check(&model, &tokenizer).map_err(|why| refused(&why))?;
        let mut hasher = ContentHasher::default();
        for file in [&config, &model, &tokenizer] {
            hasher.update(&(file.len() as u64).to_le_bytes());
            hasher.update(file);
        }
        let digest = hasher.finish().to_string();
        let loaded = guarded(|| StaticModel::from_bytes(tokenizer, model, config, Some(true)).ok());
        let loaded = loaded.flatten().ok_or_else(|| {
            refused(&"config.json or tokenizer.json is not what Model2Vec models have")
        })?;
        Ok(Self {
            name: format!("static embeddings {base} {digest:.16}"),
            model: loaded,
        })
    }
}

impl Embedder for StaticEmbeddings {
    /// Tells the folder's name and a digest of its files: another model has another name.
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let texts = texts
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<_>>();
        guarded(|| self.model.encode(&texts)).ok_or_else(|| {
            let message = format!("{} can't take a text apart: use another model", self.name);
            Error::new(ErrorKind::Embedder, message)
        })
    }
}

impl fmt::Debug for StaticEmbeddings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StaticEmbeddings").field(&self.name).finish()
    }
}

/// What `work` makes. The loader panics where a tokenizer has no token for a text; nothing it was
/// at is used after that.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

const CONFIG: &str = "config.json";
const MODEL: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";
