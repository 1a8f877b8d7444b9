package import JSONFormat

/// Why a tar or zip file was not read to its end.
package struct PackedFault: Error, WireValue, Hashable {
    package enum Kind: String, Sendable {
        /// Neither a tar nor a zip file.
        case foreign
        /// It ends before it is complete.
        case cut
        /// Its parts contradict each other.
        case damaged
        /// Other bytes follow its end; all before them is whole.
        case more
        /// It unpacks to far more bytes than any library does.
        case bomb
    }

    package let kind: Kind
    /// The offset in the unpacked tar file, or in the zip file.
    package let offset: Int
    /// What libarchive says; not trusted.
    package let detail: String

    package init(_ kind: Kind, offset: Int, _ detail: String) {
        self.kind = kind
        self.offset = offset
        self.detail = detail
    }

    package var json: JSON {
        .members([("kind", .string(kind.rawValue)), ("offset", .integer(offset)), ("detail", .string(detail))])
    }

    package init(_ fields: WireFields) throws(WireFault) {
        kind = try fields.word("kind")
        offset = try fields.integer("offset")
        detail = try fields.string("detail")
    }
}
