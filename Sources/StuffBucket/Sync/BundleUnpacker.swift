internal import Files
internal import Items
internal import WorkerProtocol

/// Unpacks bundles and packs in sbfs-worker, one after the other in one process, and in a new one where a file ended the last
/// one. For use by one thread.
final class BundleUnpacker {
    private let worker: CaptureWorker
    private let byteLimit: Int
    /// `nil` after it ended; the next file starts another one.
    private var program: PipedProgram?
    private var frames = BundleFrameBuffer()
    private let monitor: Monitor

    /// - Parameter byteLimit: a packed file may unpack to so many bytes.
    /// - Throws: `CaptureWorker.Failure` if the worker does not start.
    init(_ worker: CaptureWorker, byteLimit: Int, _ monitor: Monitor) throws {
        self.worker = worker
        self.byteLimit = byteLimit
        self.monitor = monitor
        _ = try running()
    }

    private func running() throws -> PipedProgram {
        if let program { return program }
        let new = try worker.program.streaming(["unbundle", String(byteLimit)])
        program = new
        return new
    }

    /// What came of one packed file.
    enum Outcome {
        /// All of it was given; what names the file.
        case whole(BundleFrame.UnpackedSum)
        /// It is damaged, cut off or too large, or sbfs-worker ended while it read it.
        case fault(PackedFault)
    }

    /// Gives every file of a packed file, before it is known whether all of it is whole.
    ///
    /// - Parameters:
    ///   - limit: the file may unpack to so many bytes; `nil` for those of `init`.
    ///   - read: returns the next packed bytes; none at the end.
    ///   - give: called for each file with its path, and then with its contents in pieces (`nil`, bytes). It must not throw for
    ///     what the packed file holds: the rest of it still comes.
    /// - Throws: the errors of `read` and `give`, after which this object is of no use; `CaptureWorker.Failure`.
    func run(
        limit: Int? = nil, _ read: () throws -> [UInt8],
        _ give: (_ path: [UInt8]?, _ bytes: [UInt8]) throws -> Void
    ) throws -> Outcome {
        var outcome: Outcome?
        func take(_ bytes: [UInt8]) throws {
            frames.append(bytes)
            while let frame = try frames.next() {
                switch frame {
                case .entry(let entry): try give(entry.path, [])
                case .piece(let bytes): try give(nil, bytes)
                case .end(let sum?): outcome = .whole(sum)
                case .fault(let fault): outcome = .fault(fault)
                case .end(nil):
                    throw CaptureWorker.Failure.invalidAnswer(WireFault("an end without a sum"))
                }
            }
        }
        let program = try running()
        do {
            if let limit { try program.write(BundleFrame.limit(limit).bytes, take) }
            while true {
                try monitor.check()
                let bytes = try read()
                if bytes.isEmpty { break }
                for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
                    let piece = Array(bytes[start..<min(bytes.count, start + 1 << 20)])
                    try program.write(BundleFrame.piece(piece).bytes, take)
                }
            }
            try program.write(BundleFrame.end(nil).bytes, take)
            while outcome == nil {
                let bytes = try program.read(monitor.check)
                if bytes.isEmpty { return endedOutcome() }
                try take(bytes)
            }
        } catch ChildProcess.Silence.ended {
            return endedOutcome()
        } catch {
            throw CaptureWorker.failure(error)
        }
        guard let outcome else { throw CaptureWorker.Failure.invalidAnswer(WireFault("no outcome")) }
        return outcome
    }

    /// One file that ends the worker says nothing of the others.
    private func endedOutcome() -> Outcome {
        program = nil
        frames = BundleFrameBuffer()
        return .fault(.init(.damaged, offset: 0, "sbfs-worker ended while it read this"))
    }
}
