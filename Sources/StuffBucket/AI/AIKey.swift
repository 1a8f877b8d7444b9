internal import Files

/// A key for a provider. Its text is in no description, so that a message or a log cannot reveal it.
public struct AIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// For the request and the file of the settings alone.
    let text: String

    /// The longest key in bytes.
    private static let byteLimit = 4096

    /// Reads a key, without the white space around it. From then on, no core file of this process is written, and no other
    /// process of the same user can read its memory.
    ///
    /// - Returns: `nil` if it is empty, longer than 4,096 bytes, or has a character that no header field may have.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let first = bytes.firstIndex { $0 > 0x20 } ?? bytes.count
        let end = (bytes.lastIndex { $0 > 0x20 } ?? -1) + 1
        guard first < end, end - first <= Self.byteLimit,
            bytes[first..<end].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        self.text = String(decoding: bytes[first..<end], as: UTF8.self)
        RunningProgram.keepMemoryPrivate()
    }

    /// Passes the text to `body`, for a store of secrets alone.
    public func reveal<Result>(_ body: ([UInt8]) -> Result) -> Result { body(Array(text.utf8)) }

    /// Only that it is a key.
    public var description: String { "(a key)" }
    /// Only that it is a key.
    public var debugDescription: String { description }
    /// Without the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where the key comes from.
public enum AIKeySource: Sendable {
    /// The file of the settings.
    case stored(AIKey)
    /// The first line of what a shell command prints, such as `pass show anthropic`.
    case command(String)
    /// A variable of the environment.
    case environment(String)
    /// The desktop's store of secrets, where the program keeps it under the address.
    case desktop
    /// The server needs none.
    case none
}
