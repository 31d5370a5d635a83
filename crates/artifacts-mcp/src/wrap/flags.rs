//! The flags of a command line that goes through the proxy already.

use super::Change;

/// Where in such a line the flags begin: after the program and its subcommand.
pub(super) const FIRST: usize = 2;

/// What gives the outermost proxy of `line` the flags that it has not; `None` if it has them all.
pub(super) fn given(line: &[String], flags: &[String]) -> Option<Change> {
    let end = line.iter().position(|word| word == "--")?;
    let has = line.get(FIRST..end)?;
    let (mut changed, mut missing) = (Vec::new(), Vec::new());
    let mut rest = flags;
    while let [flag, after @ ..] = rest {
        let value = after.first().filter(|word| !word.starts_with("--"));
        rest = after
            .get(usize::from(value.is_some())..)
            .unwrap_or_default();
        let joined = value.map(|value| (format!("{flag}="), value));
        let is_it = |word: &String| {
            let is_joined = joined
                .as_ref()
                .is_some_and(|(start, _)| word.starts_with(start));
            word == flag || is_joined
        };
        match (has.iter().position(is_it), value) {
            (None, value) => {
                missing.push(flag.clone());
                missing.extend(value.cloned());
            }
            (Some(_), None) => {}
            (Some(at), Some(value)) => {
                let (at, becomes) = match has.get(at) == Some(flag) {
                    true => (at + 1, value.clone()),
                    false => (at, format!("{flag}={value}")),
                };
                if has.get(at).is_some_and(|word| *word != becomes) {
                    changed.push((FIRST + at, becomes));
                }
            }
        }
    }
    let is_same = changed.is_empty() && missing.is_empty();
    (!is_same).then_some(Change::Words(changed, missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(line: &str, flags: &str, changed: &[(usize, &str)], missing: &str) {
        let (told, others) = match given(&words(line), &words(flags)) {
            None => (Vec::new(), Vec::new()),
            Some(Change::Words(changed, missing)) => (changed, missing),
            Some(_) => panic!("the line is wrapped already"),
        };
        let told = told.iter().map(|(at, word)| (*at, word.as_str()));
        assert_eq!(told.collect::<Vec<_>>(), changed);
        assert_eq!(others, words(missing));
    }

    #[test]
    fn what_differs_is_changed_in_its_place_and_what_is_missing_is_told() {
        let host = "--host codex";
        check("artifacts mcp --host codex -- npx", host, &[], "");
        check("artifacts mcp --host=codex -- npx", host, &[], "");
        check(
            "artifacts mcp --host generic -- npx",
            host,
            &[(3, "codex")],
            "",
        );
        check(
            "artifacts mcp --host=generic -- npx",
            host,
            &[(2, "--host=codex")],
            "",
        );
        check("artifacts mcp -- npx --host other", host, &[], host);
        check(
            "artifacts mcp --limit 5 -- npx",
            "--check --limit 6",
            &[(3, "6")],
            "--check",
        );
        check(
            "artifacts mcp --host x -- artifacts mcp --host y -- z",
            "--host y",
            &[(3, "y")],
            "",
        );
        check("artifacts mcp --host -- npx", host, &[], "");
        check("artifacts mcp --host x -- npx", "", &[], "");
    }
}
