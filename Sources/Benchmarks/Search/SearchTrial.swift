import Files
import Glibc
import Search

/// Small changes and readings of an index, for faults and for many processes at once: `Scripts/fault-sweep`,
/// `Scripts/index-storm`.
///
/// Commit *n* writes the number *n* into two documents, adds a document named after it, and deletes that of commit
/// *n* − 2. One line reports the contents of the index.
enum SearchTrial {
    /// `commit --index DIR --number N [--fill COUNT] [--merge yes]`.
    static func commit(_ options: BenchmarkOptions) throws {
        let number = options.number("number", 1)
        let writer = try open(IndexFolder(path: options.text("index", "index")))
        for document in documents(number) { writer.put(document) }
        for document in filling(options.number("fill", 0)) { writer.put(document) }
        if number > 2 { writer.delete(key(100 + number - 2)) }
        try writer.commit(isSynced: true)
        if options.text("merge", "no") == "yes" { try writer.merge(threads: 1) }
    }

    /// `build --index DIR --number N --fill COUNT`: a new index with the contents after commit N.
    static func build(_ options: BenchmarkOptions) throws {
        let number = options.number("number", 1)
        let folder = try IndexFolder(path: options.text("index", "index"))
        guard let build = try IndexBuild.begin(folder, lanes: 2, laneByteLimit: 560_000) else {
            throw BenchmarkError(description: "another process writes the index")
        }
        for document in filling(options.number("fill", 0)) { try build.add(document, lane: 0) }
        for document in documents(number) { try build.add(document, lane: 1) }
        if number > 1 { try build.add(documents(number - 1)[2], lane: 1) }
        try build.finish(threads: 1)
    }

    /// `state --index DIR`: the number of the last commit; ends with status 4 if the index is damaged.
    static func state(_ options: BenchmarkOptions) throws {
        do {
            guard let snapshot = try IndexFolder(path: options.text("index", "index")).snapshot() else {
                print("commit 0, 0 more")
                return
            }
            print(try State(snapshot).description)
        } catch let damage as IndexDamage {
            print("damaged: \(damage)")
            exit(4)
        }
    }

    /// `increment --index DIR --seconds S`: commits as often as possible; prints the number of commits.
    static func increment(_ options: BenchmarkOptions) throws {
        let path = options.text("index", "index")
        let end = ContinuousClock.now + .seconds(options.number("seconds", 5))
        var count = 0
        while ContinuousClock.now < end {
            let writer = try open(IndexFolder(path: path))
            let last = try State(writer.snapshot).number
            for document in documents(last + 1) { writer.put(document) }
            if last > 1 { writer.delete(key(100 + last - 1)) }
            try writer.commit()
            if count % 50 == 49 { try writer.merge(threads: 1) }
            count += 1
        }
        print(count)
    }

    /// `watch --index DIR --seconds S`: reads the index repeatedly; it must always be whole and never go back.
    static func watch(_ options: BenchmarkOptions) throws {
        let folder = try IndexFolder(path: options.text("index", "index"))
        let end = ContinuousClock.now + .seconds(options.number("seconds", 5))
        var (count, last) = (0, 0)
        while ContinuousClock.now < end {
            guard let snapshot = try folder.snapshot() else { throw BenchmarkError(description: "no index") }
            let number = try State(snapshot).number
            if number < last { throw BenchmarkError(description: "commit \(number) after \(last)") }
            last = number
            count += 1
        }
        print(count)
    }

    // MARK: Documents

    private static func open(_ folder: IndexFolder) throws -> IndexWriter {
        guard let writer = try IndexWriter.open(folder, patience: .seconds(60)) else {
            throw BenchmarkError(description: "another process writes the index")
        }
        return writer
    }

    private static func key(_ number: Int) -> DocumentKey { DocumentKey(high: 0, low: UInt64(number)) }

    private static func documents(_ number: Int) -> [IndexDocument] {
        [1, 2, 100 + number].map { low in
            var document = IndexDocument(key: key(low))
            document.title = Array("commit\(number)".utf8)
            document.texts = [Array("number \(number) of all".utf8)]
            document.exactTerms = [ExactTerm(.tag, Array("trial".utf8))]
            document.updated = Int64(number)
            document.stored = Array("\(number)".utf8)
            return document
        }
    }

    /// Documents that stay, so that there is data to merge.
    private static func filling(_ count: Int) -> [IndexDocument] {
        (0..<count).map { number in
            var document = IndexDocument(key: key(1_000_000 + number))
            document.texts = [Array("filling \(number % 7) word\(number) of all".utf8)]
            document.stored = Array("filling".utf8)
            return document
        }
    }

    /// The contents of a snapshot, checked for consistency in every way.
    struct State: CustomStringConvertible {
        let number: Int
        let filling: Int
        let description: String

        init(_ snapshot: IndexSnapshot) throws {
            try snapshot.verify()
            var stored: [UInt64: String] = [:]
            try snapshot.forEachDocument { key, bytes in
                if stored.updateValue(String(decoding: bytes, as: UTF8.self), forKey: key.low) != nil {
                    throw BenchmarkError(description: "document \(key.low) is there twice")
                }
            }
            let number = stored[1].flatMap { Int($0) } ?? 0
            let filling = stored.keys.count { $0 >= 1_000_000 }
            var wanted: [UInt64: String] = [:]
            if number > 0 {
                for low in [1, 2, 100 + number] { wanted[UInt64(low)] = "\(number)" }
                if number > 1 { wanted[UInt64(100 + number - 1)] = "\(number - 1)" }
            }
            for low in 0..<filling { wanted[UInt64(1_000_000 + low)] = "filling" }
            if stored != wanted {
                throw BenchmarkError(description: "a torn state: \(stored.filter { $0.key < 1_000_000 })")
            }
            let searcher = try Searcher(snapshot)
            func count(_ query: Query) throws -> Int { try searcher.search(SearchRequest(query)).hits.count }
            let found = try [
                count(.phrase("commit\(number)")), count(.filter(.tag("trial"))), count(.word("filling")),
                count(.phrase("of all")),
            ]
            let trial = number == 0 ? 0 : number == 1 ? 3 : 4
            if found != [number == 0 ? 0 : 3, trial, filling, trial + filling] {
                throw BenchmarkError(description: "a wrong answer: \(found) at commit \(number) with \(filling)")
            }
            self.number = number
            self.filling = filling
            description = "commit \(number), \(filling) more"
        }
    }
}
