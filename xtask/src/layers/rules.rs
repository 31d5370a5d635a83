//! The rules themselves.

use std::fmt;

use super::graph::Graph;

/// One rule about what a crate may reach through normal and build dependencies, all features on.
#[derive(Debug)]
pub(crate) enum Rule {
    /// The crate reaches the first list, what these need (the second), and nothing else.
    Only(
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
    ),
    /// The crate reaches none of these.
    Never(&'static str, &'static [&'static str]),
}

/// Every rule that holds in this workspace.
pub(crate) const RULES: &[Rule] = &[
    Rule::Only("artifacts-core", CORE, NEEDED),
    Rule::Only("compactor-cap", CAP, CAP_NEEDS),
    Rule::Never(
        "compactor-cap",
        &["artifacts-fs", "loop-integration", "tokio"],
    ),
    Rule::Never(
        "artifacts-fs",
        &[
            "loop-integration",
            "compactor-cap",
            "artifacts-cli",
            "tokio",
        ],
    ),
    Rule::Never("artifacts-fs", EDGE),
    Rule::Never("loop-integration", EDGE),
    Rule::Never("loop-integration", &["artifacts-mcp", "artifacts-cli"]),
    Rule::Never("artifacts-mcp", &["artifacts-cli"]),
    Rule::Never(
        "artifacts-tokens",
        &["artifacts-fs", "loop-integration", "tokio"],
    ),
    // A tokenizer is for those who ask for one.
    Rule::Never("artifacts-cli", &["artifacts-tokens", "tiktoken-rs"]),
    Rule::Never("artifacts-mcp", EDGE),
];

impl Rule {
    /// The crate the rule is about.
    pub(crate) fn package(&self) -> &'static str {
        match self {
            Self::Only(package, ..) | Self::Never(package, _) => package,
        }
    }

    /// A crate that breaks the rule when reached.
    pub(crate) fn example(&self) -> &'static str {
        match self {
            Self::Only(..) => "tokio",
            Self::Never(_, banned) => banned.first().copied().unwrap_or_default(),
        }
    }

    /// Each way in which `graph` breaks the rule.
    pub(crate) fn broken(&self, graph: &Graph) -> Vec<String> {
        let wrong = |reached: &str| match self {
            Self::Only(_, allowed, needed) => {
                !allowed.contains(&reached) && !needed.contains(&reached)
            }
            Self::Never(_, banned) => banned.contains(&reached),
        };
        graph
            .reach(self.package())
            .into_iter()
            .filter(|(reached, _)| wrong(reached))
            .map(|(_, way)| way)
            .collect()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Only(package, allowed, _) => {
                write!(
                    f,
                    "{package} reaches only {} and what they need",
                    allowed.join(", ")
                )
            }
            Self::Never(package, banned) => {
                write!(f, "{package} reaches none of {}", banned.join(", "))
            }
        }
    }
}

/// SHA-256, UTF-8 and vectors.
const CORE: &[&str] = &["sha2", "simdutf8", "fearless_simd"];

/// What SHA-256 needs: nothing here touches a disk, a clock or a thread.
/// `libc` is there for `cpufeatures` on AArch64, which asks which instructions exist.
const NEEDED: &[&str] = &[
    "block-buffer",
    "cfg-if",
    "cpufeatures",
    "crypto-common",
    "digest",
    "hybrid-array",
    "libc",
    "typenum",
];

/// The cap depends on the core alone; its feature `serde_json` adds messages as JSON values.
const CAP: &[&str] = &[
    "artifacts-core",
    "sha2",
    "simdutf8",
    "fearless_simd",
    "serde_json",
];

const CAP_NEEDS: &[&str] = &[
    "block-buffer",
    "cfg-if",
    "cpufeatures",
    "crypto-common",
    "digest",
    "hybrid-array",
    "libc",
    "typenum",
    "itoa",
    "memchr",
    "serde",
    "serde_core",
    "serde_derive",
    "proc-macro2",
    "quote",
    "syn",
    "unicode-ident",
    "zmij",
];

/// What only programs and tests may use. `anyhow` is not of it: the loader of static embeddings
/// needs it, and this workspace does not name it.
const EDGE: &[&str] = &[
    "clap",
    "criterion",
    "insta",
    "proptest",
    "testkit",
    "tempfile",
];
