internal import Confinement
internal import Files
internal import Glibc
internal import Packing
internal import WorkerProtocol

/// `unpack`: reads a tar or zip file from standard input and writes its entries to standard output. `pack FORMAT`: the reverse.
/// `bundle` and `unbundle LIMIT` do the same for a stream of small files that are packed in one way (`BundleFrame`).
///
/// None of them may open a file.
enum PackCommands {
    static func unpack(_ arguments: [String]) -> Int32 {
        guard arguments.isEmpty else { return usage("sbfs-worker unpack < FILE") }
        begin(isUTF8: PackReader.isZip(0))
        do {
            try PackReader(0).run(EntryStreamWriter { StandardOutput.write($0) })
            return 0
        } catch {
            return 1
        }
    }

    static func pack(_ arguments: [String]) -> Int32 {
        guard arguments.count == 1, let format = PackedFormat(rawValue: arguments[0]) else {
            return usage("sbfs-worker pack \(PackedFormat.allCases.map(\.rawValue).joined(separator: "|"))")
        }
        begin(isUTF8: true)
        do {
            var stream = EntryStreamReader(read: read)
            try PackWriter(format, to: 1).run(&stream)
            return 0
        } catch let failure as PackWriter.Failure {
            StandardError.say("sbfs-worker: \(failure.detail)")
            return 1
        } catch {
            StandardError.say("sbfs-worker: \(error)")
            return 1
        }
    }

    /// Packs one bundle after the other.
    static func bundle(_ arguments: [String]) -> Int32 {
        guard arguments.isEmpty else { return usage("sbfs-worker bundle") }
        begin(isUTF8: true)
        do {
            var frames = BundleFrameBuffer()
            var writer: BundleWriter?
            while let frame = try next(&frames) {
                let current = try writer ?? BundleWriter { send(.piece($0)) }
                writer = current
                switch frame {
                case .entry(let entry): try current.begin(entry.path, byteCount: entry.byteCount ?? 0)
                case .piece(let bytes): try current.write(bytes)
                case .end:
                    send(.end(try current.finish()))
                    writer = nil
                case .fault: throw Broken()
                }
            }
            return 0
        } catch {
            StandardError.say("sbfs-worker: \((error as? PackWriter.Failure)?.detail ?? "\(error)")")
            return 1
        }
    }

    /// Unpacks one bundle after the other.
    static func unbundle(_ arguments: [String]) -> Int32 {
        guard arguments.count == 1, let limit = Int(arguments[0]), limit > 0 else {
            return usage("sbfs-worker unbundle LIMIT")
        }
        begin(isUTF8: true)
        do {
            var frames = BundleFrameBuffer()
            while let first = try next(&frames) {
                var waiting: BundleFrame? = first
                var limit = limit
                if case .entry(let entry) = first {
                    limit = min(limit, entry.byteCount ?? limit)
                    waiting = nil
                }
                var isEnded = false
                func piece() throws -> [UInt8] {
                    if isEnded { return [] }
                    let frame = try waiting ?? next(&frames)
                    waiting = nil
                    switch frame {
                    case .piece(let bytes): return bytes
                    case .end: isEnded = true
                    case .entry, .fault, nil: throw Broken()
                    }
                    return []
                }
                do {
                    try withoutActuallyEscaping(piece) { piece in
                        try BundleReader(byteLimit: limit, read: piece).run { send($0) }
                    }
                } catch let fault as PackedFault {
                    send(.fault(fault))
                }
                while !isEnded { _ = try piece() }
            }
            return 0
        } catch {
            return 1
        }
    }

    private static func send(_ frame: BundleFrame) { StandardOutput.write(frame.bytes) }

    /// The next part from standard input; `nil` at its end.
    private static func next(_ frames: inout BundleFrameBuffer) throws -> BundleFrame? {
        while true {
            if let frame = try frames.next() { return frame }
            let bytes = try read(1 << 18)
            if bytes.isEmpty {
                if frames.isWithinFrame { throw Broken() }
                return nil
            }
            frames.append(bytes)
        }
    }

    private static func begin(isUTF8: Bool) {
        // The locale's files cannot be read later.
        if isUTF8 { setlocale(LC_CTYPE, "C.UTF-8") }
        // A zip file holds local times.
        setenv("TZ", "UTC0", 1)
        tzset()
        var confinement = Confinement(.parse)
        // A library of hundreds of gigabytes takes hours.
        confinement.limits.processorSeconds = 48 * 3600
        confinement.apply()
    }

    private static func usage(_ line: String) -> Int32 {
        StandardError.say("usage: " + line)
        return 2
    }

    private struct Broken: Error {}

    private static func read(_ count: Int) throws -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let result = uninterrupted { Glibc.read(0, buffer.baseAddress, count) }
            if result < 0 { failure = errno }
            initialized = max(0, result)
        }
        if failure != 0 { throw Broken() }
        return bytes
    }
}
