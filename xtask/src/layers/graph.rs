//! The graph of normal and build dependencies, by package name.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use serde_json::Value;

/// Who depends on whom. Development dependencies are not in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    edges: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Takes the `resolve` part of `cargo metadata`.
    pub(crate) fn parse(metadata: &Value) -> Result<Self, Box<dyn Error>> {
        let names = list(&metadata["packages"])
            .filter_map(|package| Some((package["id"].as_str()?, package["name"].as_str()?)))
            .collect::<BTreeMap<_, _>>();
        let name = |id: &Value| {
            id.as_str()
                .and_then(|id| names.get(id).copied())
                .ok_or_else(|| format!("cargo metadata names an unknown package: {id}"))
        };
        let mut graph = Self::default();
        for node in metadata
            .pointer("/resolve/nodes")
            .into_iter()
            .flat_map(list)
        {
            let package = name(&node["id"])?;
            graph.edges.entry(package.to_string()).or_default();
            for dependency in list(&node["deps"]) {
                if list(&dependency["dep_kinds"]).any(|kind| kind["kind"] != "dev") {
                    graph.add(package, name(&dependency["pkg"])?);
                }
            }
        }
        match graph.edges.is_empty() {
            true => Err("cargo metadata resolved no packages".into()),
            false => Ok(graph),
        }
    }

    /// Adds a dependency.
    pub(crate) fn add(&mut self, from: &str, to: &str) {
        self.edges
            .entry(from.to_string())
            .or_default()
            .insert(to.to_string());
    }

    /// The packages `from` names itself.
    pub(crate) fn direct(&self, from: &str) -> impl Iterator<Item = &str> {
        self.edges
            .get(from)
            .into_iter()
            .flatten()
            .map(String::as_str)
    }

    /// Everything `from` reaches, with the way there.
    pub(crate) fn reach(&self, from: &str) -> BTreeMap<String, String> {
        let mut ways = BTreeMap::new();
        let mut open = vec![(from.to_string(), from.to_string())];
        while let Some((package, way)) = open.pop() {
            for next in self.direct(&package) {
                if !ways.contains_key(next) {
                    let way = format!("{way} -> {next}");
                    ways.insert(next.to_string(), way.clone());
                    open.push((next.to_string(), way));
                }
            }
        }
        ways
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
