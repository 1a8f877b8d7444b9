import Files
import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// A library with files in its inbox, and a clock of its own, so that no test waits.
final class InboxSample {
    let sample: SampleLibrary
    /// How far the inbox's clock is ahead of the machine's, in milliseconds: files have settled after 2 s.
    var ahead: Int64 = 10_000
    var worker: CaptureWorker?

    init() throws { sample = try SampleLibrary() }

    var library: Library { sample.library }
    var scratch: ScratchDirectory { sample.scratch }

    func drop(_ name: String, _ text: String) throws { try drop(name, Array(text.utf8)) }
    func drop(_ name: String, _ bytes: [UInt8]) throws { try scratch.write("library/inbox/" + name, bytes) }

    /// What is in a folder of the inbox.
    func names(_ folder: String = "") throws -> [String] {
        try scratch.names("library/inbox" + (folder.isEmpty ? "" : "/" + folder)).filter { $0 != "rejected" }
    }

    var options: InboxOptions {
        var options = InboxOptions()
        let ahead = ahead
        options.clock = { Timestamp(milliseconds: Timestamp.now.milliseconds + ahead) }
        return options
    }

    @discardableResult
    func take(limit: Int? = nil) throws -> InboxReport {
        var options = options
        options.limit = limit
        return try library.takeInbox(using: worker, options)
    }

    func waiting() throws -> [String: InboxFile.State] {
        Dictionary(uniqueKeysWithValues: try library.inbox(options, using: worker).map { ($0.path, $0.state) })
    }

    /// All items, also those in the trash.
    func items() throws -> [StoredItem] {
        var request = ItemRequest(library.parse("trashcan OR not trashcan").query, order: .title)
        request.isFresh = true
        return try library.find(request).rows.map(library.item)
    }

    /// The only item.
    func item() throws -> StoredItem {
        let items = try items()
        try #require(items.count == 1, "\(items.map { library.displayTitle(of: $0) })")
        return items[0]
    }

    func text(_ stored: StoredItem) throws -> String? {
        try library.text(of: stored).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension InboxReport {
    /// `added a.txt`, in order.
    var lines: [String] { entries.map { "\($0.outcome.word) \($0.path)" } }
}

extension InboxReport.Outcome {
    var word: String {
        switch self {
        case .added: "added"
        case .joined: "joined"
        case .known: "known"
        case .rejected: "rejected"
        case .failed: "failed"
        }
    }

    var reason: InboxRejection? { if case .rejected(let reason, _) = self { reason } else { nil } }
}
