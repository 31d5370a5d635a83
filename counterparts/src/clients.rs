//! The protocol's own clients: the TypeScript and the Python SDK, and the inspector.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::install::{self, Node};
use crate::same::{META_KEY, Steady, without_ours};
use crate::surface::{lay_out, through_proxy};
use crate::tally::Tally;
use crate::walk::requests;

/// They mostly wait, so they run beside each other.
pub(crate) fn run(tally: &mut Tally, node: &Node) {
    let (typescript, python, inspected) = std::thread::scope(|scope| {
        let typescript = scope.spawn(|| sdk(node, &[node.node.clone(), node.script("walk.mjs")]));
        let python = scope.spawn(|| {
            let script = crate::paths::here().join("clients/walk.py");
            install::python().map(|python| sdk(node, &[python, script]))
        });
        let inspected = inspector(node);
        (typescript.join(), python.join(), inspected)
    });
    let panicked = |_| Err("it panicked".to_owned());
    tally.check("TypeScript SDK", typescript.unwrap_or_else(panicked));
    match python {
        Ok(Err(why)) => tally.skip("Python SDK", &why),
        Ok(Ok(outcome)) => tally.check("Python SDK", outcome),
        Err(_) => tally.check("Python SDK", Err("it panicked".to_owned())),
    }
    tally.check("inspector", inspected);
}

/// Both servers, walked with an SDK: directly and through the proxy.
fn sdk(node: &Node, client: &[PathBuf; 2]) -> Result<String, String> {
    let (mut same, mut settled) = (0, 0);
    for server in ["everything", "filesystem"] {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let shared = folder.path().join("shared");
        let shared_name = shared.to_string_lossy().into_owned();
        let requests = requests(server, &shared_name)?;
        let command = node.server_on(server, &shared);
        let go = |command: &[String]| {
            lay_out(&shared)?;
            let (command, args) = command.split_first().ok_or("no command")?;
            let environment = json!({"HOME": "/nowhere", "FILLER": "filler ".repeat(2_000)});
            let given = json!({
                "command": command, "args": args, "env": environment, "requests": requests,
            });
            let [program, script] = client;
            output(Command::new(program).arg(script).arg(given.to_string()))
        };
        let direct = go(&command).map_err(|why| format!("{server} directly: {why}"))?;
        let proxied = through_proxy(&folder.path().join("run.artifacts"), &command);
        let proxied = go(&proxied).map_err(|why| format!("{server} proxied: {why}"))?;
        let counts = compared(direct, proxied).map_err(|why| format!("{server}: {why}"))?;
        same += counts.0;
        settled += counts.1;
    }
    Ok(format!("{same} answers the same, {settled} settled"))
}

/// How many answers are the same, and how many were settled.
fn compared(mut direct: Value, mut proxied: Value) -> Result<(usize, usize), String> {
    let seen = |session: &mut Value| {
        let mut seen = session["seen"].take();
        let methods = seen.as_object_mut();
        // Its moment is chance, and whether it comes before the end.
        methods.and_then(|methods| methods.remove("notifications/message"));
        seen
    };
    let (seen_directly, seen_proxied) = (seen(&mut direct), seen(&mut proxied));
    if seen_directly != seen_proxied {
        return Err(format!(
            "seen {seen_directly}, through the proxy {seen_proxied}"
        ));
    }
    let steady = Steady::new()?;
    let answers = |session: Value| session["answers"].as_array().cloned().unwrap_or_default();
    let (direct, proxied) = (answers(direct), answers(proxied));
    if direct.len() != proxied.len() || direct.is_empty() {
        return Err(format!("{} answers, not {}", proxied.len(), direct.len()));
    }
    let mut settled = 0;
    for (direct, proxied) in direct.iter().zip(&proxied) {
        let what = format!("{} {}", direct["method"], direct["name"]);
        if !proxied["result"]["_meta"][META_KEY].is_null() {
            is_excerpt(&proxied["result"]).map_err(|why| format!("{what}: {why}"))?;
            settled += 1;
            continue;
        }
        let [direct, proxied] = [direct, proxied].map(|answer| {
            let mut answer = steady.value(answer);
            let method = answer["method"].as_str().unwrap_or_default().to_owned();
            if method == "initialize" && answer["result"].get("capabilities").is_none() {
                answer["result"] = json!({"capabilities": answer["result"]});
            }
            without_ours(&method, &mut answer);
            answer
        });
        if direct != proxied {
            return Err(format!(
                "{what}:\n  directly {direct}\n  proxied  {proxied}"
            ));
        }
    }
    match settled {
        0 => Err("no result was settled".to_owned()),
        _ => Ok((direct.len() - settled, settled)),
    }
}

fn is_excerpt(result: &Value) -> Result<(), String> {
    let file = result["_meta"][META_KEY]["file"].as_str();
    let shown = result["content"][0]["text"].as_str().unwrap_or_default();
    match file {
        Some(file) if shown.contains(&format!("full result: {file} sha256 ")) => Ok(()),
        _ => Err("the excerpt names no artifact".to_owned()),
    }
}

/// The inspector's command line: one process for each method.
fn inspector(node: &Node) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let steady = Steady::new()?;
    let server = node.server_on("everything", folder.path());
    let proxied = through_proxy(&folder.path().join("run.artifacts"), &server);
    let methods: [(&str, &[&str]); 7] = [
        ("tools/list", &[]),
        (
            "tools/call",
            &[
                "--tool-name",
                "get-structured-content",
                "--tool-arg",
                "location=Chicago",
            ],
        ),
        ("resources/list", &[]),
        (
            "resources/read",
            &["--uri", "demo://resource/static/document/features.md"],
        ),
        ("resources/templates/list", &[]),
        ("prompts/list", &[]),
        (
            "prompts/get",
            &[
                "--prompt-name",
                "args-prompt",
                "--prompt-args",
                "city=Paris",
            ],
        ),
    ];
    let ask = |method: &str, args: &[&str], server: &[String]| -> Result<Value, String> {
        let mut command = Command::new(&node.node);
        command.arg(node.package("inspector/clients/cli/build/index.js"));
        command
            .args(["--method", method])
            .args(args)
            .arg("--")
            .args(server);
        let result = output(command.env("HOME", folder.path()))?;
        let mut answer = json!({"result": steady.value(&result)});
        without_ours(method, &mut answer);
        Ok(answer)
    };
    for (method, args) in methods {
        let direct = ask(method, args, &server)?;
        let through = ask(method, args, &proxied)?;
        if direct != through {
            return Err(format!(
                "{method}:\n  directly {direct}\n  proxied  {through}"
            ));
        }
    }
    large(node, folder.path(), &ask)?;
    Ok(format!(
        "{} methods the same, a large file settled",
        methods.len()
    ))
}

type Ask<'a> = &'a dyn Fn(&str, &[&str], &[String]) -> Result<Value, String>;

fn large(node: &Node, folder: &Path, ask: Ask<'_>) -> Result<(), String> {
    let shared = folder.join("shared");
    lay_out(&shared)?;
    let server = node.server_on("filesystem", &shared);
    let server = through_proxy(&folder.join("run.artifacts"), &server);
    let path = format!("path={}/large.txt", shared.to_string_lossy());
    let args = ["--tool-name", "read_text_file", "--tool-arg", path.as_str()];
    let answer = ask("tools/call", &args, &server)?;
    is_excerpt(&answer["result"])
}

/// The JSON that a command prints.
fn output(command: &mut Command) -> Result<Value, String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        let error = errors.lines().find(|line| line.contains("Error"));
        format!("no JSON but {text:?}: {}", error.unwrap_or(&errors))
    })
}
