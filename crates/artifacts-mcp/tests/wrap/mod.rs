//! The clients' own files, as their manuals show them.

use artifacts_mcp::{ErrorKind, Rewritten, ServerChange, unwrap, wrap};

const CONFIGS: [(&str, &str); 8] = [
    ("claude_code", include_str!("inputs/claude_code.json")),
    ("claude_desktop", include_str!("inputs/claude_desktop.json")),
    ("cursor", include_str!("inputs/cursor.json")),
    ("vscode", include_str!("inputs/vscode.jsonc")),
    (
        "vscode_settings",
        include_str!("inputs/vscode_settings.jsonc"),
    ),
    ("zed", include_str!("inputs/zed.jsonc")),
    ("opencode", include_str!("inputs/opencode.json")),
    ("codex", include_str!("inputs/codex.toml")),
];

fn wrapped(text: &str) -> Rewritten {
    wrap(text, "artifacts", &["--limit".into(), "5000".into()]).unwrap()
}

/// The text with everything taken out of the proxy that these tests did not put there.
fn without_done(text: &str) -> String {
    text.replace(
        "\"/usr/bin/artifacts\", \"args\": [\"mcp\", \"--\", \"other\"]",
        "\"other\", \"args\": []",
    )
}

/// The text with the list that a command without one gets.
fn with_lists(text: &str) -> String {
    let text = text.replace("server.exe\"}", "server.exe\", \"args\": []}");
    text.replace("command = \"serve\"\n", "command = \"serve\"\nargs = []\n")
}

#[test]
fn only_commands_and_arguments_change_in_every_clients_file() {
    for (client, config) in CONFIGS {
        let rewritten = wrapped(config);
        insta::assert_snapshot!(format!("wrapped_{client}"), rewritten.text());
        let servers = rewritten.servers().iter();
        let servers = servers.map(|(name, change)| format!("{name}: {change:?}"));
        let servers = servers.collect::<Vec<_>>().join("\n");
        insta::assert_snapshot!(format!("wrapped_{client}_servers"), servers);
    }
}

#[test]
fn wrapping_twice_changes_nothing_more_and_undoing_gives_the_file_back() {
    for (client, config) in CONFIGS {
        let once = wrapped(config);
        let twice = wrapped(once.text());
        assert!(once.is_changed() && !twice.is_changed(), "{client}");
        assert_eq!(twice.text(), once.text());
        let undone = unwrap(twice.text()).unwrap();
        assert_eq!(undone.text(), with_lists(&without_done(config)), "{client}");
        let again = unwrap(undone.text()).unwrap();
        assert!(!again.is_changed(), "{client}");
    }
}

#[test]
fn wrapping_for_another_client_changes_its_name_and_nothing_else() {
    let host = |host: &str| ["--host".to_owned(), host.to_owned()];
    for (client, config) in CONFIGS {
        let generic = wrap(config, "artifacts", &[]).unwrap();
        let claude = wrap(generic.text(), "artifacts", &host("claude-code")).unwrap();
        let codex = wrap(claude.text(), "artifacts", &host("codex")).unwrap();
        assert_ne!(claude.text(), generic.text(), "{client}");
        let renamed = claude.text().replace("\"claude-code\"", "\"codex\"");
        assert_eq!(codex.text(), renamed, "{client}");
        // The same as at once, but where somebody had wrapped it another way.
        let at_once = wrap(config, "artifacts", &host("codex")).unwrap();
        assert_eq!(codex.text(), at_once.text(), "{client}");
        for flags in [&host("codex")[..], &[]] {
            let again = wrap(codex.text(), "artifacts", flags).unwrap();
            assert!(!again.is_changed() && again.text() == codex.text());
        }
    }
}

#[test]
fn what_the_user_changed_meanwhile_stays() {
    for (client, config) in CONFIGS {
        // Other flags of the proxy's, another path to it, and another server.
        let edit = |text: &str| {
            let text = text
                .replace("5000", "700")
                .replace("\"K\": \"v\"", "\"K\": \"w\"");
            let text = text.replace("\"artifacts\"", "\"/opt/artifacts\"");
            text.replace("example.org", "example.com")
        };
        let undone = unwrap(&edit(wrapped(config).text())).unwrap();
        let expected = edit(&with_lists(&without_done(config)));
        assert_eq!(undone.text(), expected, "{client}");
    }
}

#[test]
fn a_server_that_is_added_later_gets_a_prefix_of_its_own() {
    let list = |servers: &str| format!("{{\"mcpServers\": {{{servers}}}}}");
    let wrapped = wrap(&list(r#""my.a": {"command": "x"}"#), "artifacts", &[]).unwrap();
    let (_, servers) = wrapped.text().split_once("Servers\": {").unwrap();
    let added = list(&format!("\"my a\": {{\"command\": \"y\"}}, {servers}"));
    let added = added.strip_suffix("}}").unwrap();
    let again = wrap(added, "artifacts", &[]).unwrap();
    let prefixes = ["\"my_a2_\", \"--\", \"y\"", "\"my_a_\", \"--\", \"x\""];
    for prefix in prefixes {
        assert!(again.text().contains(prefix), "{}", again.text());
    }
}

#[test]
fn a_proxy_around_a_proxy_is_taken_out_with_it() {
    let text = r#"{"mcpServers": {"a": {"command": "artifacts", "args": ["mcp", "--", "artifacts", "mcp", "--limit", "9", "--", "npx", "a"]}}}"#;
    let undone = unwrap(text).unwrap();
    let own = r#"{"mcpServers": {"a": {"command": "npx", "args": ["a"]}}}"#;
    assert_eq!(undone.text(), own);
    let line = vec!["npx".to_owned(), "a".to_owned()];
    assert_eq!(
        undone.servers(),
        [("a".to_owned(), ServerChange::Command(line))]
    );
}

#[test]
fn a_command_in_toml_is_rewritten_however_its_key_is_spelled() {
    let own = vec!["npx".to_owned()];
    for text in [
        "[mcp_servers]\nfiles.command = \"npx\"\n",
        "mcp_servers.files.command = \"npx\"\n\n[model]\nx = 1\n",
        "[mcp_servers]\n  files . \"command\" = \"npx\" # a, {b}\nother.url = \"u\"\n",
        "[mcp_servers]\r\nfiles.'command' = 'npx'\r\n",
        "[mcp_servers]\nfiles = {command = \"npx\"}\n",
        "mcp_servers = {files = {env = {A = \"1\"}, command = \"npx\"}}\n",
        "[mcp_servers]\nfiles = {\n  env = {},\n  command = \"npx\", # a\n}\n",
        "mcp_servers = {files.command = \"npx\"}\n",
        "[mcp_servers.files]\n# a,\ncommand = \"npx\"",
        "[mcp_servers]\n\"a{b\".command = \"npx\"\n",
    ] {
        let once = wrapped(text);
        let twice = wrapped(once.text());
        assert!(once.is_changed() && !twice.is_changed(), "{}", once.text());
        let undone = unwrap(once.text()).unwrap();
        let change = ServerChange::Command(own.clone());
        assert_eq!(undone.servers()[0].1, change, "{}", once.text());
        let is_mixed = text.contains('\r') && undone.text().replace("\r\n", "").contains('\n');
        assert!(!is_mixed, "{:?}", undone.text());
    }
}

#[test]
fn a_command_that_cannot_be_rewritten_is_refused_by_name() {
    for text in [
        "[mcp_servers]\nfiles.\"comm\\u0061nd\" = \"npx\"\n",
        "mcp_servers = {\"a{b\".command = \"npx\"}\n",
    ] {
        let error = wrap(text, "artifacts", &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Config);
        assert!(error.to_string().contains("by hand"), "{error}");
    }
}

#[test]
fn what_is_no_json_or_toml_is_told_with_its_place() {
    let texts = [
        "{",
        "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\" \"args\": []}\n  }\n}",
        "// mine\n{\"mcpServers\": {}",
        "no JSON",
        "[mcp_servers.a]\ncommand = \"x",
        "a = 1\na = 2\n",
        "[]",
        "",
        "{}",
    ];
    let told =
        texts.map(|text| format!("{text}\n    {}", wrap(text, "artifacts", &[]).unwrap_err()));
    insta::assert_snapshot!("mistakes", told.join("\n"));
}

#[test]
fn anything_else_is_refused() {
    for text in [
        "",
        "[]",
        "{}",
        r#"{"mcpServers": []}"#,
        "// {}",
        "{\"mcpServers\": {}",
        "/* {\"mcpServers\": {}}",
        "model = \"gpt-5\"",
        "mcp_servers = 1",
    ] {
        let error = wrap(text, "artifacts", &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Config, "{text}");
    }
}
