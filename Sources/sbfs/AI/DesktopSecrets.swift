import StuffBucket

/// The desktop's store of secrets (GNOME Keyring, KWallet, KeePassXC), by libsecret's program `secret-tool`.
///
/// A key goes in by standard input and comes out by standard output, so it is in no process list. An entry has the address
/// that the key is for, so that no other address ever gets it.
struct DesktopSecrets {
    let address: AIBaseURL

    private static let program = "secret-tool"
    private static let outputLimit = 64 << 10

    private var attributes: [String] { ["application", "sbfs", "address", address.text] }

    /// - Returns: `nil` if the store has no key for the address, or cannot be asked.
    func key() throws -> AIKey? {
        guard
            let result = try Program.filter(
                [Self.program, "lookup"] + attributes, errors: .dropped, limit: Self.outputLimit, { _ in }),
            result.status == 0
        else { return nil }
        return AIKey(String(decoding: result.output, as: UTF8.self))
    }

    /// Keeps a key, and replaces the one that is there for the address.
    ///
    /// - Throws: `CommandFailure` if there is no store, it is locked, or it does not give the key back.
    func keep(_ key: AIKey) throws {
        let words = [Self.program, "store", "--label=sbfs: key for \(address)"] + attributes
        try run(words) { write in key.reveal { write($0) } }
        guard let kept = try self.key(), kept.reveal({ kept in key.reveal { $0 == kept } }) else {
            throw failure("it does not give back what it was given")
        }
    }

    /// Removes the key; none there is no error.
    ///
    /// - Throws: `CommandFailure` if the store cannot be asked.
    func forget() throws {
        try run([Self.program, "clear"] + attributes) { _ in }
        if try key() != nil { throw failure("it keeps the key") }
    }

    private func run(_ words: [String], _ feed: (([UInt8]) -> Void) -> Void) throws {
        guard let result = try Program.filter(words, errors: .taken, limit: Self.outputLimit, feed) else {
            throw failure("\(Self.program) is not in PATH (Debian's package libsecret-tools)")
        }
        if result.status == 0 { return }
        var words = String(decoding: result.output.prefix { $0 != 0x0A }.prefix(300), as: UTF8.self)
        if words.hasPrefix(Self.program + ": ") { words.removeFirst(Self.program.utf8.count + 2) }
        // To clear what is not there is a failure without words.
        if words.isEmpty, result.output.isEmpty, result.status == 1 { return }
        throw failure(words.isEmpty ? "\(Self.program) failed (\(result.status))" : words)
    }

    private func failure(_ why: String) -> CommandFailure {
        CommandFailure(.failed, "the desktop's secret store is locked or cannot be used: \(why)")
    }
}
