//! The clients that tool results end up in, and what they cut themselves.

use std::fmt;

use artifacts_core::{Limit, Shape, Stage, Unit, check_order};
use loop_integration::Policy;
use serde_json::Value;

/// The client behind the proxy. Each cuts tool results of its own accord; an observation has to
/// stay below that, or the client would cut the marker away.
///
/// ```
/// use artifacts_mcp::Host;
///
/// assert_eq!(Host::Codex.shape().limit().amount(), 8_000);
/// assert!(Host::Codex.check(&Host::Codex.shape()).is_ok());
/// let large = artifacts_core::Shape::excerpt();
/// assert!(Host::Codex.check(&large).is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Host {
    /// Any client. Treated as the strictest known one.
    #[default]
    Generic,
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}

impl Host {
    /// Every host, by [`name`](Self::name).
    pub const ALL: [Self; 3] = [Self::Generic, Self::ClaudeCode, Self::Codex];

    /// The name on the command line: `generic`, `claude-code` or `codex`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// The limit that keeps an observation, with its marker and its hint, below the host's cap.
    #[must_use]
    pub fn shape(self) -> Shape {
        Shape::new(self.limit())
    }

    fn limit(self) -> Limit {
        let (graphemes, bytes) = match self {
            Self::Generic | Self::Codex => (8_000, 9_000),
            Self::ClaudeCode => (16_384, 24_000),
        };
        Limit::graphemes(graphemes)
            .and_then(|limit| limit.with_byte_ceiling(bytes))
            .expect("a preset is not 0")
    }

    /// What the host itself cuts a tool result to, in bytes.
    #[must_use]
    pub fn cap_bytes(self) -> u64 {
        match self {
            Self::Generic | Self::Codex => 10_000,
            // Above about this many characters it shows 2 KB and the path of a file of its own.
            Self::ClaudeCode => 50_000,
        }
    }

    /// Whether `shape` stays below the host's cap.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Order`](artifacts_core::ErrorKind::Order), saying what to set.
    pub fn check(self, shape: &Shape) -> Result<(), artifacts_core::Error> {
        let cap = Limit::new(Unit::Bytes, self.cap_bytes())?;
        let name = format!("the cap of {}", self.name());
        check_order(&[Stage::settles("--limit", *shape), Stage::cuts(&name, cap)])
    }

    /// The preset with `graphemes` as its limit. Its bytes are bounded in proportion to the
    /// preset's, and never by more than the preset's where the limit is lower.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Limit`](artifacts_core::ErrorKind::Limit) if it is 0.
    pub fn limited(self, graphemes: u64) -> Result<Shape, artifacts_core::Error> {
        relimited(self.shape(), graphemes)
    }

    /// The policy for a tool whose definition has this `_meta`. A size hint raises the limit only
    /// where the host follows it too; it lowers it everywhere.
    #[must_use]
    pub fn with_hint(self, policy: Policy, meta: &Value) -> Policy {
        match self {
            Self::ClaudeCode => hinted(policy, meta),
            Self::Generic | Self::Codex => Self::lowered(policy, meta),
        }
    }

    /// The policy for a result with this `_meta`: every host knows the hints of definitions at
    /// most, so this one only lowers the limit.
    pub(crate) fn lowered(policy: Policy, meta: &Value) -> Policy {
        let amount = |policy: &Policy| policy.shape().map(|shape| shape.limit().amount());
        let hinted = hinted(policy, meta);
        match amount(&hinted) < amount(&policy) {
            true => hinted,
            false => policy,
        }
    }
}

/// The policy with the limit of a size hint.
fn hinted(policy: Policy, meta: &Value) -> Policy {
    let hinted = policy.with_mcp_meta(meta);
    match (policy.shape(), hinted.shape()) {
        (Some(shape), Some(other)) if shape != other => {
            let shape = relimited(*shape, other.limit().amount());
            shape.map_or(hinted, Policy::limited)
        }
        _ => hinted,
    }
}

/// The shape with another limit, which bounds the bytes no more loosely than it did.
fn relimited(shape: Shape, graphemes: u64) -> Result<Shape, artifacts_core::Error> {
    let (before, limit) = (shape.limit(), Limit::graphemes(graphemes)?);
    let share = u128::from(before.byte_ceiling()) * u128::from(graphemes);
    let share = share.div_ceil(u128::from(before.amount()));
    let share = u64::try_from(share).unwrap_or(u64::MAX);
    let ceiling = share.max(before.byte_ceiling()).min(limit.byte_ceiling());
    Ok(shape.with_limit(limit.with_byte_ceiling(ceiling)?))
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_stays_below_its_hosts_cap() {
        for host in Host::ALL {
            host.check(&host.shape()).unwrap();
        }
    }

    #[test]
    fn a_size_hint_is_followed_where_the_host_follows_it() {
        let meta = serde_json::json!({"anthropic/maxResultSizeChars": 200_000});
        let small = serde_json::json!({"anthropic/maxResultSizeChars": 500});
        let limit = |host: Host, meta: &Value| {
            let policy = host.with_hint(Policy::limited(host.shape()), meta);
            policy.shape().unwrap().limit().amount()
        };
        assert_eq!(limit(Host::ClaudeCode, &meta), 200_000);
        assert_eq!(limit(Host::Generic, &meta), 8_000);
        assert_eq!(limit(Host::Codex, &meta), 8_000);
        for host in Host::ALL {
            assert_eq!(limit(host, &small), 500);
            assert_eq!(limit(host, &Value::Null), host.shape().limit().amount());
        }
    }

    #[test]
    fn a_lower_limit_never_allows_more_bytes() {
        let ceiling = |limit: u64| {
            let shape = Host::Codex.limited(limit).unwrap();
            shape.limit().byte_ceiling()
        };
        assert_eq!((ceiling(100), ceiling(5_000)), (800, 9_000));
        assert_eq!((ceiling(8_000), ceiling(16_000)), (9_000, 18_000));
        for limit in 1..=8_000 {
            Host::Codex
                .check(&Host::Codex.limited(limit).unwrap())
                .unwrap();
        }
        assert!(Host::Codex.limited(0).is_err());
    }
}
