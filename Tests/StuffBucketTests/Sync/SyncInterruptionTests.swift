import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// Syncs that leave out what is above a limit, or end too early.
struct SyncInterruptionTests {
    @Test func `what is above the limit is left out and named, and the item comes without it`() throws {
        let fleet = try Fleet(1)
        let settings = try fleet[0].scratch.text("library/library.json")
        try fleet[0].scratch.write("library/library.json", settings.replacingOccurrences(of: "512", with: "50"))
        try fleet[0].reopen()
        let id = try fleet[0].library.change("add") { try $0.addSnippet("Text.") }
        let large = [UInt8](repeating: 0x20, count: 26 << 20)
        for name in ["page.html", "assets/0123456789abcdef.bin"] {
            try fleet[0].scratch.write(fleet[0].path(id, name), large)
        }
        let report = try fleet[0].sync()
        #expect(report.leftOut.map(\.path) == [""] && report.leftOut.first?.byteCount == 52 << 20)
        #expect(try fleet[0].status().leftOut.count == 1)
        let b = try fleet.add()
        #expect(try b.library.store.item(id) != nil && !b.scratch.exists(b.path(id, "page.html")))
        #expect(try b.sync().left.isEmpty)
        // It is named as long as it is left out, and travels once the limit is raised.
        try fleet[0].sync()
        #expect(try fleet[0].status().leftOut.map(\.path) == [""])
        try fleet[0].scratch.write("library/library.json", settings)
        try fleet[0].reopen()
        #expect(try fleet[0].status().itemCount == 1)
        #expect(try fleet[0].sync().sent == [id])
        #expect(try fleet[0].status().leftOut.isEmpty && fleet[0].sync().sent.isEmpty)
        try b.sync()
        #expect(try b.scratch.bytes(b.path(id, "page.html")) == large)
    }

    @Test func `a sync that is cancelled anywhere goes on with the next one`() throws {
        for limit in [1, 3, 10, 30] {
            let (fleet, _) = try Fleet.withItem(["document/a.txt": "A document.", "page.html": "<p>Page"])
            let b = try SyncDevice(from: fleet.path)
            _ = try b.library.change("add") { try $0.addSnippet("Another.") }
            for device in [b, fleet[0]] {
                let counter = Counter(limit)
                let monitor = Monitor { _, _ in counter.count() }
                counter.monitor = monitor
                do {
                    _ = try device.library.sync(
                        with: device.exchange, CaptureWorker(path: BuiltProgram.path("sbfs-worker")),
                        as: StepHeader(command: "sync"), monitor)
                } catch ItemError.cancelled {}
            }
            let all = try Fleet.Pair(fleet, b)
            try all.settle()
        }
    }

    /// Cancels after so many calls.
    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var left: Int
        var monitor: Monitor?
        init(_ limit: Int) { left = limit }
        func count() {
            lock.lock()
            defer { lock.unlock() }
            left -= 1
            if left <= 0 { monitor?.cancel() }
        }
    }
}

extension Fleet {
    /// The first device of a fleet and one that was not added to it.
    struct Pair {
        let a: SyncDevice, b: SyncDevice

        init(_ fleet: Fleet, _ other: SyncDevice) throws {
            a = fleet[0]
            b = other
        }

        func settle() throws {
            for _ in 0..<3 { for device in [a, b] { try device.sync() } }
            let (one, two) = (try a.files(), try b.files())
            #expect(one == two)
        }
    }
}
