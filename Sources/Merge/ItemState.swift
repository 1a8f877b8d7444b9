package import Items
package import JSONFormat
internal import Time

/// What is joined: the members of an item.json, the text, and which files the page and the document are. A small file of
/// collections/, tags/ or smart/ has members alone.
package struct ItemState: Sendable {
    /// The members in their order; each key once.
    package var members: [JSON.Member]
    /// The bytes of text.md; `nil` without one.
    package var text: [UInt8]?
    /// The files of the page and the document, sorted by path.
    package var files: [Version.File]

    package init(members: [JSON.Member], text: [UInt8]? = nil, files: [Version.File] = []) {
        self.members = members
        self.text = text
        self.files = files
    }

    /// The base of states that have nothing in common.
    package static let nothing = ItemState(members: [])

    /// `updatedAt` in milliseconds since 1970; 0 without one.
    package var updated: Int64 { members.first { $0.key.utf8.elementsEqual("updatedAt".utf8) }?.value.instant ?? 0 }
}

extension JSON {
    /// The milliseconds since 1970 of a time (FORMAT.md § 5.8); `nil` for anything else.
    ///
    /// A date alone is midnight in UTC here. Devices in different time zones must agree.
    var instant: Int64? {
        guard case .string(let text) = self else { return nil }
        return (Timestamp(text.utf8.count == 10 ? text + "T00:00:00Z" : text))?.milliseconds
    }

    /// The time as a writer writes it; none is later than the last millisecond of the year 9999.
    static func time(_ milliseconds: Int64) -> JSON {
        .string(Timestamp(milliseconds: min(milliseconds, 253_402_300_799_999)).rfc3339)
    }
}
