/// A part of an entry that is imported in another form.
public enum ImportRemark: Sendable, Equatable {
    /// A date in no known form; it is kept as the source spells it, here at most 60 bytes of it.
    case unknownDate(String)
    /// Dates of several passages in no known form; they are kept as the source spells them, here at most 60 bytes of the first.
    case unknownDates(first: String, count: Int)
    /// A field longer than `limit` bytes was cut to it.
    case cutField(ImportedField, byteCount: Int, limit: Int)
    /// Of this number of tags only the first `limit` were taken.
    case tagsLeftOut(count: Int, limit: Int)
    /// The entry's file is not in the export.
    case missingFile
    /// The head of a Markdown file, or its title or tags, is in no form that import can read; it is kept as text.
    case unreadFrontMatter
    /// The entry's text has a fault.
    case text(ImportFault)

    /// A field that may be too long.
    public enum ImportedField: String, Sendable {
        case title, description, author, site, language, tag, collection
    }
}
