internal import Confinement
internal import Files
internal import Glibc
internal import Packing
internal import WorkerProtocol

/// `unpack`: reads a tar or zip file from standard input and writes its entries to standard output. `pack FORMAT`: the reverse.
///
/// Both may open no file at all.
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
