//! Which crate may reach which, proved from `cargo metadata`.

mod graph;
mod rules;

use std::error::Error;

use crate::report::Report;
use crate::shell;
use graph::Graph;
use rules::{RULES, Rule};

/// Checks every rule on the real graph, then that each rule notices a graph that breaks it.
pub(crate) fn run(mut report: Report) -> Result<Report, Box<dyn Error>> {
    let graph = real_graph()?;
    for rule in RULES {
        report.check(
            &rule.to_string(),
            "from cargo metadata",
            &rule.broken(&graph),
        );
    }
    for rule in RULES {
        let name = format!("would notice: {rule}");
        match rule.broken(&sabotaged(&graph, rule)).first() {
            Some(finding) => report.pass(&name, finding),
            None => report.fail(&name, "a graph that breaks the rule passed"),
        }
    }
    Ok(report)
}

fn real_graph() -> Result<Graph, Box<dyn Error>> {
    let output = shell::cargo(&["metadata", "--format-version", "1", "--all-features"]).output()?;
    if !output.status.success() {
        return Err(shell::text(&output).into());
    }
    Graph::parse(&serde_json::from_slice(&output.stdout)?)
}

/// The same graph with one dependency too many, two steps away from the rule's crate.
fn sabotaged(graph: &Graph, rule: &Rule) -> Graph {
    let mut graph = graph.clone();
    graph.add(rule.package(), "go-between");
    graph.add("go-between", rule.example());
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_keeps_its_layers() {
        let graph = real_graph().unwrap();
        for rule in RULES {
            assert_eq!(rule.broken(&graph), Vec::<String>::new(), "{rule}");
        }
    }

    #[test]
    fn a_forbidden_crate_is_noticed_through_another() {
        for rule in RULES {
            let graph = sabotaged(&Graph::default(), rule);
            assert!(!rule.broken(&graph).is_empty(), "{rule}");
        }
    }
}
