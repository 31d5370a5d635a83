use super::bin::Folder;

const CONFIG: &str = r#"{
  "theme": "dark",
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "server-files", "."], "env": {"A": "1"}},
    "web": {"url": "https://example.com/mcp"}
  }
}
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("config.json", CONFIG);
    folder
}

#[test]
fn without_apply_it_says_what_would_change() {
    let folder = folder();
    let ran = folder.run(&["mcp", "wrap", "config.json"]).ok();
    insta::assert_snapshot!("wrap_dry", ran.report());
    assert_eq!(folder.text("config.json"), CONFIG);
    assert_eq!(folder.files(), ["config.json"]);
}

#[test]
fn applied_it_keeps_a_copy_and_undone_it_is_what_it_was() {
    let folder = folder();
    let wrap = |more: &[&str]| folder.run(&[&["mcp", "wrap", "config.json"], more].concat());
    let ran = wrap(&["--host", "codex", "--apply"]).ok();
    insta::assert_snapshot!("wrap_applied", ran.report());
    insta::assert_snapshot!("wrap_config", folder.text("config.json"));
    assert_eq!(folder.text("config.json.backup-1"), CONFIG);

    // Nothing is wrapped twice, and no copy overwrites another.
    let wrapped = folder.text("config.json");
    insta::assert_snapshot!("wrap_again", wrap(&["--apply"]).ok().report());
    assert_eq!(folder.files(), ["config.json", "config.json.backup-1"]);

    // For another client it changes what is written of the client.
    let ran = wrap(&["--host", "claude-code"]).ok();
    insta::assert_snapshot!("wrap_for_another", ran.report());
    assert_eq!(folder.text("config.json"), wrapped);

    wrap(&["--undo"]).ok();
    assert_eq!(folder.text("config.json"), wrapped);
    insta::assert_snapshot!("wrap_undone", wrap(&["--undo", "--apply"]).ok().report());
    assert_eq!(folder.text("config.json"), CONFIG);
    assert_eq!(folder.text("config.json.backup-2"), wrapped);
    let again = wrap(&["--undo", "--apply"]).ok();
    insta::assert_snapshot!("wrap_nothing_to_undo", again.report());
}

#[test]
fn the_files_of_other_clients_keep_their_comments_and_come_back_as_they_were() {
    let vscode =
        "// mine\n{\"servers\": {\"a\": {\"command\": \"x\", \"args\": [\"1\", /* 2 */],},},}\n";
    let codex = "# mine\n[mcp_servers.a]\ncommand = \"x\" # it\nargs = [\"1\"]\n";
    for (name, config) in [("mcp.json", vscode), ("config.toml", codex)] {
        let folder = Folder::new();
        folder.put(name, config);
        folder.run(&["mcp", "wrap", name, "--apply"]).ok();
        let wrapped = folder.text(name);
        assert!(wrapped.contains("\"--\", \"x\", \"1\"") && wrapped.contains(" mine\n"));
        folder.run(&["mcp", "wrap", name, "--undo", "--apply"]).ok();
        assert_eq!(folder.text(name), config);
    }
}

#[test]
fn what_is_no_configuration_is_refused_and_left_as_it_is() {
    let folder = folder();
    folder.put("list.json", "[]");
    folder.put("text.json", "no JSON");
    folder.put("torn.json", "{\n  \"mcpServers\": {");
    for (name, file) in [
        ("wrap_list", "list.json"),
        ("wrap_text", "text.json"),
        ("wrap_torn", "torn.json"),
    ] {
        let ran = folder.run(&["mcp", "wrap", file, "--apply"]).fails_with(2);
        insta::assert_snapshot!(name, ran.report());
    }
    let ran = folder.run(&["mcp", "wrap", "none.json"]).fails_with(3);
    insta::assert_snapshot!("wrap_none", ran.report());
    assert_eq!(
        folder.files(),
        ["config.json", "list.json", "text.json", "torn.json"]
    );
}

#[cfg(unix)]
#[test]
fn the_file_is_replaced_as_a_whole_and_keeps_its_mode_and_its_link() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let folder = folder();
    let real = folder.path("config.json");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&real, folder.path("link.json")).unwrap();
    let before = std::fs::metadata(&real).unwrap();
    folder.run(&["mcp", "wrap", "link.json", "--apply"]).ok();
    let after = std::fs::metadata(&real).unwrap();
    assert_ne!(before.ino(), after.ino());
    assert_eq!(after.mode() & 0o777, 0o600);
    assert!(folder.path("link.json").is_symlink());
    assert!(folder.text("config.json").contains("--tools-prefix"));
    assert!(folder.files().iter().all(|name| !name.contains(".new-")));
}
