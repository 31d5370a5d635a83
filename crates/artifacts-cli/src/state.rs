//! What is kept for the user, outside of any run.

use std::path::PathBuf;

use crate::failure::Failure;

/// `$XDG_STATE_HOME/artifacts`, or the same below the home directory; made if it isn't there.
pub(crate) fn state_folder() -> Result<PathBuf, Failure> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = set("XDG_STATE_HOME").map(PathBuf::from).or_else(|| {
        let home = set("HOME").or_else(|| set("USERPROFILE"))?;
        Some(PathBuf::from(home).join(".local/state"))
    });
    let Some(base) = base else {
        return Err(Failure::input(
            "no home directory: set HOME, or say where with --dir",
        ));
    };
    let folder = base.join("artifacts");
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    // A folder that can't be made means results that are not stored, and no failed call.
    let _ = builder.create(&folder);
    Ok(folder)
}
