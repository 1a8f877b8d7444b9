import Foundation
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A sync whose worker ends while it reads an object.
struct SyncWorkerTests {
    /// A worker that ends after so many bytes of what it unpacks: its first process alone, or each.
    private func dyingWorker(
        in scratch: borrowing ScratchDirectory, after byteCount: Int, isOnce: Bool
    ) throws -> CaptureWorker {
        let first = scratch.full("first"), worker = BuiltProgram.path("sbfs-worker")
        try scratch.write("first", "")
        try scratch.write(
            "worker",
            """
            #!/bin/sh
            if [ "$1" = unbundle ] && [ -e '\(first)' ]; then
                \(isOnce ? "rm '\(first)'" : "")
                dd bs=1 count=\(byteCount) 2>/dev/null | '\(worker)' "$@"
            else
                exec '\(worker)' "$@"
            fi

            """)
        try scratch.makeProgram("worker")
        return try CaptureWorker(path: scratch.full("worker"))
    }

    /// Several kilobytes, also when packed.
    private func page(_ id: ItemID) -> String {
        "<p>" + (0..<500).map { ContentHash(of: Array("\(id) \($0)".utf8)).hex }.joined(separator: " ")
    }

    @Test(arguments: [false, true]) func `a worker that ends while it reads an object ends no sync`(
        _ isOnce: Bool
    ) throws {
        let fleet = try Fleet(1)
        let a = fleet[0]
        let ids = try (0..<3).map { _ in try a.library.change("add") { try $0.addSnippet("Text.") } }
        for id in ids { try a.save(id, "page.html", page(id)) }
        try a.sync()
        let b = try SyncDevice(from: fleet.path)
        let head = try #require(try fleet.scratch.names("exchange/heads").first)
        let text = try fleet.scratch.text("exchange/heads/" + head)
        // The one with the items is larger than that of the first sync.
        let packs = try fleet.objects(".tar.zst").filter { text.contains($0.suffix(72).prefix(64)) }
        let size = try #require(try packs.map { try fleet.scratch.bytes("exchange/" + $0).count }.max())
        // All of that pack, and the beginning of a bundle.
        let worker = try dyingWorker(in: b.scratch, after: size + 100, isOnce: isOnce)
        let report = try b.library.sync(with: b.exchange, worker)
        // What one process did not read, the next one does in the same sync.
        #expect(report.left.count == (isOnce ? 0 : 3), "\(report.left)")
        #expect(b.scratch.exists("first") != isOnce)
        #expect(
            report.left.allSatisfy { $0.reason == .damaged("sbfs-worker ended while it read this") }, "\(report.left)")
        #expect(ids.filter { b.scratch.exists(b.path($0, "page.html")) }.count == (isOnce ? 3 : 0))
        #expect(try b.sync().left.isEmpty)
        for id in ids { #expect(try b.scratch.text(b.path(id, "page.html")) == page(id)) }
    }
}
