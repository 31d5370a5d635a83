//! What happens to the results of each tool, as the flags of `mcp` and `hook` say it.

use std::path::PathBuf;

use artifacts_mcp::{Host, PolicyFile};
use loop_integration::Policy;

use crate::failure::Failure;
use crate::input::text_of;

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct PolicyArgs {
    /// The most characters a tool result may have; without it, what fits the client
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    limit: Option<u64>,
    /// What happens to the results of each tool, as JSON: {"tools": {"NAME": "exempt"}}, or "raw", or
    /// {"limit": N}
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

impl PolicyArgs {
    /// The policies, with the presets of `host` where nothing else is said.
    pub(crate) fn policies(&self, host: Host) -> Result<PolicyFile, Failure> {
        let mut shape = host.shape();
        if let Some(limit) = self.limit {
            shape = host.limited(limit).map_err(|_| {
                Failure::input(format!(
                    "--limit {limit} is too small: it must be at least 1"
                ))
            })?;
        }
        let Some(path) = &self.policy else {
            return Ok(PolicyFile::uniform(Policy::limited(shape)));
        };
        let text = text_of(path)?;
        PolicyFile::parse(&text, host, shape).map_err(|error| Failure::input(error.to_string()))
    }

    /// A line for each limit of which `host` would cut the marker out.
    pub(crate) fn above_cap(&self, policies: &PolicyFile, host: Host) -> Vec<String> {
        let policy = policies.default_policy();
        let shape = policy.shape().copied().unwrap_or_else(|| host.shape());
        let mut above = Vec::new();
        if host.check(&shape).is_err() {
            let of_flag = self.limit.and_then(|limit| host.limited(limit).ok());
            above.push(match of_flag == Some(shape) {
                true => "--limit".to_owned(),
                false => "the limit of the policy file".to_owned(),
            });
        }
        let tools = policies.above_cap(host).into_iter();
        above.extend(tools.map(|(tool, _)| format!("the limit of the tool {tool:?}")));
        let above = above.iter().map(|what| {
            let (cap, most) = (host.cap_bytes(), most_within(host));
            format!(
                "{what} is above what {host} shows whole ({cap} bytes), which would cut the marker \
                 out: set it to at most {most}"
            )
        });
        above.collect()
    }
}

/// The largest limit, in characters, of which the host cuts nothing.
fn most_within(host: Host) -> u64 {
    let is_within = |limit| {
        host.limited(limit)
            .is_ok_and(|shape| host.check(&shape).is_ok())
    };
    let (mut within, mut above) = (0, host.cap_bytes());
    while above - within > 1 {
        let middle = within + (above - within) / 2;
        match is_within(middle) {
            true => within = middle,
            false => above = middle,
        }
    }
    within
}
