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

    /// The type for a media type as MIME or MCP spell it; parameters are ignored.
    #[must_use]
    pub fn from_media_type(media_type: &str) -> Self {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        match essence {
            "application/json" => Self::Json,
            "image/png" => Self::Png,
            "image/jpeg" => Self::Jpeg,
            text if text.starts_with("text/") => Self::Text,
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
