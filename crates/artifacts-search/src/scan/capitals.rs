//! Words with capitals in their midst: `GitHub`, `iPhone`, `PostgreSQL`.

/// Calls `take` with each place in `text` where a part of a word begins with an ASCII capital right
/// behind another part, in order.
///
/// Where there is none, which is nearly everywhere in most texts, many bytes are looked at at once.
pub(super) fn inner(text: &[u8], mut take: impl FnMut(usize)) {
    let mut rest = text;
    let mut base = 0;
    while !rest.is_empty() {
        let (block, behind) = rest.split_at(rest.len().min(BLOCK));
        let next = rest.get(1..).unwrap_or_default();
        let after = rest.get(2..).unwrap_or_default();
        let triples = || {
            let after = after.iter().copied().chain([0]);
            let places = block.iter().zip(next).zip(after);
            places.map(|((before, capital), after)| is_split(*before, *capital, after))
        };
        // Of whole blocks the compiler makes a few wide instructions.
        let is_clear = match (block.first_chunk(), next.first_chunk(), after.first_chunk()) {
            (Some(block), Some(next), Some(after)) => !any(block, next, after),
            _ => false,
        };
        if !is_clear {
            for (at, is_split) in triples().enumerate() {
                if is_split {
                    take(base + at + 1);
                }
            }
        }
        base += block.len();
        rest = behind;
    }
}

fn any(before: &[u8; BLOCK], capital: &[u8; BLOCK], after: &[u8; BLOCK]) -> bool {
    let places = before.iter().zip(capital).zip(after);
    places.fold(false, |any, ((before, capital), after)| {
        any | is_split(*before, *capital, *after)
    })
}

/// As [`Class::splits`](crate::script::Class::splits) has it for ASCII letters.
fn is_split(before: u8, capital: u8, after: u8) -> bool {
    let behind_lower = before.is_ascii_lowercase();
    let before_lower = before.is_ascii_uppercase() & after.is_ascii_lowercase();
    capital.is_ascii_uppercase() & (behind_lower | before_lower)
}

const BLOCK: usize = 64;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::script::Class;

    proptest! {
        #[test]
        fn splits_are_those_of_the_classes(text in "[abAB1_. é]{0,300}") {
            let classes: Vec<(usize, Class)> =
                text.char_indices().map(|(at, c)| (at, Class::of(c))).collect();
            let after = |index: usize| classes.get(index).map_or(Class::End, |(_, class)| *class);
            let expected: Vec<usize> = (1..classes.len())
                .filter(|index| {
                    let ascii = |at: usize| text.as_bytes()[at].is_ascii_alphabetic();
                    let at = classes[*index].0;
                    ascii(classes[index - 1].0)
                        && text.as_bytes()[at].is_ascii_uppercase()
                        && classes[index - 1].1.splits(classes[*index].1, after(index + 1))
                })
                .map(|index| classes[index].0)
                .collect();
            let mut found = Vec::new();
            inner(text.as_bytes(), |at| found.push(at));
            // A letter behind a capital that is not ASCII is not seen here.
            let seen = |at: &usize| text.as_bytes().get(at + 1).is_none_or(u8::is_ascii);
            let expected: Vec<usize> = expected.into_iter().filter(seen).collect();
            found.retain(|at| seen(at));
            prop_assert_eq!(found, expected);
        }
    }
}
