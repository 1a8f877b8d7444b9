import Foundation
import Items
import StuffBucket
import Synchronization
import TestSupport
import Testing

/// What a sync that is killed leaves in an exchange.
struct SyncLeftoverTests {
    @Test func `a first sync remembers the name of its temporary files before it writes one`() throws {
        let scratch = try ScratchDirectory()
        let device = try SyncDevice(exchange: scratch.full("exchange"))
        let id = try device.library.change("add") { try $0.addSnippet("Text.") }
        try device.save(id, "own.bin", "mine")
        let objects = scratch.full("exchange/objects")
        let memories = device.scratch.full("library/.sbfs/sync")
        let seen = Mutex<[String: Bool]>([:])
        let monitor = Monitor { _, _ in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: objects)) ?? []
            let folders = (try? FileManager.default.contentsOfDirectory(atPath: memories)) ?? []
            let memory = folders.compactMap {
                try? String(contentsOfFile: memories + "/" + $0 + "/memory.json", encoding: .utf8)
            }
            .joined()
            for name in names where name.hasPrefix(".") {
                seen.withLock { $0[name] = memory.contains(name.dropFirst().prefix(36)) }
            }
        }
        _ = try device.library.sync(
            with: device.exchange, CaptureWorker(path: BuiltProgram.path("sbfs-worker")),
            as: StepHeader(command: "sync"), monitor)
        let names = seen.withLock { $0 }
        #expect(!names.isEmpty && names.values.allSatisfy { $0 }, "\(names)")
        // A later sync knows what one that was killed then would have left.
        let name = try #require(names.keys.first)
        try scratch.write("exchange/objects/" + name, "left")
        try device.sync()
        #expect(!scratch.exists("exchange/objects/" + name))
    }
}
