//! The proxy killed at random moments: what was named in an answer is read after a restart.

use std::time::Duration;

use serde_json::json;

use crate::filesystem::{Files, artifact, call, text};
use crate::install::Node;
use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally, node: &Node, kills: u32) {
    let seed = u64::from(std::process::id());
    let outcome = killed(node, kills, seed);
    let outcome = outcome.map_err(|why| format!("{why} (seed {seed})"));
    tally.check("kills", outcome);
}

fn killed(node: &Node, kills: u32, seed: u64) -> Result<String, String> {
    let files = Files::new(node)?;
    let body = |number: usize| format!("line of file {number}\n").repeat(700);
    for number in 0..CALLS {
        files.put(&number.to_string(), &body(number))?;
    }
    let mut named = Vec::new();
    let mut random = seed;
    for _ in 0..kills {
        let mut peer = files.session()?;
        let first = peer.ask("tools/call", &files.read("0"))?;
        for number in 1..CALLS {
            peer.ask("tools/call", &files.read(&number.to_string()))?;
        }
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let moment = Duration::from_micros((random >> 33) % MOST_MICROSECONDS);
        // Whether a few answers came by then is as random as the moment.
        std::thread::sleep(moment);
        peer.kill();
        while let Some(answer) = peer.next(Duration::from_secs(5))? {
            let id = answer["id"].as_u64().unwrap_or_default();
            let number = usize::try_from(id - first).map_err(|error| error.to_string())?;
            if let Some(file) = artifact(&answer) {
                named.push((file.to_owned(), number));
            }
        }
    }
    let mut peer = files.session()?;
    for (file, number) in &named {
        let uri = format!("artifact://{file}?whole");
        let whole = peer.request("resources/read", &json!({"uri": uri}))?;
        if whole["result"]["contents"][0]["text"] != body(*number).as_str() {
            return Err(format!("{file} was named, and is not there: {whole}"));
        }
        let arguments = json!({"name": file, "lines": "300-301"});
        let read = peer.request("tools/call", &call("read_artifact", &arguments))?;
        if !text(&read).contains(&format!("line of file {number}\n")) {
            return Err(format!("{file} can't be read with the tool: {read}"));
        }
    }
    drop(peer.close());
    match named.len() {
        0 => Err("no answer came before any kill".to_owned()),
        named => Ok(format!(
            "{kills} kills, {named} artifacts named, all of them read"
        )),
    }
}

const CALLS: usize = 100;

/// By then all calls are answered.
const MOST_MICROSECONDS: u64 = 400_000;
