internal import Files
internal import Items
internal import WorkerProtocol

/// Packs bundles and packs in sbfs-worker: tar files with zstd, one after the other in one process.
///
/// For each: `begin`, `file` for every file in the order of their paths, `end`. For use by one thread.
final class BundlePacker {
    private let program: PipedProgram
    private var frames = BundleFrameBuffer()
    private var sum: BundleFrame.UnpackedSum?
    /// Parts that the worker gets together: small ones would cost more to send than to pack.
    private var waiting: [UInt8] = []
    private static let waitingByteCount = 1 << 17
    /// Takes the packed bytes.
    private var output: (([UInt8]) throws -> Void)?
    private let monitor: Monitor

    /// - Throws: `CaptureWorker.Failure` if the worker does not start.
    init(_ worker: WorkerProgram, _ monitor: Monitor) throws {
        program = try worker.streaming(["bundle"])
        self.monitor = monitor
    }

    /// - Parameter output: called with each piece of the packed file.
    func begin(to output: @escaping ([UInt8]) throws -> Void) {
        sum = nil
        self.output = output
    }

    /// - Parameter read: returns pieces of the file; none at its end.
    /// - Returns: whether the file had the announced length; if not, the packed file is of no use.
    func file(_ path: String, byteCount: Int, read: () throws -> [UInt8]) throws -> Bool {
        try send(
            .entry(PackedEntry(.file, Array(path.utf8), byteCount: byteCount, permissions: 0o644, modified: 0)))
        var left = byteCount
        while true {
            try monitor.check()
            let bytes = try read()
            if bytes.isEmpty { break }
            if bytes.count > left {
                try piece(Array(bytes.prefix(left)))
                return false
            }
            try piece(bytes)
            left -= bytes.count
        }
        let isWhole = left == 0
        while left > 0 {
            let count = min(left, 1 << 18)
            try piece([UInt8](repeating: 0, count: count))
            left -= count
        }
        return isWhole
    }

    func file(_ path: String, _ bytes: [UInt8]) throws {
        var rest: [UInt8]? = bytes
        _ = try file(path, byteCount: bytes.count) {
            defer { rest = nil }
            return rest ?? []
        }
    }

    /// Ends the packed file: all of it was given to `output`.
    ///
    /// - Returns: what names it.
    func end() throws -> BundleFrame.UnpackedSum {
        try send(.end(nil))
        try flush()
        while true {
            if let sum { return sum }
            let bytes = try program.read(monitor.check)
            if bytes.isEmpty { throw CaptureWorker.Failure.invalidAnswer(WireFault("sbfs-worker ended too early")) }
            try take(bytes)
        }
    }

    private func piece(_ bytes: [UInt8]) throws {
        if bytes.count <= 1 << 20 { return try send(.piece(bytes)) }
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            try send(.piece(Array(bytes[start..<min(bytes.count, start + 1 << 20)])))
        }
    }

    private func send(_ frame: BundleFrame) throws {
        waiting += frame.bytes
        if waiting.count >= Self.waitingByteCount { try flush() }
    }

    private func flush() throws {
        do {
            try program.write(waiting, take)
        } catch {
            throw CaptureWorker.failure(error)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private func take(_ bytes: [UInt8]) throws {
        frames.append(bytes)
        while let frame = try frames.next() {
            switch frame {
            case .piece(let bytes): try output?(bytes)
            case .end(let sum?): self.sum = sum
            case .end(nil), .entry, .fault: throw CaptureWorker.Failure.invalidAnswer(WireFault("an unexpected part"))
            }
        }
    }
}
