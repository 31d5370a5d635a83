//! JSON that is edited one level at a time, so that what isn't touched keeps its bytes.

mod outline;
mod raw;
mod scan;
mod string;
#[cfg(test)]
mod tests;
mod text;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use serde_json::value::RawValue;

use self::scan::Scan;

pub(crate) use self::outline::Outline;
pub(crate) use self::text::text_of;

/// The members of one JSON object, in order, each value as the bytes it came in.
///
/// Of a repeated name the last counts, as in every JSON parser of the MCP clients.
#[derive(Debug, Clone, Default)]
pub(crate) struct Members<'a> {
    members: Vec<(Name<'a>, Cow<'a, RawValue>)>,
    inside: Option<Rc<Inside<'a>>>,
}

/// What is in one of the members, found in the same pass.
#[derive(Debug)]
enum Inside<'a> {
    Object(&'static str, Members<'a>),
    List(&'static str, Vec<Element<'a>>),
}

impl<'a> Inside<'a> {
    /// Takes the value; what is in it, if it is what the path goes on into.
    fn take(
        scan: &mut Scan<'a>,
        name: &'static str,
        path: &'static [&'static str],
    ) -> Option<Option<Self>> {
        Some(match scan.next()? {
            b'[' if path.is_empty() => {
                let elements = take_elements(scan, MOST_ELEMENTS)?;
                elements.map(|elements| Self::List(name, elements))
            }
            b'{' if !path.is_empty() => Some(Self::Object(name, Members::take(scan, path)?)),
            _ => {
                scan.value()?;
                None
            }
        })
    }

    fn name(&self) -> &'static str {
        let (Self::Object(name, _) | Self::List(name, _)) = self;
        name
    }
}

/// An element of an array.
#[derive(Debug, Clone)]
pub(crate) struct Element<'a> {
    /// As it came.
    pub(crate) raw: &'a RawValue,
    /// If it is an object.
    pub(crate) members: Option<Members<'a>>,
}

/// The name of a member, and how it was spelled if it came so.
#[derive(Debug, Clone)]
struct Name<'a> {
    text: Cow<'a, str>,
    spelling: Option<&'a RawValue>,
}

impl PartialEq<str> for Name<'_> {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl<'a> Members<'a> {
    /// The members of `text`; `None` if it is anything but one JSON object.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        Self::parse_into(text, &[])
    }

    /// As [`parse`](Self::parse), with what is [inside](Self::inside) the member of the first name,
    /// inside that of the next, and so on, and the [elements](Self::list) of the last, so that the
    /// text is not gone over again.
    pub(crate) fn parse_into(text: &'a str, path: &'static [&'static str]) -> Option<Self> {
        let mut scan = Scan::of(text);
        let members = Self::take(&mut scan, path)?;
        scan.end()?;
        Some(members)
    }

    fn take(scan: &mut Scan<'a>, path: &'static [&'static str]) -> Option<Self> {
        let mut all = Self::default();
        scan.object(|name, scan| {
            // A name as it is spelled: it may hold a lone surrogate.
            let spelling = raw::borrowed(name)?;
            let name = Name {
                text: text_of(spelling).unwrap_or_default(),
                spelling: Some(spelling),
            };
            let value = match path.split_first().filter(|(first, _)| name == ***first) {
                Some((first, rest)) => {
                    // Of a repeated name the last counts.
                    all.inside = None;
                    scan.taken(|scan| {
                        all.inside = Inside::take(scan, first, rest)?.map(Rc::new);
                        Some(())
                    })
                }
                None => scan.value(),
            };
            let value = raw::borrowed(value?)?;
            all.members.push((name, Cow::Borrowed(value)));
            Some(())
        })?;
        Some(all)
    }

    /// The members of an object inside another.
    pub(crate) fn of(value: &'a RawValue) -> Option<Self> {
        Self::parse(value.get())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&RawValue> {
        let (_, value) = self.members.iter().rfind(|(key, _)| *key == *name)?;
        Some(value)
    }

    /// The member as it came, for as long as the text it came in.
    pub(crate) fn carried(&self, name: &str) -> Option<&'a RawValue> {
        match self.members.iter().rfind(|(key, _)| *key == *name)? {
            (_, Cow::Borrowed(value)) => Some(value),
            (_, Cow::Owned(_)) => None,
        }
    }

    /// Where in `text`, which it was parsed from, the value of a member is.
    pub(crate) fn place(&self, name: &str, text: &'a str) -> Option<Range<usize>> {
        outline::place(self.carried(name)?.get(), text)
    }

    /// Every member that is as it came, for as long as the text it came in.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.members.iter().filter_map(|(name, value)| match value {
            Cow::Borrowed(value) => Some((name.text.as_ref(), *value)),
            Cow::Owned(_) => None,
        })
    }

    /// The members of a member that is an object and was found in the same pass.
    pub(crate) fn inside(&self, name: &str) -> Option<&Self> {
        match self.inside.as_deref() {
            Some(Inside::Object(found, members)) if *found == name => Some(members),
            _ => None,
        }
    }

    /// The elements of a member that is an array; `None` if it is none.
    pub(crate) fn list(&self, name: &str) -> Option<Cow<'_, [Element<'_>]>> {
        match self.inside.as_deref() {
            Some(Inside::List(found, elements)) if *found == name => Some(elements.into()),
            _ => {
                let list = self.get(name)?.get();
                take_elements(&mut Scan::of(list), usize::MAX)?.map(Cow::Owned)
            }
        }
    }

    /// The member, decoded, if it is a string.
    pub(crate) fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        text_of(self.get(name)?)
    }

    /// Replaces the member, in its place, or adds it at the end.
    pub(crate) fn set(&mut self, name: &'static str, value: Box<RawValue>) {
        self.inside.take_if(|inside| inside.name() == name);
        match self.members.iter_mut().rfind(|(key, _)| *key == *name) {
            Some(member) => member.1 = Cow::Owned(value),
            None => {
                let name = Name {
                    text: Cow::Borrowed(name),
                    spelling: None,
                };
                self.members.push((name, Cow::Owned(value)));
            }
        }
    }

    /// Removes the member; whether there was one.
    pub(crate) fn remove(&mut self, name: &str) -> bool {
        self.inside.take_if(|inside| inside.name() == name);
        let before = self.members.len();
        self.members.retain(|(key, _)| *key != *name);
        self.members.len() < before
    }

    /// The object as JSON.
    pub(crate) fn to_raw(&self) -> Box<RawValue> {
        let mut out = String::from("{");
        for (name, value) in &self.members {
            if out.len() > 1 {
                out.push(',');
            }
            match name.spelling {
                Some(spelling) => out.push_str(spelling.get()),
                None => out.push_str(string(&name.text).get()),
            }
            out.push(':');
            out.push_str(value.get());
        }
        out.push('}');
        raw(out)
    }
}

/// The text of a line; what is no UTF-8 in it becomes U+FFFD.
pub(crate) fn text_of_line(line: &[u8]) -> Cow<'_, str> {
    // Checking the whole is many times as fast as looking for the first fault.
    match simdutf8::basic::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(line),
    }
}

/// The text of a part of a line; `None` if it is no UTF-8.
pub(crate) fn text_of_part(part: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(part).ok()
}

/// The elements of an array, each as the bytes it came in; `None` if it is no array.
pub(crate) fn items(value: &RawValue) -> Option<Vec<&RawValue>> {
    items_of(value.get())
}

/// As [`items`], of a whole text.
pub(crate) fn items_of(text: &str) -> Option<Vec<&RawValue>> {
    let mut items = Vec::new();
    let mut scan = Scan::of(text);
    scan.array(|scan| {
        items.push(raw::borrowed(scan.value()?)?);
        Some(())
    })?;
    scan.end()?;
    Some(items)
}

/// The elements of an array of objects; `None` if it is anything else.
pub(crate) fn objects(value: &RawValue) -> Option<Vec<Members<'_>>> {
    let mut objects = Vec::new();
    Scan::of(value.get()).array(|scan| {
        objects.push(Members::take(scan, &[])?);
        Some(())
    })?;
    Some(objects)
}

/// Takes an array: its elements, unless there are more than `most`.
fn take_elements<'a>(scan: &mut Scan<'a>, most: usize) -> Option<Option<Vec<Element<'a>>>> {
    let mut elements = Some(Vec::new());
    scan.array(|scan| {
        let mut members = None;
        let raw = match scan.next()? {
            b'{' if elements.is_some() => scan.taken(|scan| {
                members = Some(Members::take(scan, &[])?);
                Some(())
            }),
            _ => scan.value(),
        };
        let raw = raw::borrowed(raw?)?;
        elements.take_if(|elements| elements.len() == most);
        if let Some(elements) = &mut elements {
            elements.push(Element { raw, members });
        }
        Some(())
    })?;
    Some(elements)
}

/// More are not kept beside the text of a message: they are found again when they are asked for.
const MOST_ELEMENTS: usize = 1_024;

/// The array of these elements.
pub(crate) fn array<'a>(items: impl IntoIterator<Item = &'a RawValue>) -> Box<RawValue> {
    let mut out = String::from("[");
    for item in items {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(item.get());
    }
    out.push(']');
    raw(out)
}

/// A string as JSON.
pub(crate) fn string(text: &str) -> Box<RawValue> {
    raw(serde_json::Value::from(text).to_string())
}

/// A value as JSON.
pub(crate) fn value(value: &serde_json::Value) -> Box<RawValue> {
    raw(value.to_string())
}

fn raw(json: String) -> Box<RawValue> {
    // Every caller puts it together from whole JSON values.
    RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
