/// A value of Apple's property lists, as Safari and others write them: binary (`bplist00`) or XML.
package enum PropertyList: Equatable, Sendable {
    case string(String)
    case data([UInt8])
    case integer(Int)
    case real(Double)
    case bool(Bool)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case array([PropertyList])
    /// In any order; for a repeated key, the last value counts.
    case dictionary([String: PropertyList])

    /// The deepest nesting of arrays and dictionaries.
    package static let depthLimit = 512

    /// Reads a property list of either kind.
    package init(_ bytes: [UInt8]) throws(PropertyListFault) {
        if bytes.starts(with: "bplist".utf8) {
            self = try BinaryPropertyList(bytes).root()
        } else {
            self = try XMLPropertyList.parse(bytes)
        }
    }

    package subscript(_ key: String) -> PropertyList? {
        if case .dictionary(let members) = self { members[key] } else { nil }
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
    package var elements: [PropertyList] { if case .array(let elements) = self { elements } else { [] } }
}
