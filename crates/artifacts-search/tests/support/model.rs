//! A model of a few words in a folder, as Model2Vec has them, made where a test needs one.
#![expect(
    clippy::disallowed_methods,
    reason = "the files of a model are no artifacts"
)]

use std::path::Path;

use serde_json::{Value, json};

/// What the files of the folder say.
pub(crate) struct Model {
    /// The words, of which the first stands for all others.
    words: Vec<&'static str>,
    /// The tensors of the model by name: type, shape, bytes.
    pub(crate) tensors: Vec<(&'static str, &'static str, Vec<usize>, Vec<u8>)>,
}

impl Model {
    /// Knows three things, by two words each, and that the other words mean something else.
    pub(crate) fn new() -> Self {
        let words = vec![
            "[UNK]",
            "doctor",
            "physician",
            "medicine",
            "remedy",
            "disk",
            "volume",
        ];
        let rows: [[f32; 4]; 7] = [
            [0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ];
        let bytes = rows.iter().flatten().flat_map(|value| value.to_le_bytes());
        Self {
            words,
            tensors: vec![("embeddings", "F32", vec![7, 4], bytes.collect())],
        }
    }

    /// Writes the three files.
    pub(crate) fn write(&self, folder: &Path) {
        std::fs::create_dir_all(folder).unwrap();
        let put = |file: &str, bytes: &[u8]| std::fs::write(folder.join(file), bytes).unwrap();
        put("config.json", b"{\"normalize\": true}");
        put("model.safetensors", &self.safetensors());
        let vocabulary = self.words.iter().zip(0_u64..);
        let vocabulary = vocabulary.map(|(word, id)| ((*word).to_owned(), id.into()));
        let tokenizer = json!({
            "version": "1.0",
            "truncation": null,
            "padding": null,
            "added_tokens": [],
            "normalizer": {"type": "Lowercase"},
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": null,
            "decoder": null,
            "model": {
                "type": "WordLevel",
                "vocab": Value::Object(vocabulary.collect()),
                "unk_token": "[UNK]",
            },
        });
        put("tokenizer.json", tokenizer.to_string().as_bytes());
    }

    fn safetensors(&self) -> Vec<u8> {
        let mut header = serde_json::Map::new();
        let mut data = Vec::new();
        for (name, dtype, shape, bytes) in &self.tensors {
            let start = data.len();
            data.extend_from_slice(bytes);
            let offsets = [start, data.len()];
            let tensor = json!({"dtype": dtype, "shape": shape, "data_offsets": offsets});
            header.insert((*name).to_owned(), tensor);
        }
        let header = Value::Object(header).to_string();
        let length = (header.len() as u64).to_le_bytes();
        [&length[..], header.as_bytes(), &data].concat()
    }
}
