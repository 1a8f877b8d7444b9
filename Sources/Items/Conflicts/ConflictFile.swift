internal import Characters
internal import Files
package import JSONFormat

/// Two values of one field that could not be joined: `conflicts/<hash16>.json`, FORMAT.md § 3.5.
package struct ConflictFile: Sendable {
    /// The largest file that is read as a conflict.
    package static let byteLimit = 64 << 20

    /// 16 hexadecimal digits and `.json`.
    package let name: String
    package let bytes: [UInt8]
    /// The key, with `.` between the keys of objects; `text` for a paragraph; `ai`; `annotations.` and an id.
    package let field: String
    /// Null without one.
    package let base: JSON
    /// Two, sorted as in the file. Null stands for an absent key.
    package let values: [JSON]

    /// - Throws: `ConflictFault` if the bytes are no conflict, or do not have the hash that begins the name.
    package init(name: String, bytes: [UInt8]) throws(ConflictFault) {
        guard SHA256.hex(bytes).utf8.prefix(16).elementsEqual(name.utf8.prefix(16)) else { throw .otherHash }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes, limits: .init(byteCount: Self.byteLimit, depth: 66))
        } catch {
            throw .malformed(error)
        }
        guard document.kind(document.root) == .object,
            let field = document.member("field", of: document.root).flatMap({ document.string($0) }), !field.isEmpty
        else { throw .lacks("field") }
        guard let values = document.member("values", of: document.root), document.kind(values) == .array,
            document.elements(values).count == 2
        else { throw .lacks("values") }
        self.name = name
        self.bytes = bytes
        self.field = field
        base = document.member("base", of: document.root).map { document.exactCopy($0) } ?? .null
        self.values = document.elements(values).map { document.exactCopy($0) }
    }

    /// Whether a name is that of a conflict: 16 lower-case hexadecimal digits and `.json`.
    package static func isName(_ name: some Collection<UInt8>) -> Bool {
        name.count == 21 && name.dropFirst(16).elementsEqual(".json".utf8)
            && name.prefix(16).allSatisfy { Hexadecimal.value(of: $0) != nil && !(0x41...0x5A).contains($0) }
    }

    /// The key that tells a conflict whose resolution was undone from the one that versions say is resolved.
    private static let againKey = "again"

    /// The same conflict under another name: the same bytes, and how often its resolution was undone.
    ///
    /// - Returns: the name and the bytes; `nil` if the bytes are no object.
    package static func reopened(_ bytes: [UInt8]) -> (name: String, bytes: [UInt8])? {
        guard let document = try? JSONDocument(parsing: bytes, limits: .init(byteCount: byteLimit, depth: 66)),
            document.kind(document.root) == .object
        else { return nil }
        let spelling = document.member(againKey, of: document.root).map { document.spelling($0) }
        let count = spelling.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
        let others = document.exactMembers(document.root).filter { $0.key != againKey }
        let again = JSON.Member(againKey, .integer(min(max(count, 0), 1_000_000) + 1))
        let new = JSONWriter.file(.object(others + [again]))
        return (SHA256.hex(new).prefix(16) + ".json", new)
    }
}
