/// Reads the fields of one object of the wire form. A field of another type is a fault.
///
/// An absent field is a fault, except for flags, which are then `false`, and for optional fields. Unknown fields are
/// ignored, so that a newer program can send more.
package struct WireFields {
    private let message: Message
    /// Names the object in faults, such as `the order read`.
    private let owner: String

    package init(_ message: Message, of owner: String) {
        self.message = message
        self.owner = owner
    }

    package func string(_ key: String) throws(WireFault) -> String {
        guard let value = try optionalString(key) else { throw missing(key) }
        return value
    }

    func optionalString(_ key: String) throws(WireFault) -> String? {
        try value(key, "a string") { $0.string(key) }
    }

    func integer(_ key: String) throws(WireFault) -> Int {
        guard let value = try optionalInteger(key) else { throw missing(key) }
        return value
    }

    func optionalInteger(_ key: String) throws(WireFault) -> Int? {
        try value(key, "a whole number") { $0.integer(key) }
    }

    func flag(_ key: String) throws(WireFault) -> Bool {
        try value(key, "true or false") { $0.flag(key) } ?? false
    }

    func strings(_ key: String) throws(WireFault) -> [String] {
        guard let value = try optionalStrings(key) else { throw missing(key) }
        return value
    }

    func optionalStrings(_ key: String) throws(WireFault) -> [String]? {
        try value(key, "a list of strings") { message in
            let strings = message.strings(key)
            return strings.count == message.elementCount(key) ? strings : nil
        }
    }

    /// The fields of each object in a list.
    func objects(_ key: String) throws(WireFault) -> [WireFields] {
        let objects = try value(key, "a list of objects") { message in
            let objects = message.objects(key)
            return objects.count == message.elementCount(key) ? objects : nil
        }
        guard let objects else { throw missing(key) }
        return objects.map { WireFields($0, of: "\(key) of \(owner)") }
    }

    /// A word of an enumeration.
    func word<Word: RawRepresentable<String>>(_ key: String, _ type: Word.Type = Word.self) throws(WireFault) -> Word {
        guard let word = try optionalWord(key, type) else { throw missing(key) }
        return word
    }

    func optionalWord<Word: RawRepresentable<String>>(
        _ key: String, _ type: Word.Type = Word.self
    ) throws(WireFault) -> Word? {
        guard let text = try optionalString(key) else { return nil }
        guard let word = Word(rawValue: text) else { throw WireFault("\(owner) has an unknown \"\(key)\"") }
        return word
    }

    private func value<Value>(
        _ key: String, _ kind: String, _ read: (Message) -> Value?
    ) throws(WireFault) -> Value? {
        guard message.has(key) else { return nil }
        guard let value = read(message) else { throw WireFault("\"\(key)\" of \(owner) is not \(kind)") }
        return value
    }

    private func missing(_ key: String) -> WireFault { WireFault("\(owner) has no \"\(key)\"") }
}
