public import Exchange
public import Items
public import Time

/// Why an entry was not taken, or what of it was lost or changed.
public enum ImportReason: Sendable {
    /// The reader found it.
    case fault(ImportFault)
    /// The reader's remark on an entry.
    case remark(ImportRemark)
    /// The item cannot be written.
    case error(ItemError)

    // MARK: Entries that are not taken
    /// It has no URL, and no text.
    case noURL
    /// An entry of a library's own file has neither a link nor a text there.
    case noContent
    case emptyURL
    /// The URL has so many bytes.
    case longURL(byteCount: Int)
    /// A query of Firefox, which is no page.
    case firefoxQuery
    /// The URL's scheme is none of the web.
    case otherScheme(String)
    /// The URL is no valid http or https URL.
    case badURL
    /// Its fields have so many bytes.
    case largeFields(byteCount: Int)
    /// Its fields are nested deeper than so many levels.
    case deepFields(limit: Int)
    /// The item is in the trash of this library.
    case trashed
    /// The item was removed while the import ran.
    case removed
    /// The library has an item with this id that cannot be read.
    case unreadableItem

    // MARK: Parts
    /// The folder's name is not allowed as it is; the collection has another. `here` is `nil` if it is in none.
    case renamedFolder(String, here: String?)
    /// The tag that marks the trash got another spelling.
    case trashTag(String, renamed: String)
    /// The date has not come yet.
    case futureDate(Timestamp)
    /// An earlier entry with the same link has this title, and gave the item its own.
    case otherTitle(here: String)
    /// Other fields differ from those of an earlier entry with the same link: their keys in item.json.
    case otherFields([String], isKept: Bool)
    /// The text differs from that of an earlier entry with the same link, and was not taken.
    case otherText
    /// The item of this exported entry is here and has other values, which stay.
    case otherValues
    /// The text changed at the source, and was not taken.
    case changedText
    /// The links differ, and nothing is known of the last import.
    case otherLink(here: String?, source: String)
    /// The link was changed here and at the source; the one here stays.
    case changedLink(here: String?, source: String)
    /// The title was changed here and at the source; the one here stays.
    case changedTitle(here: String, source: String)
}
