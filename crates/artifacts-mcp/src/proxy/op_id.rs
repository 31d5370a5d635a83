//! Op ids of tool calls, whose own ids begin anew with each process.

use std::sync::atomic::{AtomicU64, Ordering};

/// Op ids that no other call has: also not one of another process with the same directory.
#[derive(Debug)]
pub(super) struct OpIds {
    process: u32,
    numbered: AtomicU64,
}

impl Default for OpIds {
    fn default() -> Self {
        Self {
            process: random(),
            numbered: AtomicU64::new(0),
        }
    }
}

impl OpIds {
    /// The next, for a call of `tool`.
    pub(super) fn next(&self, tool: &str) -> String {
        let number = self.numbered.fetch_add(1, Ordering::Relaxed) + 1;
        format!("{}-{:08x}-{number}", slug(tool), self.process)
    }

    /// The same for the same task, so that a result that is fetched twice is one artifact.
    pub(super) fn of_task(tool: &str, id: &str) -> String {
        format!("{}-task-{id}", slug(tool))
    }
}

pub(crate) fn random() -> u32 {
    use std::hash::{BuildHasher as _, Hasher as _};
    let seeded = std::hash::RandomState::new().build_hasher().finish();
    u32::try_from(seeded >> 32).unwrap_or_default()
}

/// The tool's name as an op id can begin, for whoever reads the file names.
fn slug(tool: &str) -> String {
    let plain = |c: char| match c.to_ascii_lowercase() {
        c @ ('a'..='z' | '0'..='9' | '_') => c,
        _ => '-',
    };
    let name = tool.chars().take(MOST_SLUG).map(plain).collect::<String>();
    match name.trim_start_matches(['-', '_']) {
        "" => "tool".to_owned(),
        name if name == "x" || name.starts_with("x-") => format!("tool-{name}"),
        name => name.to_owned(),
    }
}

const MOST_SLUG: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_begin_op_ids_that_name_their_tool() {
        assert_eq!(slug("read_text_file"), "read_text_file");
        assert_eq!(slug("Get.Env!"), "get-env-");
        assert_eq!(slug("--"), "tool");
        assert_eq!(
            (slug("x-ray"), slug("X")),
            ("tool-x-ray".into(), "tool-x".into())
        );
        let long = slug(&"long".repeat(30));
        let name = artifacts_core::ArtifactName::for_op(
            &artifacts_core::OpId::new(format!("{long}-0123abcd-18446744073709551615")),
            artifacts_core::ContentType::Text,
        );
        assert!(name.as_str().starts_with(&long));
    }
}
