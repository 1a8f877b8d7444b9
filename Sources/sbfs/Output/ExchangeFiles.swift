import StuffBucket
import Synchronization

/// The files of items that may be in the exchanges of a library's remotes, and words for where they are.
struct ExchangeFiles {
    let library: Library
    let talk: Talk
    private let remotes: [Remotes.Remote]

    /// Remotes that cannot be read are none: what is here is shown all the same.
    init(_ library: Library, _ talk: Talk) {
        self.library = library
        self.talk = talk
        remotes = (try? Remotes(of: library).list) ?? []
    }

    var folders: [ExchangeFolder] { remotes.map(\.folder) }

    /// The full path of a file of an item: here, or a copy from an exchange. Says what a copy lacks.
    ///
    /// - Returns: `nil` if it is unavailable; then why, as a clause, if an exchange should have it.
    func path(_ file: OpenableFile, of stored: StoredItem) throws -> (path: String?, why: String?) {
        switch try library.resolve(file, of: stored, from: folders, { try WorkerProgram.worker() }) {
        case .here(let path): return (path, nil)
        case .copy(let path, let changed):
            if let changed {
                talk.warn("a program changed an earlier copy of it, which stays: \(Printable.line(changed))")
            }
            return (path, nil)
        case .unavailable(let exchanges):
            let isAway = if case .document = file { stored.isDocumentAway } else { stored.isPageAway }
            return (nil, clause(exchanges) ?? (isAway && remotes.isEmpty ? Self.noRemote : nil))
        case nil: return (nil, nil)
        }
    }

    private static let noRemote =
        "it is in an exchange, and this device names none; name its folder: sbfs remote add NAME DIR"

    /// Why the page or the document of an item that is away cannot be fetched now, as a clause; `nil` if it can.
    func lack(of stored: StoredItem) -> String? {
        if remotes.isEmpty { return "unavailable: " + Self.noRemote }
        return clause(library.unreachable(for: stored, among: folders)).map { "unavailable: " + $0 }
    }

    /// Where a file is that is away and can be fetched, as a clause.
    func place(of stored: StoredItem) -> String { "in an exchange only; \"sbfs open \(stored.id.short)\" fetches it" }

    /// Why a file that is away is not in a full export, as a clause.
    func lack(_ exchanges: [UnreachableExchange]) -> String {
        if remotes.isEmpty { return "it is in an exchange only, and this device names none (sbfs remote add)" }
        return clause(exchanges)
            ?? "it is in an exchange only, which was not asked; \"sbfs keep\" brings it to this device"
    }

    /// Why an exchange cannot give a file, and what to do.
    private func clause(_ exchanges: [UnreachableExchange]) -> String? {
        if exchanges.isEmpty { return nil }
        let causes = exchanges.map { exchange in
            let name = remotes.first { $0.folder.path == exchange.folder.path }?.name ?? "the exchange"
            // What to do is to connect it: the hint of the error is about new exchanges.
            let why = exchange.reason is SyncError ? "\(exchange.reason)" : exchange.reason.wording
            return "\(name): \(Printable.line(why))"
        }
        return "it is in an exchange that cannot give it now (\(causes.joined(separator: "; ")))"
    }
}

/// Whether any exchange of a library can be read; looked up when first asked.
final class ExchangeReach: Sendable {
    private let library: Library
    private let known = Mutex<Bool?>(nil)

    init(_ library: Library) { self.library = library }

    var canRead: Bool {
        known.withLock { known in
            if let known { return known }
            let remotes = (try? Remotes(of: library).list) ?? []
            let canRead = remotes.contains { library.canRead($0.folder) }
            known = canRead
            return canRead
        }
    }

    /// Whether what is away of an item cannot be fetched.
    func isMissing(_ stored: StoredItem) -> Bool {
        (stored.isPageAway || stored.isDocumentAway) && (stored.isAwayLost || !canRead)
    }
}
