use super::bin::Folder;

#[test]
fn completions_for_every_shell() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.run(&["completions", shell]).ok();
        assert!(script.stdout().contains("head-note"), "{shell}");
    }
}

#[test]
fn a_man_page_for_every_command() {
    let folder = Folder::new();
    assert!(
        folder
            .run(&["man"])
            .ok()
            .stdout()
            .contains(".TH artifacts 1")
    );
    let mut pages = vec!["artifacts".to_owned()];
    let mut seen = 0;
    while let Some(name) = pages.get(seen) {
        let page = folder.run(&["man", name]).ok();
        let title = format!(".TH {name} 1");
        assert!(page.stdout().contains(&title), "{name}");
        let named = page.stdout().lines().filter(|line| line.ends_with("(1)"));
        pages.extend(named.map(|line| line.trim_end_matches("(1)").replace("\\-", "-")));
        seen += 1;
    }
    assert!(
        pages.contains(&"artifacts-mcp-wrap".to_owned()),
        "{pages:?}"
    );
    assert_eq!(
        folder.run(&["man", "mcp", "wrap"]).stdout(),
        folder.run(&["man", "artifacts-mcp-wrap"]).stdout()
    );
    let page = folder.run(&["man", "settle"]).ok();
    insta::assert_snapshot!("man_settle", page.report());
    insta::assert_snapshot!(
        "man_unknown",
        folder.run(&["man", "x"]).fails_with(2).report()
    );
}
