mod bad_input;
mod bin;
mod cap;
#[cfg(feature = "static-embeddings")]
mod embeddings;
mod end_to_end;
mod excerpt;
mod generated;
mod help;
#[cfg(unix)]
mod hook;
#[cfg(unix)]
mod mcp;
#[cfg(unix)]
mod mcp_bench;
#[cfg(unix)]
mod mcp_ends;
mod parts;
mod reading;
mod renderings;
mod replay;
mod run;
mod stats;
mod stores;
mod upkeep;
mod wrap;
