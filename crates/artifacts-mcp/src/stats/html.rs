//! The report as one page: no script, nothing loaded from elsewhere.

use super::table::{HEADINGS, percent, row, short, thousands};
use super::{Stats, ToolStats};

pub(super) fn page(stats: &Stats) -> String {
    let total = stats.total();
    let tools = stats.tools();
    let rows = tools.iter().map(|(name, tool)| table_row(name, tool, "tr"));
    let rows = rows.collect::<String>();
    let headings = HEADINGS
        .map(|heading| format!("<th>{heading}</th>"))
        .concat();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Tool results: what was kept out of the conversation</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>Tool results: what was kept out of the conversation</h1>\n\
         <div class=\"figures\">{}{}{}{}</div>\n\
         <h2>Estimated tokens by tool</h2>\n{}\n\
         <p class=\"legend\"><i class=\"shown\"></i> shown to the model \
         <i class=\"kept\"></i> kept out</p>\n\
         <h2>Counts</h2>\n<div class=\"wide\"><table>\n<thead><tr>{headings}</tr></thead>\n\
         <tbody>\n{rows}{}</tbody>\n</table></div>\n\
         <p>{} of {} artifacts were read back, {} times, {} tokens. Tokens are estimates.</p>\n\
         </body>\n</html>\n",
        figure(&thousands(total.calls()), "calls"),
        figure(&thousands(total.over()), "over the limit"),
        figure(&short(total.tokens_saved()), "tokens kept out"),
        figure(&percent(&total), "of all tokens"),
        chart(&tools),
        table_row("total", &total, "total"),
        thousands(total.artifacts_read()),
        thousands(total.artifacts()),
        thousands(total.reads()),
        thousands(stats.read_back().tokens),
    )
}

fn figure(number: &str, what: &str) -> String {
    format!("<div><b>{number}</b><span>{what}</span></div>")
}

/// One bar for each tool: what was shown, and what was kept out.
fn chart(tools: &[(&str, ToolStats)]) -> String {
    let most = tools.iter().map(|(_, tool)| tool.returned().tokens).max();
    let most = most.unwrap_or(0).max(1);
    let width = |tokens: u64| {
        tokens
            .saturating_mul(BAR_WIDTH)
            .div_ceil(most)
            .min(BAR_WIDTH)
    };
    let mut bars = String::new();
    for (index, (name, tool)) in tools.iter().take(MOST_BARS).enumerate() {
        let top = index * BAR_STEP;
        let (all, shown) = (width(tool.returned().tokens), width(tool.shown().tokens));
        bars.push_str(&format!(
            "<text x=\"0\" y=\"{}\">{}</text>\
             <rect class=\"kept\" x=\"{LABEL_WIDTH}\" y=\"{top}\" width=\"{all}\" height=\"18\" rx=\"2\"/>\
             <rect class=\"shown\" x=\"{LABEL_WIDTH}\" y=\"{top}\" width=\"{shown}\" height=\"18\" rx=\"2\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>\n",
            top + 14,
            label(name),
            LABEL_WIDTH + all + 8,
            top + 14,
            short(tool.returned().tokens),
        ));
    }
    let height = tools.len().clamp(1, MOST_BARS) * BAR_STEP;
    format!(
        "<div class=\"wide\"><svg role=\"img\" aria-label=\"Estimated tokens by tool\" \
         viewBox=\"0 0 800 {height}\">\n{bars}</svg></div>"
    )
}

/// The name as it fits before its bar, and whole for whoever points at it.
fn label(name: &str) -> String {
    match name.chars().count() {
        0..=LONGEST_LABEL => escaped(name),
        _ => {
            let start = name.chars().take(LONGEST_LABEL - 1).collect::<String>();
            format!("<title>{}</title>{}…", escaped(name), escaped(&start))
        }
    }
}

fn table_row(name: &str, tool: &ToolStats, class: &str) -> String {
    let cells = row(name, tool).map(|cell| format!("<td>{}</td>", escaped(&cell)));
    format!("<tr class=\"{class}\">{}</tr>\n", cells.concat())
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

const LABEL_WIDTH: u64 = 220;
const LONGEST_LABEL: usize = 28;
const BAR_WIDTH: u64 = 500;
const BAR_STEP: usize = 26;
const MOST_BARS: usize = 30;

const STYLE: &str = "
:root { color-scheme: light dark; --text: #1c2330; --soft: #5b6472; --back: #ffffff; --line: #d9dee6;
  --kept: #7892bf; --shown: #1d4f9f; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ef; --soft: #9aa4b2; --back: #14181f; --line: #313946;
    --kept: #566f9a; --shown: #a4c8ff; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
.figures { display: flex; flex-wrap: wrap; gap: 2rem; }
.figures b { display: block; font-size: 1.8rem; font-variant-numeric: tabular-nums; }
.figures span, .legend, p { color: var(--soft); }
.wide { overflow-x: auto; }
svg { width: 100%; min-width: 36rem; max-width: 800px; height: auto; }
svg text { fill: var(--text); font-size: 13px; }
rect.kept { fill: var(--kept); } rect.shown { fill: var(--shown); }
.legend i { display: inline-block; width: 0.8rem; height: 0.8rem; border-radius: 2px; }
.legend i + i { margin-left: 1rem; }
i.kept { background: var(--kept); } i.shown { background: var(--shown); }
table { border-collapse: collapse; width: 100%; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 0.3rem 0.5rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td:first-child { min-width: 9rem; overflow-wrap: anywhere; white-space: normal; }
tr.total td { font-weight: 600; }
";
