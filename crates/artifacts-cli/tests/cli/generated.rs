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
    let page = folder.run(&["man", "settle"]).ok();
    insta::assert_snapshot!("man_settle", page.report());
    insta::assert_snapshot!(
        "man_unknown",
        folder.run(&["man", "x"]).fails_with(2).report()
    );
}
