internal import Files
internal import Items
internal import WorkerProtocol

/// Compares a file of a full export with the SHA-256 that the export says, or that the file's name says: FORMAT.md § 16.1.
final class ExportedSum {
    /// The digits, or the first of them; `nil` if nothing says them.
    private let digits: String?
    private var hash = SHA256()

    init(_ entry: PackedEntry, _ path: String) { digits = entry.sha256 ?? Self.digits(ofName: path) }

    /// Takes the next bytes of the file.
    func update(_ piece: [UInt8]) { if digits != nil { hash.update(piece) } }

    /// Whether the bytes have another hash. Called once, after the last of them.
    var isOther: Bool {
        digits.map { !hash.finish().hasPrefix($0) } ?? false
    }

    private static func digits(ofName path: String) -> String? {
        let parts = path.pathComponents
        guard parts.count >= 5, parts[0] == Layout.items else { return nil }
        let name = parts[4]
        switch parts[3] {
        case Layout.assets where parts.count == 5 && Layout.isAssetName(name),
            Layout.history where parts.count == 5 && ExchangeLayout.isHistoryName(name):
            let digits = String(name.prefix { $0 != "." }).lowercased()
            // A person's own file may have a name of digits, too.
            return [16, 64].contains(digits.utf8.count) ? digits : nil
        default: return nil
        }
    }
}
