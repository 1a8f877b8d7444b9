internal import Files
public import Items
public import JSONFormat
internal import Merge
public import Time

/// Two versions of one file of a library, joined over the version that both came from (Documentation/Merge.md § 3).
///
/// A pure function of the three: it opens no file, and the order of the two sides does not matter to a byte.
public struct FileJoin: Sendable, Equatable {
    /// How the file is read.
    public enum Kind: Sendable, Equatable {
        /// One JSON object: item.json, a file of collections/, tags/ or smart/.
        case object
        /// library.json: one JSON object with the version of its format.
        case library
        /// A text, joined by its paragraphs.
        case text
        /// A tombstone: two devices purged one item.
        case tombstone

        /// The kind of a file, by its path: `nil` for a file whose versions are not joined.
        ///
        /// - Parameter path: with `/` between its components; the folders before those of the library do not matter.
        public init?(path: String) {
            let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
            let folder = parts.dropLast().last
            // A document may have the name of an item's file: it is in a folder of the item.
            let isOfItem = parts.count >= 4 && parts[parts.count - 4] == Layout.items
            switch parts.last {
            case Layout.libraryFile? where folder != Layout.document: self = .library
            case Layout.itemFile? where isOfItem: self = .object
            case Layout.textFile? where isOfItem: self = .text
            case let name? where name.utf8.suffix(5).elementsEqual(".json".utf8):
                if parts.count >= 3, parts[parts.count - 3] == Layout.tombstones {
                    self = .tombstone
                    return
                }
                guard let folder, ["collections", "tags", "smart"].contains(folder) else { return nil }
                self = .object
            default: return nil
            }
        }
    }

    /// Two values that could not be joined: a file of the item's conflicts/.
    public struct Conflict: Sendable, Equatable {
        /// The key, or `text` for a paragraph.
        public let field: String
        /// The file's name: 16 hexadecimal digits and `.json`.
        public let name: String
        /// The file's bytes: the field, the base and both values.
        public let bytes: [UInt8]
    }

    /// Documents of different names that both sides put into the item. git keeps both files.
    public struct TwoDocuments: Sendable, Equatable {
        /// The path of the one that the joined item.json names, relative to the item's folder.
        public let standing: String
        /// The path of the other one.
        public let other: String
        /// The path under which that one is a lost document (FORMAT.md § 3.5); `nil` if its side does not say its hash.
        public let lost: String?
    }

    /// Why two versions are not joined.
    public enum Failure: Error, Sendable {
        /// A version is no JSON.
        case malformed(Side, JSONError)
        /// A version is no JSON object, or an object in it has a key twice or one with a lone surrogate.
        case notAnObject(Side)
        /// The two have different ids.
        case differentItems
        /// A library.json that is none, or of a newer format than this program reads.
        case unreadable(Side, ItemError)
        /// Longer than `limit` bytes.
        case tooLarge(Side, limit: Int)
    }

    /// One of the three versions.
    public enum Side: String, Sendable {
        case base, ours, theirs
    }

    /// The bytes of the joined file.
    public let bytes: [UInt8]
    /// What could not be joined, each once. The value of the later side stands in `bytes`.
    public let conflicts: [Conflict]
    /// The documents, if both sides put one of another name into the item: a person chooses.
    public private(set) var documents: TwoDocuments?

    /// Joins two versions.
    ///
    /// - Parameters:
    ///   - kind: how the three are read.
    ///   - base: the version that both came from; `nil` if there is none.
    ///   - ours: one side. Of objects the side with the later `updatedAt` wins, else the one with the larger SHA-256.
    ///   - theirs: the other side.
    ///   - standing: the side whose value stands where both changed one place, if it is not to be the later one.
    /// - Throws: `Failure`; then nothing can be said of the three.
    public init(
        _ kind: Kind, base: [UInt8]?, ours: [UInt8], theirs: [UInt8], standing: Side? = nil
    ) throws(Failure) {
        let limit = Layout.textByteLimit
        for (side, bytes) in [(Side.base, base ?? []), (.ours, ours), (.theirs, theirs)] where bytes.count > limit {
            throw .tooLarge(side, limit: limit)
        }
        let isSwapped = ContentHash(of: theirs) < ContentHash(of: ours)
        let (a, b) = isSwapped ? (theirs, ours) : (ours, theirs)
        let sides: (Side, Side) = isSwapped ? (.theirs, .ours) : (.ours, .theirs)
        let one = try ItemState(kind, a, sides.0), two = try ItemState(kind, b, sides.1)
        let old = try base.map { bytes throws(Failure) in try ItemState(kind, bytes, .base) } ?? .nothing
        if one.identifier != two.identifier { throw .differentItems }
        if a == b || b == base {
            self.init(bytes: a, conflicts: [])
        } else if a == base {
            self.init(bytes: b, conflicts: [])
        } else if kind == .tombstone, let bytes = Self.united(one, a, b) {
            self.init(bytes: bytes, conflicts: [])
        } else if kind == .object, let bytes = Self.withDeletion(one, a, two, b) {
            self.init(bytes: bytes, conflicts: [])
        } else {
            let aWins = standing.map { $0 == sides.0 } ?? (one.time > two.time)
            let isNamed = kind == .object && one.identifier == nil && JoinedTimes.are(one.members, two.members)
            let states = [old, one, two].map { isNamed ? $0.withoutTimes : $0 }
            let merged = ItemState.merge(base: states[0], states[1], states[2], aWins: aWins)
            var found: [String: Conflict] = [:]
            for conflict in merged.conflicts {
                let name = String(conflict.path.split(separator: "/")[1])
                found[name] = Conflict(field: conflict.field, name: name, bytes: conflict.bytes)
            }
            var members = merged.state.members
            // Not every file of a collection, a tag or a smart folder says when it was changed.
            if one.identifier == nil, one.value("updatedAt") == nil, two.value("updatedAt") == nil {
                members.removeAll { $0.key == "updatedAt" }
            }
            if Self.haveOneDocument(base: old, one, two) { members.removeAll { $0.key == "documentSHA256" } }
            if isNamed { members = JoinedTimes.put(one.members, two.members, to: members) }
            self.init(
                bytes: kind == .text ? merged.state.text ?? [] : JSONWriter.file(.object(members)),
                conflicts: found.sorted { $0.key < $1.key }.map(\.value))
            documents = Self.documents(base: old, one, two, in: merged.state)
        }
    }

    /// The `updatedAt` of an item.json; `nil` without one, and for what is no JSON object.
    public static func updatedAt(_ bytes: [UInt8]) -> Timestamp? {
        guard let state = try? ItemState(.object, bytes, .ours), case .string(let text)? = state.value("updatedAt")
        else {
            return nil
        }
        return Timestamp(text)
    }

    /// What two devices say that purged one item (FORMAT.md § 10).
    private static func united(_ state: ItemState, _ a: [UInt8], _ b: [UInt8]) -> [UInt8]? {
        guard case .string(let text)? = state.value("id"), let id = ItemID(text), let one = try? Tombstone(a),
            let two = try? Tombstone(b)
        else { return nil }
        return one.united(with: two).bytes(of: id)
    }

    /// What stands of two sides of which one says that the name was deleted: a change that the deletion did not see, or the deletion;
    /// of two deletions the later one (FORMAT.md § 9). `nil` if neither says so.
    private static func withDeletion(_ one: ItemState, _ a: [UInt8], _ two: ItemState, _ b: [UInt8]) -> [UInt8]? {
        switch (one.deletedAt, two.deletedAt) {
        case (nil, nil): return nil
        case (let first?, let second?): return first > second ? a : b
        case (.some, nil): return one.deletes(b) ? a : b
        case (nil, .some): return two.deletes(a) ? b : a
        }
    }

    /// Whether both sides replaced the document under one path. What git, or a person, makes of the two is in neither hash.
    private static func haveOneDocument(base: ItemState, _ one: ItemState, _ two: ItemState) -> Bool {
        let hashes = [base, one, two].map { $0.value("documentSHA256") }
        guard let first = hashes[1], let second = hashes[2] else { return false }
        return first != second && first != hashes[0] && second != hashes[0]
            && one.value("documentRelativePath") == two.value("documentRelativePath")
    }

    /// The documents of two sides that put different ones into an item, under different names.
    private static func documents(
        base: ItemState, _ one: ItemState, _ two: ItemState, in joined: ItemState
    ) -> TwoDocuments? {
        func path(_ state: ItemState) -> String? {
            guard case .string(let path)? = state.value("documentRelativePath") else { return nil }
            return path
        }
        func hash(_ state: ItemState) -> ContentHash? {
            guard case .string(let digits)? = state.value("documentSHA256") else { return nil }
            return ContentHash(hex: digits.utf8)
        }
        func isSame(_ a: ItemState, _ b: ItemState) -> Bool {
            (path(a) ?? "").utf8.elementsEqual((path(b) ?? "").utf8) && hash(a) == hash(b)
        }
        guard let first = path(one), let second = path(two), !first.utf8.elementsEqual(second.utf8),
            !isSame(one, base), !isSame(two, base), hash(one) == nil || hash(one) != hash(two),
            let standing = path(joined)
        else { return nil }
        let (other, loser) = standing.utf8.elementsEqual(first.utf8) ? (second, two) : (first, one)
        var lost: String?
        if let name = other.pathComponents.last, let hash = hash(loser) {
            lost = Layout.document + "/" + Layout.conflictName(of: name, hash)
        }
        return TwoDocuments(standing: standing, other: other, lost: lost)
    }

    private init(bytes: [UInt8], conflicts: [Conflict]) {
        self.bytes = bytes
        self.conflicts = conflicts
    }
}

extension ItemState {
    fileprivate init(_ kind: FileJoin.Kind, _ bytes: [UInt8], _ side: FileJoin.Side) throws(FileJoin.Failure) {
        if kind == .text {
            self.init(members: [], text: bytes)
            return
        }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(side, error)
        }
        if kind == .library {
            do throws(ItemError) {
                _ = try LibraryFile(parsing: bytes, path: Layout.libraryFile)
            } catch {
                throw .unreadable(side, error)
            }
        }
        guard case .object = document.kind(document.root), !document.hasLoneSurrogateInKey(document.root) else {
            throw .notAnObject(side)
        }
        self.init(members: document.exactMembers(document.root))
    }

    fileprivate var identifier: JSON? { value("id") }

    /// The state of a file of collections/, tags/ or smart/ without the times of its keys: they are no values.
    fileprivate var withoutTimes: ItemState { ItemState(members: JoinedTimes.without(members)) }

    /// `updatedAt` in milliseconds; 0 without a time.
    fileprivate var time: Int64 { time("updatedAt") ?? 0 }

    /// When the name of a file of collections/, tags/ or smart/ was deleted, in milliseconds, 0 for no time; `nil` if it was not.
    fileprivate var deletedAt: Int64? { identifier == nil ? time(NamedFile.deletedKey) : nil }

    /// Whether a deletion says that it deleted these bytes.
    fileprivate func deletes(_ bytes: [UInt8]) -> Bool {
        guard case .string(let digits)? = value(NamedState.hashKey) else { return false }
        return ContentHash(hex: digits.utf8) == ContentHash(of: bytes)
    }

    private func time(_ key: String) -> Int64? {
        guard case .string(let text)? = value(key) else { return nil }
        return Timestamp(text.utf8.count == 10 ? text + "T00:00:00Z" : text)?.milliseconds ?? 0
    }

    fileprivate func value(_ key: String) -> JSON? { members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
}

extension FileJoin.Failure: CustomStringConvertible {
    /// Why the versions are not joined, as a clause for a person.
    public var description: String {
        switch self {
        case .malformed(let side, let error): "\(side.phrase) is not JSON (\(error))"
        case .notAnObject(let side): "\(side.phrase) is not a JSON object, or has a key twice or with a lone surrogate"
        case .differentItems: "the versions are of different items"
        case .unreadable(let side, let why): "\(side.phrase): \(why)"
        case .tooLarge(let side, let limit): "\(side.phrase) is longer than \(limit >> 20) MB"
        }
    }
}

extension FileJoin.Side {
    fileprivate var phrase: String {
        switch self {
        case .base: "the version that both came from"
        case .ours: "our version"
        case .theirs: "their version"
        }
    }
}
