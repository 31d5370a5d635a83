//! The report's page in a real browser, light and dark.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::paths;
use crate::tally::Tally;

pub(crate) fn run(tally: &mut Tally) {
    let is_there = |name: &&&str| {
        let tried = Command::new(name)
            .arg("--version")
            .stderr(Stdio::null())
            .output();
        tried.is_ok_and(|output| output.status.success())
    };
    let Some(browser) = BROWSERS.iter().find(is_there) else {
        return tally.skip("page", "no Chromium: apt-get install chromium");
    };
    for scheme in [Scheme::Light, Scheme::Dark] {
        tally.check(&format!("page, {scheme:?}"), looked_at(browser, scheme));
    }
}

#[derive(Debug, Clone, Copy)]
enum Scheme {
    Light,
    Dark,
}

/// Writes the page, and reads what the browser made of it.
fn looked_at(browser: &str, scheme: Scheme) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let page = page(folder.path())?;
    let preferred = match scheme {
        Scheme::Dark => "--blink-settings=preferredColorScheme=0",
        Scheme::Light => "--blink-settings=preferredColorScheme=1",
    };
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1000,1000",
        ])
        .args(["--enable-logging=stderr", preferred, "--dump-dom"])
        .arg(format!("file://{}", page.display()))
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if let Some(line) = errors.lines().find(|line| line.contains(":CONSOLE")) {
        return Err(format!("the console says {line}"));
    }
    let dom = String::from_utf8_lossy(&output.stdout);
    let seen = dom
        .split_once("<pre>")
        .and_then(|(_, rest)| rest.split_once("</pre>"));
    let (seen, _) = seen.ok_or_else(|| format!("nothing was measured: {errors}"))?;
    let seen: Value = serde_json::from_str(seen).map_err(|error| error.to_string())?;
    judged(&seen, scheme)
}

fn judged(seen: &Value, scheme: Scheme) -> Result<String, String> {
    let bars = seen["bars"].as_array().map_or(0, Vec::len);
    let empty = seen["bars"].as_array().into_iter().flatten().find(|bar| {
        bar["width"].as_f64().is_none_or(|width| width <= 0.0)
            || bar["height"].as_f64().is_none_or(|height| height <= 0.0)
    });
    if bars != 2 * TOOLS.len() || empty.is_some() {
        return Err(format!("the bars are {}", seen["bars"]));
    }
    if seen["overflow"] != 0 {
        return Err(format!("{} pixels are beside the window", seen["overflow"]));
    }
    let luminance = |name: &str| {
        let color = seen[name].as_str().and_then(luminance);
        color.ok_or_else(|| format!("{name} is {}", seen[name]))
    };
    let back = luminance("back")?;
    let is_dark = back < 0.5;
    if is_dark != matches!(scheme, Scheme::Dark) {
        return Err(format!("the page is {}", seen["back"]));
    }
    // What WCAG 2.2 asks of text (1.4.3) and of graphics (1.4.11).
    for (name, least) in [("text", 4.5), ("soft", 4.5), ("kept", 3.0), ("shown", 3.0)] {
        let color = luminance(name)?;
        let contrast = (back.max(color) + 0.05) / (back.min(color) + 0.05);
        if contrast < least {
            return Err(format!(
                "{name} has a contrast of {contrast:.1}, not {least}"
            ));
        }
    }
    Ok(format!(
        "{bars} bars, nothing beside the window, contrasts as WCAG asks"
    ))
}

/// The page as `artifacts stats` writes it, with a script that measures it.
fn page(folder: &Path) -> Result<std::path::PathBuf, String> {
    let lines = TOOLS.iter().map(|(tool, bytes)| {
        let (tokens, shown) = (bytes / 4, (bytes / 4).min(2_000));
        let line = json!({
            "v": 1, "type": "tool-call", "tool": tool, "bytes-in": bytes, "tokens-in": tokens,
            "bytes-out": shown * 4, "tokens-out": shown, "over": tokens > shown,
        });
        format!("{line}\n")
    });
    let log = lines.collect::<String>();
    let page = folder.join("page.html");
    let run = || {
        std::fs::write(folder.join("run.calls"), log)?;
        let mut command = Command::new(paths::artifacts());
        command.arg("stats").arg(folder.join("run.artifacts"));
        command.arg("--html").arg(&page).output()?;
        let text = std::fs::read_to_string(&page)?;
        std::fs::write(&page, text.replace("</body>", MEASURES))
    };
    run().map_err(|error: std::io::Error| error.to_string())?;
    Ok(page)
}

/// The relative luminance of `rgb(r, g, b)`, as WCAG 2.2 defines it.
fn luminance(color: &str) -> Option<f64> {
    let channels = color.strip_prefix("rgb(")?.strip_suffix(')')?;
    let channel = |text: &str| {
        let share = text.trim().parse::<f64>().ok()? / 255.0;
        Some(match share <= 0.04045 {
            true => share / 12.92,
            false => ((share + 0.055) / 1.055).powf(2.4),
        })
    };
    let mut channels = channels.split(',').map(channel);
    let (red, green, blue) = (channels.next()??, channels.next()??, channels.next()??);
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue)
}

/// Tools with what they returned, in bytes: long names, large and tiny sizes.
const TOOLS: [(&str, u64); 4] = [
    ("read_text_file", 53_783_907),
    ("mcp__github__list_pull_requests_with_reviews", 8_206_192),
    ("query <b>&amp;", 120_000),
    ("ping", 208),
];

const MEASURES: &str = r#"<script>
const style = (query) => getComputedStyle(document.querySelector(query));
const bars = [...document.querySelectorAll("svg rect")].map((bar) => bar.getBoundingClientRect());
const root = document.documentElement;
const seen = {
  bars: bars.map(({ width, height }) => ({ width, height })),
  overflow: Math.max(
    root.scrollWidth - innerWidth,
    ...[...document.querySelectorAll(".wide")].map((box) => box.scrollWidth - box.clientWidth),
  ),
  back: style("body").backgroundColor,
  text: style("body").color,
  soft: style("p").color,
  kept: style("rect.kept").fill,
  shown: style("rect.shown").fill,
};
const pre = document.createElement("pre");
pre.textContent = JSON.stringify(seen);
document.body.append(pre);
</script></body>"#;

const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
