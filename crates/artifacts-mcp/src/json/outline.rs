//! Where things are in a text, to be found there again without looking.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::{Element, Inside, Members, Name, raw, text_of};

/// What [`Members`] are without their text, so that another thread that has it has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outline {
    bytes: usize,
    members: Vec<Member>,
    list: Option<(&'static str, Vec<Place>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Member {
    name: Range<usize>,
    value: Range<usize>,
}

/// An element, and its members if it is an object.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    element: Range<usize>,
    members: Option<Vec<Member>>,
}

impl Outline {
    /// Of members that were read out of `text`, all as they came.
    pub(crate) fn of(members: &Members<'_>, text: &str) -> Option<Self> {
        let list = match members.inside.as_deref() {
            Some(Inside::List(name, elements)) => {
                let places = elements.iter().map(|element| {
                    let members = element.members.as_ref();
                    Some(Place {
                        element: place(element.raw.get(), text)?,
                        members: match members {
                            Some(members) => Some(places(members, text)?),
                            None => None,
                        },
                    })
                });
                Some((*name, places.collect::<Option<_>>()?))
            }
            _ => None,
        };
        Some(Self {
            bytes: text.len(),
            members: places(members, text)?,
            list,
        })
    }

    /// The members in the text that they were read out of. `None` if it can't be that one.
    pub(crate) fn members<'a>(&self, text: &'a str) -> Option<Members<'a>> {
        if text.len() != self.bytes {
            return None;
        }
        let mut members = found(&self.members, text)?;
        if let Some((name, places)) = &self.list {
            let elements = places.iter().map(|place| {
                Some(Element {
                    raw: raw::borrowed(text.get(place.element.clone())?)?,
                    members: match &place.members {
                        Some(members) => Some(found(members, text)?),
                        None => None,
                    },
                })
            });
            let elements = elements.collect::<Option<_>>()?;
            members.inside = Some(Rc::new(Inside::List(name, elements)));
        }
        Some(members)
    }
}

fn places(members: &Members<'_>, text: &str) -> Option<Vec<Member>> {
    let members = members.members.iter().map(|(name, value)| {
        Some(Member {
            name: place(name.spelling?.get(), text)?,
            value: place(value.get(), text)?,
        })
    });
    members.collect()
}

fn found<'a>(places: &[Member], text: &'a str) -> Option<Members<'a>> {
    let members = places.iter().map(|member| {
        let spelling = raw::borrowed(text.get(member.name.clone())?)?;
        let name = Name {
            text: text_of(spelling).unwrap_or_default(),
            spelling: Some(spelling),
        };
        let value = raw::borrowed(text.get(member.value.clone())?)?;
        Some((name, Cow::Borrowed(value)))
    });
    Some(Members {
        members: members.collect::<Option<_>>()?,
        inside: None,
    })
}

/// Where in `text` the part of it is.
pub(super) fn place(part: &str, text: &str) -> Option<Range<usize>> {
    let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    let place = start..start.checked_add(part.len())?;
    let is_there = std::ptr::eq(text.get(place.clone())?, part);
    is_there.then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::string;

    const PATH: &[&str] = &["content"];

    #[test]
    fn members_are_found_again_in_their_text() {
        let text = r#"{ "a\n":1, "content":[{"type" : "text","text":"x"}, 2, {}],"a\n":[] }"#;
        let members = Members::parse_into(text, PATH).unwrap();
        let outline = Outline::of(&members, text).unwrap();
        let again = outline.members(text).unwrap();
        assert_eq!(format!("{again:?}"), format!("{members:?}"));
        assert!(outline.members("{}").is_none());
    }

    #[test]
    fn what_is_not_in_the_text_has_no_place_there() {
        let text = r#"{"a":1}"#;
        let mut members = Members::parse_into(text, PATH).unwrap();
        assert!(Outline::of(&members, r#"{"a":2}"#).is_none());
        members.set("a", string("new"));
        assert!(Outline::of(&members, text).is_none());
    }
}
