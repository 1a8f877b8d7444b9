import Exchange
import Glibc
import Items
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@testable import StuffBucket

/// A long call that is cancelled in the middle throws `cancelled`, and leaves whole items and a sound library.
struct CancellationTests {
    private let sample: SampleLibrary
    private var library: Library { sample.library }

    init() throws { sample = try SampleLibrary() }

    /// A monitor that cancels its call once so much is done.
    private static func monitor(at limit: Int) -> Monitor {
        let box = Mutex<Monitor?>(nil)
        let shared = Shared(box: box)
        let monitor = Monitor { done, _ in if done >= limit { shared.box.withLock { $0 }?.cancel() } }
        shared.box.withLock { $0 = monitor }
        return monitor
    }

    private final class Shared: Sendable {
        let box: Mutex<Monitor?>
        init(box: consuming Mutex<Monitor?>) { self.box = box }
    }

    private func expectCancelled(_ body: () throws -> Void) {
        let error = #expect(throws: ItemError.self) { try body() }
        guard case .cancelled? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
    }

    /// Whether `check` has nothing to say and the index holds what the files hold.
    private func expectSound(_ count: Int) throws {
        #expect(try library.check(.data).run().findings.map(\.path) == [])
        #expect(try library.find(ItemRequest(.everything)).count == count)
        #expect(try library.reindex(.verify)?.count == count)
        let staged = sample.scratch.full("library/.sbfs/staging")
        for folder in try sample.scratch.names("library/.sbfs/staging") {
            #expect(try sample.scratch.names("library/.sbfs/staging/" + folder) == [], "\(staged)")
        }
    }

    private func fill(_ count: Int) throws {
        let additions = (0..<count).map { Addition(.text(Array("text \($0)".utf8))) }
        try library.change("fill") { _ = try $0.add(additions) }
    }

    @Test func `an import that is cancelled keeps the items that were written, and can be undone`() throws {
        try library.change("import") { step in
            let monitor = Self.monitor(at: 500)
            let session = try step.importing(ImportOptions(), monitor)
            for number in 0..<4500 {
                var entry = ImportedEntry(at: .line(number + 1))
                entry.url = "https://example.org/\(number)"
                try session.take(.entry(entry))
            }
            expectCancelled { try session.finish() }
        }
        // Items are written in groups of 2,000; the one that was begun is whole.
        try expectSound(2000)
        let step = try #require(try library.history()?.undoable.first)
        #expect(try library.undo([step.number], StepHeader(command: "undo")).changedCount == 2000)
    }

    @Test func `an export that is cancelled writes no more items`() throws {
        try fill(300)
        let rows = try library.find(ItemRequest(.everything)).rows
        var written = 0
        expectCancelled {
            _ = try LibraryExport(library, .ndjson, rows).write(Self.monitor(at: 100)) { _ in written += 1 }
        }
        #expect(written > 0 && written < 300)
        let folder = sample.scratch.full("notes")
        expectCancelled {
            _ = try LibraryExport(library, .markdown, rows).writeFiles(to: folder, Self.monitor(at: 100))
        }
        #expect(try sample.scratch.names("notes").count == written)
        try expectSound(300)
    }

    @Test func `a full export that is cancelled ends, and one that is read so far changes nothing`() throws {
        try fill(300)
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        var bytes: [UInt8] = []
        expectCancelled { _ = try library.writeFullExport(as: .tarZstd, worker, Self.monitor(at: 100)) { bytes += $0 } }
        bytes = []
        _ = try library.writeFullExport(as: .tarZstd, worker) { bytes += $0 }
        let other = try SampleLibrary()
        try other.library.change("unpack") { step in
            expectCancelled { _ = try step.unpackFullExport(ImportInput(bytes), worker, Self.monitor(at: 100)) }
        }
        #expect(try other.library.find(ItemRequest(.everything)).count == 0)
        #expect(try other.library.check().run().findings.map(\.path) == [])
        let staging = try other.scratch.names("library/.sbfs/staging")
        for folder in staging { #expect(try other.scratch.names("library/.sbfs/staging/" + folder) == []) }
        try expectSound(300)
    }

    @Test func `a check that is cancelled ends`() throws {
        try fill(300)
        expectCancelled { _ = try library.check(.data).run(Self.monitor(at: 1)) }
        try expectSound(300)
    }

    @Test(arguments: [Library.Reindexing.full, .changes, .verify])
    func `reindexing that is cancelled leaves the index of before, which takes in what changed later`(
        _ how: Library.Reindexing
    ) throws {
        try fill(600)
        _ = try library.reindex(.full)
        for number in 0..<600 { try sample.put(UInt16(number), "by hand \(number)", modified: 1_900_000_000) }
        expectCancelled { _ = try library.reindex(how, Self.monitor(at: 1)) }
        try expectSound(1200)
    }

    @Test func `changes of many items that are cancelled are a shorter step`() throws {
        try fill(200)
        let items = try library.find(ItemRequest(.everything)).rows.map { try library.item($0) }
        let results = try library.change("tag") { step in
            step.update(
                items.map { stored in
                    var edit = ItemEdit(base: stored.json)
                    edit.addTag("many")
                    return (stored, edit)
                }, Self.monitor(at: 20))
        }
        let changed = results.count { (try? $0.get()) == true }
        let left = results.count { if case .failure(.cancelled) = $0 { true } else { false } }
        #expect(changed >= 20 && left > 0 && changed + left == 200)
        #expect(try library.find(ItemRequest(library.parse("tag:many").query)).count == changed)
        try expectSound(200)
        // Undoing that step, cancelled, is a shorter undo; the rest can be undone again.
        let step = try #require(try library.history()?.undoable.first)
        let report = try library.undo([step.number], StepHeader(command: "undo"), .real, Self.monitor(at: 5))
        #expect(report.changedCount >= 5 && report.leftCount > 0)
        try expectSound(200)
    }

    /// A program that says these lines once it has an order, and then nothing more.
    private func silentWorker(_ lines: [[UInt8]] = []) throws -> CaptureWorker {
        let text = lines.map { "printf '%s\\n' '" + String(decoding: $0, as: UTF8.self).trimmed + "'\n" }.joined()
        try sample.scratch.write("worker", "#!/bin/sh\nread order\n" + text + "exec sleep 600\n")
        try sample.scratch.makeProgram("worker")
        return try CaptureWorker(path: sample.scratch.full("worker"))
    }

    @Test(.timeLimit(.minutes(1))) func `saving a page that is cancelled ends the worker and leaves the item`() throws {
        let id = try library.addLink("https://example.org/")
        let row = try #require(try library.row(of: id))
        let before = try library.itemBytes(of: row)
        let worker = try silentWorker()
        let monitor = Monitor()
        let thread = Canceller.start(monitor)
        defer { pthread_join(thread, nil) }
        try library.change("archive") { step in
            expectCancelled { _ = try step.archive(row, ArchiveOptions(), worker, monitor) }
        }
        #expect(try library.itemBytes(of: row) == before)
        try expectSound(1)
    }

    @Test(.timeLimit(.minutes(1))) func `a check of links that is cancelled keeps what it found`() throws {
        let links = try (0..<3).map { number -> (row: Row, url: String) in
            let url = "https://example.org/\(number)"
            return (try #require(try library.row(of: library.addLink(url))), url)
        }
        let worker = try silentWorker([
            WorkerAnswer<LinkCheckOrder>.progress(LinkCheckOrder.Finding(index: 0, .dead)).line
        ])
        let monitor = Monitor()
        try library.change("check links") { step in
            expectCancelled {
                try step.checkLinks(links, ArchiveOptions(), within: 86_400, worker, monitor) { _, _, _ in
                    monitor.cancel()
                }
            }
        }
        #expect(try links.map { try library.item($0.row).item.linkStatus } == [.dead, nil, nil])
        try expectSound(3)
    }

    @Test func `a call that needs the worker throws an error if there is none`() throws {
        #expect {
            _ = try CaptureWorker(path: nil)
        } throws: { error in
            if case CaptureWorker.Failure.noPath = error { true } else { false }
        }
        let missing = sample.scratch.full("missing")
        #expect {
            _ = try CaptureWorker(path: missing)
        } throws: { error in
            if case CaptureWorker.Failure.notExecutable(path: missing) = error { true } else { false }
        }
    }
}

/// Cancels a monitor from another thread, a moment after it was started.
private enum Canceller {
    static func start(_ monitor: Monitor) -> pthread_t {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                usleep(300_000)
                Unmanaged<Monitor>.fromOpaque(argument).takeRetainedValue().cancel()
                return nil
            }, Unmanaged.passRetained(monitor).toOpaque())
        return thread
    }
}

extension String {
    fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
