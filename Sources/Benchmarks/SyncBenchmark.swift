import Files
import Glibc

/// Ways of making many new two-file folders durable: one sync of the file system against syncs by several threads.
enum SyncBenchmark {
    static func run(_ options: BenchmarkOptions) throws {
        let folder = try options.folder()
        print("new folders with one file of 400 bytes, written, synced, renamed, synced; seconds (two rounds)")
        for count in [1000, 10_000, 50_000] {
            for batch in [500, 2000, 10_000, 50_000] where batch <= count {
                try row("\(count) by syncfs, batches of \(batch)", folder, count, batch, threads: 0)
            }
            for threads in [2, 4, 8] where count <= 10_000 {
                try row("\(count) by fsync, \(threads) threads", folder, count, 2000, threads: threads)
            }
        }
        print("left in \(folder); remove it when you like")
    }

    private static func row(_ name: String, _ folder: String, _ count: Int, _ batch: Int, threads: Int) throws {
        var times: [String] = []
        for round in 0..<2 {
            let place = folder + "/\(count)-\(batch)-\(threads)-\(round)"
            try Directory.make(path: place + "/staging")
            for shard in 0..<256 { try Directory.make(path: place + "/items/\(shard)") }
            let start = ContinuousClock.now
            for first in stride(from: 0, to: count, by: batch) {
                try write(first..<min(first + batch, count), place, threads)
            }
            let elapsed = ContinuousClock.now - start
            let tenths = Int((Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18) * 100)
            times.append("\(tenths / 100).\(tenths % 100 < 10 ? "0" : "")\(tenths % 100)")
        }
        print("  \(name): \(times.joined(separator: ", "))")
    }

    private static func write(_ numbers: Range<Int>, _ place: String, _ threads: Int) throws {
        let bytes = [UInt8](repeating: 0x61, count: 400)
        let piece = 64
        try Workers.run((numbers.count + piece - 1) / piece, threads: max(1, threads)) { index in
            let staging = try Directory(path: place + "/staging")
            for number in numbers.dropFirst(index * piece).prefix(piece) {
                try staging.makeDirectory("\(number)")
                let item = try staging.directory("\(number)")
                let file = try item.createFile("item.json")
                try file.write(bytes)
                if threads > 0 {
                    try file.sync()
                    try item.sync()
                }
            }
        }
        let staging = try Directory(path: place + "/staging")
        if threads == 0 { try staging.syncFileSystem() }
        for number in numbers {
            try staging.move("\(number)", to: Directory(path: place + "/items/\(number % 256)"), as: "\(number)")
        }
        try Workers.run(256, threads: max(1, threads)) { try Directory(path: place + "/items/\($0)").sync() }
    }
}
