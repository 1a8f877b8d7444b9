import Files
import TestSupport
import Testing

@testable import Search

/// An index's manifest and log with flipped bits, cut ends and other files in their places.
struct IndexDamageTests {
    private let scratch: ScratchDirectory
    private let folder: IndexFolder
    private let requests: [SearchRequest]
    /// The answers of the index after each commit of the current log.
    private var answers: [[String]] = []
    private var offsets: [Int] = []
    private let manifest: Manifest
    private let log: [UInt8]

    init() throws {
        scratch = try ScratchDirectory()
        folder = try IndexFolder(path: scratch.path)
        var model = ModelWriter(seed: 71, wordCount: 60)
        requests = Array(SampleSegment.requests(model.words).prefix(14))
        let writer = try #require(try IndexWriter.open(folder))
        for key in 0..<40 { writer.put(model.document(key: UInt64(key + 1)).indexed) }
        try writer.commit()
        try writer.merge(threads: 1)
        for key in 0..<6 { writer.put(model.document(key: UInt64(key + 100)).indexed) }
        try writer.commit()
        try writer.merge(threads: 1)
        answers.append(try SampleSegment.answers(writer.snapshot, requests))
        manifest = try #require(try folder.manifest())
        let name = Manifest.logName(manifest.log)
        offsets.append(try scratch.bytes(name).count)
        for commit in 0..<3 {
            writer.put(model.document(key: UInt64(commit * 7 + 1)).indexed)
            if commit == 1 { writer.delete(DocumentKey(high: 3 &* 0x9E37_79B9_7F4A_7C15, low: 3)) }
            try writer.commit()
            answers.append(try SampleSegment.answers(writer.snapshot, requests))
            offsets.append(try scratch.bytes(name).count)
        }
        log = try scratch.bytes(name)
        #expect(Set(answers).count == 4)
    }

    private var logName: String { Manifest.logName(manifest.log) }

    /// The current answers of the index.
    private func present() throws -> [String] {
        let snapshot = try #require(try IndexFolder(path: scratch.path).snapshot())
        try snapshot.verify()
        return try SampleSegment.answers(snapshot, requests)
    }

    /// The number of records in a log, read separately.
    private func recordCount(_ bytes: [UInt8]) throws -> Int {
        try CommitLog.read(SampleSegment.image(bytes), number: manifest.log, name: "log").0.count
    }

    // MARK: Manifest

    @Test func `every bit of the manifest is guarded`() throws {
        let bytes = try scratch.bytes(Manifest.fileName)
        #expect(try Manifest(bytes: bytes) == manifest)
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: IndexDamage.self, "bit \(bit)") { try Manifest(bytes: damaged) }
        }
        for count in 0..<bytes.count {
            #expect(throws: IndexDamage.self) { try Manifest(bytes: Array(bytes.prefix(count))) }
        }
        #expect(throws: IndexDamage.self) { try Manifest(bytes: bytes + [0]) }
    }

    @Test(arguments: [0, 1, 3, 0xFFFF_FFFF] as [UInt32])
    func `a manifest of another version is not read`(_ version: UInt32) throws {
        var bytes = try scratch.bytes(Manifest.fileName)
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: version, toByteOffset: 8, as: UInt32.self) }
        let sum = Checksum.of(Array(bytes.dropLast(8)))
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: sum, toByteOffset: $0.count - 8, as: UInt64.self) }
        let error = #expect(throws: IndexDamage.self) { try Manifest(bytes: bytes) }
        #expect(error?.description == "manifest: version \(version) is not known")
        #expect(error?.isOtherVersion == true)
    }

    @Test func `manifests of nonsense with right checksums are refused or read, within bounds`() throws {
        let bytes = try scratch.bytes(Manifest.fileName)
        var generator = SeededGenerator(seed: 72)
        for _ in 0..<FuzzCases.count(2_000) {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                damaged[Int.random(in: 8..<bytes.count - 8, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let sum = Checksum.of(Array(damaged.dropLast(8)))
            damaged.withUnsafeMutableBytes { $0.storeBytes(of: sum, toByteOffset: $0.count - 8, as: UInt64.self) }
            _ = try? Manifest(bytes: damaged)
        }
    }

    // MARK: Log

    @Test func `every bit of the log is guarded`() throws {
        let step = FuzzCases.isSet ? 1 : 5
        for bit in stride(from: 0, to: log.count * 8, by: step) {
            var damaged = log
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: IndexDamage.self, "bit \(bit)") { try recordCount(damaged) }
        }
    }

    @Test func `a log that is cut off is exactly that of an earlier commit`() throws {
        for count in 0..<log.count {
            let cut = Array(log.prefix(count))
            if count < offsets[0] {
                #expect(throws: IndexDamage.self) { try recordCount(cut) }
            } else {
                #expect(try recordCount(cut) == offsets.count { $0 <= count } - 1)
            }
            guard count % 997 == 0 || offsets.contains(count) || offsets.contains(count + 1) else { continue }
            try scratch.write(logName, cut)
            if count < offsets[0] {
                #expect(throws: IndexDamage.self) { try present() }
            } else {
                #expect(try present() == answers[offsets.count { $0 <= count } - 1])
            }
        }
    }

    @Test func `a file that grew before a loss of power, but has no bytes, ends with the last record`() throws {
        for count in [1, 7, 48, 5_000] {
            #expect(try recordCount(log + Array(repeating: 0, count: count)) == 3)
        }
        #expect(throws: IndexDamage.self) { try recordCount(log + Array(repeating: 0, count: 100) + [1]) }
    }

    @Test func `records after a lost one are not applied`() throws {
        // The second record is replaced by another of the same length; the third one is whole.
        let second = offsets[1]..<offsets[2]
        let other = CommitLog.record(
            replaced: 0, deletions: [],
            image: try SampleSegment.image(seed: 5, documents: 1),
            at: CommitLog.End(offset: offsets[1], checksum: 1))
        #expect(throws: IndexDamage.self) {
            try recordCount(Array(log[..<second.lowerBound]) + other.bytes + Array(log[second.upperBound...]))
        }
        #expect(throws: IndexDamage.self) {
            try recordCount(Array(log[..<second.lowerBound]) + Array(log[second.upperBound...]))
        }
        let zeros = Array(repeating: UInt8(0), count: second.count)
        #expect(throws: IndexDamage.self) {
            try recordCount(Array(log[..<second.lowerBound]) + zeros + Array(log[second.upperBound...]))
        }
    }

    @Test func `a torn end is cut off by the next writer`() throws {
        for cut in [offsets[3] - 1, offsets[2] + 50, offsets[2] + 3] {
            try scratch.write(logName, Array(log[..<cut]))
            let writer = try #require(try IndexWriter.open(IndexFolder(path: scratch.path)))
            #expect(try SampleSegment.answers(writer.snapshot, requests) == answers[2])
            var document = IndexDocument(key: DocumentKey(high: 1, low: 1))
            document.title = Array("torn".utf8)
            writer.put(document)
            try writer.commit()
            let snapshot = try #require(try IndexFolder(path: scratch.path).snapshot())
            #expect(try Searcher(snapshot).search(SearchRequest(.phrase("torn"))).hits.count == 1)
        }
    }

    @Test func `logs of nonsense with right checksums are refused or read, within bounds`() throws {
        var generator = SeededGenerator(seed: 73)
        let header = CommitLog.header(number: manifest.log)
        for _ in 0..<FuzzCases.count(300) {
            let deletions = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                CommitLog.Deletion(
                    identity: Bool.random(using: &generator)
                        ? manifest.entries[0].summary.identity : UInt64.random(in: 0...9, using: &generator),
                    document: UInt32.random(in: 0...60, using: &generator))
            }
            let record = CommitLog.record(
                replaced: Int.random(in: 0...2, using: &generator), deletions: deletions, image: nil,
                at: CommitLog.end(ofHeader: header))
            try scratch.write(logName, header + record.bytes)
            do { _ = try present() } catch is IndexDamage {}
        }
    }

    // MARK: Files

    @Test func `files that are another's are found, and a new index can be built in their place`() throws {
        let segments = manifest.entries.map { Manifest.segmentName($0.summary.identity) }
        #expect(segments.count == 2)
        let originals = try ([Manifest.fileName, logName] + segments).map { ($0, try scratch.bytes($0)) }
        func restore() throws { for (name, bytes) in originals { try scratch.write(name, bytes) } }
        // Swapped with each other, empty, absent, and with extra bytes at the end.
        for (name, bytes) in originals {
            for (other, others) in originals where other != name {
                try scratch.write(name, others)
                #expect(throws: IndexDamage.self, "\(name) is \(other)") { try present() }
            }
            try scratch.write(name, [])
            #expect(throws: IndexDamage.self, "\(name) is empty") { try present() }
            try scratch.write(name, bytes + [1])
            if name == logName {
                // The first bytes of a record.
                #expect(try present() == answers[3])
            } else {
                #expect(throws: IndexDamage.self, "\(name) is longer") { try present() }
            }
            if name != Manifest.fileName {
                try scratch.removeFile(name)
                #expect(throws: IndexDamage.self, "\(name) is absent") { try present() }
                #expect(throws: IndexDamage.self) { try IndexWriter.open(IndexFolder(path: scratch.path)) }
            }
            // A rebuilt index answers.
            let build = try #require(try IndexBuild.begin(IndexFolder(path: scratch.path), lanes: 1))
            var document = IndexDocument(key: DocumentKey(high: 1, low: 1))
            document.title = Array("anew".utf8)
            try build.add(document, lane: 0)
            try build.finish(threads: 1)
            let snapshot = try #require(try IndexFolder(path: scratch.path).snapshot())
            #expect(try Searcher(snapshot).search(SearchRequest(.word("anew"))).hits.count == 1)
            #expect(try scratch.names().count == 4)
            try scratch.removeFile(try #require(try scratch.names().first { $0.hasSuffix(".segment") }))
            try restore()
            #expect(try present() == answers[3])
        }
    }

    @Test func `a folder in a file's place is damage, and a new index can be built`() throws {
        let originals = try scratch.names().map { ($0, try scratch.bytes($0)) }
        for name in [Manifest.fileName, logName] {
            for (name, bytes) in originals { try scratch.write(name, bytes) }
            #expect(try present() == answers[3])
            try scratch.removeFile(name)
            try scratch.makeDirectory(name + "/within")
            #expect(throws: IndexDamage.self) { try present() }
            let build = try #require(try IndexBuild.begin(IndexFolder(path: scratch.path), lanes: 1))
            try build.finish(threads: 1)
            #expect(try IndexFolder(path: scratch.path).snapshot()?.documentCount == 0)
        }
    }
}
