//! Patterns for paths.

/// Whether `path` matches `pattern`: `*` and `?` stand for anything but `/`, `**` for anything.
/// Takes time in proportion to the product of the lengths, and no more.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let pattern = tokens(pattern);
    let path: Vec<char> = path.chars().collect();
    // Which beginnings of the pattern match what was seen of the path.
    let mut reached = vec![false; pattern.len() + 1];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    skip_stars(&pattern, &mut reached);
    for c in path {
        let mut next = vec![false; reached.len()];
        for (index, token) in pattern.iter().enumerate() {
            if !reached.get(index).copied().unwrap_or_default() {
                continue;
            }
            let to = match token {
                Token::AnyPath => index,
                Token::Any if c != '/' => index,
                Token::One if c != '/' => index + 1,
                Token::Exactly(expected) if *expected == c => index + 1,
                _ => continue,
            };
            if let Some(next) = next.get_mut(to) {
                *next = true;
            }
        }
        skip_stars(&pattern, &mut next);
        reached = next;
    }
    reached.last().copied().unwrap_or_default()
}

enum Token {
    AnyPath,
    Any,
    One,
    Exactly(char),
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        tokens.push(match c {
            '*' if chars.next_if_eq(&'*').is_some() => Token::AnyPath,
            '*' => Token::Any,
            '?' => Token::One,
            c => Token::Exactly(c),
        });
    }
    tokens
}

/// A star also stands for nothing.
fn skip_stars(pattern: &[Token], reached: &mut [bool]) {
    for (index, token) in pattern.iter().enumerate() {
        let is_star = matches!(token, Token::Any | Token::AnyPath);
        if is_star
            && reached.get(index).copied().unwrap_or_default()
            && let Some(next) = reached.get_mut(index + 1)
        {
            *next = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stop_at_a_slash_and_two_do_not() {
        for (pattern, path, is_match) in [
            ("/a/*.txt", "/a/b.txt", true),
            ("/a/*.txt", "/a/b/c.txt", false),
            ("/a/**.txt", "/a/b/c.txt", true),
            ("/a/**", "/a/", true),
            ("/a/?.txt", "/a/é.txt", true),
            ("/a/?.txt", "/a/.txt", false),
            ("*", "/", false),
            ("**", "/a/b", true),
            ("", "", true),
            ("", "a", false),
            ("/a/b", "/a/b", true),
            ("/a/[b]", "/a/b", false),
        ] {
            assert_eq!(matches(pattern, path), is_match, "{pattern} {path}");
        }
    }

    #[test]
    fn a_hostile_pattern_takes_no_longer() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(2_000)));
    }
}
