extension JSONDocument {
    /// The root object on one line, with members before and after its own. Own members with the same keys are left
    /// out.
    public func oneLine(leading: [JSON.Member], trailing: [JSON.Member]) -> [UInt8] {
        enum Source {
            case own(Value, Value)
            case new(JSON.Member)
        }
        let replaced = (leading + trailing).map(\.key)
        let own = members(root).filter { member in !replaced.contains { isKey(member.key, $0) } }
        let all = leading.map(Source.new) + own.map { Source.own($0.key, $0.value) } + trailing.map(Source.new)
        var writer = JSONWriter(.oneLine)
        writer.list("{", "}", all, 0) { writer, source in
            switch source {
            case .own(let key, let value):
                writer.string(key, of: self)
                writer.colon()
                writer.write(value, of: self)
            case .new(let member):
                writer.key(member.key)
                writer.write(member.value)
            }
        }
        return writer.bytes
    }

    /// The root object in canonical form with some members set or removed.
    ///
    /// Members keep their order; unknown ones keep their place and the spelling of their numbers. A new member with a rank
    /// goes after the last member of lower rank, or to the front; others go to the end.
    ///
    /// - Parameters:
    ///   - changes: the new value of a key, or `nil` to remove it.
    ///   - limit: the largest number of bytes that readers of such a file accept.
    ///   - rank: a key's place in the canonical order; `nil` for unknown keys.
    /// - Throws: `JSONOutgrown` above the limit: two spaces a level may make 60 bytes of two.
    public func rewriting(
        _ changes: [(key: String, value: JSON?)], limit: Int = byteLimit, rank: @escaping (String) -> Int?
    ) throws(JSONOutgrown) -> [UInt8] {
        var members = RewrittenMembers(self, changes.count, rank: rank)
        for (key, value) in changes { members.set(key, value) }
        var writer = JSONWriter(.canonical, limit: limit - 1)
        writer.list("{", "}", members.all, 0) { writer, member in
            if let key = member.keyValue {
                writer.string(key, of: self)
                writer.colon()
            } else {
                writer.key(member.key)
            }
            switch member.source {
            case .document(let value): writer.write(value, of: self, level: 1)
            case .new(let value): writer.write(value, level: 1)
            case nil: break
            }
        }
        if writer.isCut { throw JSONOutgrown(limit: limit) }
        return writer.bytes + [0x0A]
    }
}

/// The members of a root object while some are set or removed.
private struct RewrittenMembers {
    enum Source {
        case document(JSONDocument.Value)
        case new(JSON)
    }

    struct Member {
        var key: String
        var keyValue: JSONDocument.Value?
        /// `nil` for a removed member.
        var source: Source?
    }

    private let document: JSONDocument
    private let rank: (String) -> Int?
    private var members: [Member]
    /// The document's members by key; built for many changes, each of which would otherwise walk through all members.
    private let table: JSONDocument.KeyedMembers?
    /// New members in the order of addition.
    private var added: [Member] = []
    private var addedPlaces: [[UInt8]: Int] = [:]

    init(_ document: JSONDocument, _ changeCount: Int, rank: @escaping (String) -> Int?) {
        self.document = document
        self.rank = rank
        members = document.members(document.root).map { member in
            Member(key: "", keyValue: member.key, source: .document(member.value))
        }
        table = changeCount > 16 ? document.keyedMembers(document.root) : nil
    }

    mutating func set(_ key: String, _ value: JSON?) {
        let bytes = Array(key.utf8)
        if let place = place(of: key, bytes) {
            members[place].source = value.map(Source.new)
        } else if let place = addedPlaces[bytes] {
            added[place].source = value.map(Source.new)
        } else if let value {
            addedPlaces[bytes] = added.count
            added.append(Member(key: key, keyValue: nil, source: .new(value)))
        }
    }

    /// The index of the document's own member. A removed member that is set again counts as new.
    private func place(of key: String, _ bytes: [UInt8]) -> Int? {
        guard let table else {
            return members.firstIndex { member in
                member.source != nil && member.keyValue.map { document.isKey($0, key) } ?? false
            }
        }
        guard let value = table[bytes[...]] else { return nil }
        // The members are in the order of their nodes.
        var places = 0..<members.count
        while places.count > 1 {
            let middle = (places.lowerBound + places.upperBound) / 2
            let isBefore = (members[middle].keyValue?.index ?? 0) < value.index
            places = isBefore ? middle..<places.upperBound : places.lowerBound..<middle
        }
        return members[places.lowerBound].source == nil ? nil : places.lowerBound
    }

    /// The members to write. A new member with a rank goes after the last one of lower rank; others go to the end.
    var all: [Member] {
        var members = members.filter { $0.source != nil }
        let added = added.filter { $0.source != nil }
        let ranked = added.compactMap { member in rank(member.key).map { (member, $0) } }
        if !ranked.isEmpty {
            var ranks = members.map { member in
                (member.keyValue.flatMap { document.string($0) }.flatMap(rank)) ?? Int.max
            }
            for (member, own) in ranked {
                let place = ranks.lastIndex { $0 < own }.map { $0 + 1 } ?? 0
                members.insert(member, at: place)
                ranks.insert(own, at: place)
            }
        }
        members += added.filter { rank($0.key) == nil }
        return members
    }
}
