import Foundation
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A sync whose worker ends while it reads an object.
struct SyncWorkerTests {
    /// Each run of the worker ends before it answers, as often as the file `deaths` has lines.
    private func dyingWorker(in scratch: borrowing ScratchDirectory, deaths: Int) throws -> CaptureWorker {
        try scratch.write("deaths", String(repeating: "x\n", count: deaths))
        let worker = BuiltProgram.path("sbfs-worker")
        try scratch.write(
            "worker",
            """
            #!/bin/sh
            if [ "$1" = unbundle ] && [ -s '\(scratch.full("deaths"))' ]; then
                sed -i 1d '\(scratch.full("deaths"))'
                head -c 10 >/dev/null
                kill -ILL $$
            fi
            exec '\(worker)' "$@"

            """)
        try #require(chmod(scratch.full("worker"), 0o755) == 0)
        return try CaptureWorker(path: scratch.full("worker"))
    }

    @Test func `an object that ends the worker is named, and the others arrive`() throws {
        let fleet = try Fleet(1)
        let a = fleet[0]
        let ids = try (0..<3).map { _ in try a.library.change("add") { try $0.addSnippet("Text.") } }
        for id in ids {
            try a.save(id, "page.html", "<p>\(id)</p>")
            try a.sync()
        }
        let b = try SyncDevice(from: fleet.path)
        let report = try b.library.sync(with: b.exchange, dyingWorker(in: b.scratch, deaths: 2))
        #expect(report.left.count == 2, "\(report.left)")
        #expect(
            report.left.allSatisfy { $0.reason == .damaged("sbfs-worker ended while it read this") }, "\(report.left)")
        #expect(try b.sync().left.isEmpty)
        for id in ids { #expect(try b.scratch.text(b.path(id, "page.html")) == "<p>\(id)</p>") }
    }
}
