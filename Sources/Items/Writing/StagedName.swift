internal import Files

/// The name of a staged file: its future file, the hash of its bytes, and the hash of the bytes that it replaces.
///
/// `<owner>.<file>.<hash16 of the new bytes>.<hash16 of the replaced bytes>`, with "none" for no bytes. After a swap
/// the file holds the displaced bytes, so a later process can tell from the hashes what it found.
struct StagedName: Equatable {
    let owner: SwapTarget.Owner
    let file: String
    let new: String
    let base: String

    /// - Parameters:
    ///   - new: `nil` to remove the file.
    ///   - base: `nil` where there is no file.
    init(_ owner: SwapTarget.Owner, file: String, new: [UInt8]?, base: [UInt8]?) {
        self.owner = owner
        self.file = file
        self.new = new.map(Self.hash) ?? Self.nothing
        self.base = base.map(Self.hash) ?? Self.nothing
    }

    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, let owner = SwapTarget.Owner(parts[0]) else { return nil }
        self.owner = owner
        file = parts[1..<parts.count - 2].joined(separator: ".")
        new = parts[parts.count - 2]
        base = parts[parts.count - 1]
        if file.isEmpty || file.contains("/") { return nil }
    }

    static let nothing = "none"

    var name: String { "\(owner.word).\(file).\(new).\(base)" }

    static func hash(_ bytes: [UInt8]) -> String { String(SHA256.hex(bytes).prefix(16)) }
}
