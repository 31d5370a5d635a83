use super::bin::Folder;

#[test]
fn help_of_every_command() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).ok();
    insta::assert_snapshot!("help", help.report());
    for command in commands(help.stdout()) {
        let ran = folder.run(&[&command, "--help"]).ok();
        // What a build has is said there.
        let tells_of_build = matches!(command.as_str(), "expand" | "mcp");
        if tells_of_build && cfg!(feature = "static-embeddings") {
            assert!(!ran.stdout().contains("this build"), "{command}");
            continue;
        }
        insta::assert_snapshot!(format!("help_{command}"), ran.report());
    }
}

#[test]
fn version_names_the_binary() {
    let version = Folder::new().run(&["--version"]).ok();
    assert_eq!(
        version.stdout(),
        concat!("artifacts ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

/// The commands that the help lists.
fn commands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .map(str::to_string)
        .collect()
}
