//! What an artifact's bytes are, as far as its file name tells.

/// The content type of an artifact, which decides its file extension (SPEC 4.3).
///
/// ```
/// use artifacts_core::ContentType;
///
/// assert_eq!(ContentType::Text.extension(), "txt");
/// assert_eq!(ContentType::from_media_type("image/png; q=1"), ContentType::Png);
/// assert_eq!(ContentType::from_media_type("application/x-unheard-of"), ContentType::Binary);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContentType {
    /// Text, the default: `.txt`.
    #[default]
    Text,
    /// JSON: `.json`.
    Json,
    /// A PNG picture: `.png`.
    Png,
    /// A JPEG picture: `.jpg`.
    Jpeg,
    /// Anything else: `.bin`.
    Binary,
}

impl ContentType {
    /// Every type.
    pub const ALL: [Self; 5] = [Self::Text, Self::Json, Self::Png, Self::Jpeg, Self::Binary];

    /// The type for a media type as MIME or MCP spell it, in any case; parameters are ignored.
    ///
    /// JSON and XML are told by the subtypes and suffixes that the WHATWG's MIME Sniffing Standard
    /// lists: `application/json`, `text/json` and `+json`; `application/xml`, `text/xml` and
    /// `+xml`, which are kept as text.
    #[must_use]
    pub fn from_media_type(media_type: &str) -> Self {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        let essence = essence.to_ascii_lowercase();
        let (kind, subtype) = essence.split_once('/').unwrap_or_default();
        match (kind, subtype) {
            ("application" | "text", "json") => Self::Json,
            ("image", "png") => Self::Png,
            ("image", "jpeg") => Self::Jpeg,
            (_, subtype) if subtype.ends_with("+json") => Self::Json,
            (_, subtype) if subtype.ends_with("+xml") => Self::Text,
            ("text", _) | ("application", "xml") => Self::Text,
            _ => Self::Binary,
        }
    }

    /// The media type that names this content.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain",
            Self::Json => "application/json",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Binary => "application/octet-stream",
        }
    }

    /// The file extension, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Json => "json",
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Binary => "bin",
        }
    }

    /// The type whose [`extension`](Self::extension) this is.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|content| content.extension() == extension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(media_types: &[&str], content: ContentType) {
        for media_type in media_types {
            let found = ContentType::from_media_type(media_type);
            assert_eq!(found, content, "{media_type:?}");
        }
    }

    #[test]
    fn every_type_is_found_by_its_own_media_type() {
        for content in ContentType::ALL {
            check(&[content.media_type()], content);
        }
    }

    #[test]
    fn case_parameters_and_suffixes_of_a_structure_make_no_difference() {
        check(
            &[
                "Application/JSON",
                "application/json;charset=utf-8",
                " application/ld+json ; profile=\"a+xml\"",
                "application/problem+JSON",
                "text/json",
            ],
            ContentType::Json,
        );
        check(
            &[
                "TEXT/HTML; charset=UTF-8",
                "application/xml",
                "application/atom+xml",
                "image/svg+xml",
                "text/x-unheard-of",
            ],
            ContentType::Text,
        );
        check(&["IMAGE/PNG", "image/png;q=1"], ContentType::Png);
        check(&["Image/Jpeg"], ContentType::Jpeg);
    }

    #[test]
    fn what_only_looks_like_a_known_type_is_binary() {
        check(
            &[
                "",
                ";",
                "json",
                "text",
                "application/json5",
                "application/jsonxml",
                "audio/json",
            ],
            ContentType::Binary,
        );
    }
}
