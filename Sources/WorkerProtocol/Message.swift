package import JSONFormat

/// One line between a program and its worker: a JSON object in UTF-8, ended by a newline.
///
/// The program writes orders (`WorkOrder`); the worker answers each with lines of `WorkerAnswer`. Processes of one
/// worker use the same form among themselves. A missing value, or one of another type, reads here as `nil`, `false`
/// or empty; `WireFields` reports such faults.
package struct Message: Sendable {
    private let document: JSONDocument
    private let object: JSONDocument.Value

    /// - Returns: `nil` for anything but one JSON object.
    package init?(_ line: [UInt8]) {
        guard let document = try? JSONDocument(parsing: line), document.kind(document.root) == .object else {
            return nil
        }
        self.document = document
        object = document.root
    }

    private init(_ document: JSONDocument, _ object: JSONDocument.Value) {
        self.document = document
        self.object = object
    }

    private func value(_ key: String) -> JSONDocument.Value? { document.member(key, of: object) }

    /// An object within the message.
    package func object(_ key: String) -> Message? {
        value(key).flatMap { document.kind($0) == .object ? Message(document, $0) : nil }
    }

    package func string(_ key: String) -> String? { value(key).flatMap { document.string($0) } }
    package func bool(_ key: String) -> Bool { flag(key) ?? false }

    func has(_ key: String) -> Bool { value(key) != nil }

    func flag(_ key: String) -> Bool? {
        switch value(key).map({ document.kind($0) }) {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The number of elements of a list; `nil` for any other value.
    func elementCount(_ key: String) -> Int? {
        value(key).flatMap { document.kind($0) == .array ? document.elements($0).count : nil }
    }

    package func integer(_ key: String) -> Int? {
        value(key).flatMap { document.kind($0) == .number ? $0 : nil }
            .flatMap { Int(String(decoding: document.spelling($0), as: UTF8.self)) }
    }

    package func strings(_ key: String) -> [String] {
        guard let list = value(key), document.kind(list) == .array else { return [] }
        return document.elements(list).compactMap { document.string($0) }
    }

    package func objects(_ key: String) -> [Message] {
        guard let list = value(key), document.kind(list) == .array else { return [] }
        return document.elements(list).filter { document.kind($0) == .object }.map { Message(document, $0) }
    }

    /// A value as one line.
    package static func line(_ json: JSON) -> [UInt8] {
        var writer = JSONWriter(.oneLine)
        writer.write(json)
        return writer.bytes + [0x0A]
    }
}
