extension JSONDocument {
    /// The root object on one line, with members before and behind its own; own ones with the same keys are left out.
    package func oneLine(leading: [JSON.Member], trailing: [JSON.Member]) -> [UInt8] {
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
    /// Members keep their order, unknown ones their place and their numbers' spelling. A new member goes behind the last
    /// one that precedes it in `order`, or to the front.
    ///
    /// - Parameters:
    ///   - changes: the new value of a key, or `nil` to remove it.
    ///   - rank: a key's place in the canonical order, or `nil` for keys that have none.
    package func rewriting(_ changes: [(key: String, value: JSON?)], rank: (String) -> Int?) -> [UInt8] {
        enum Source {
            case document(Value)
            case new(JSON)
        }
        var members: [(key: String, keyValue: Value?, source: Source)] = self.members(root).map { member in
            (string(member.key) ?? "", member.key, .document(member.value))
        }
        for (key, value) in changes {
            let place = members.firstIndex { $0.key == key }
            guard let value else {
                if let place { members.remove(at: place) }
                continue
            }
            if let place {
                members[place].source = .new(value)
                continue
            }
            let own = rank(key) ?? Int.max
            let before = members.lastIndex { (rank($0.key) ?? Int.max) < own }
            members.insert((key, nil, .new(value)), at: own == Int.max ? members.count : before.map { $0 + 1 } ?? 0)
        }
        var writer = JSONWriter(.canonical)
        writer.list("{", "}", members, 0) { writer, member in
            if let key = member.keyValue {
                writer.string(key, of: self)
                writer.colon()
            } else {
                writer.key(member.key)
            }
            switch member.source {
            case .document(let value): writer.write(value, of: self, level: 1)
            case .new(let value): writer.write(value, level: 1)
            }
        }
        return writer.bytes + [0x0A]
    }
}
