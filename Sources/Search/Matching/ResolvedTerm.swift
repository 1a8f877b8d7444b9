/// A scored term as found in one segment.
enum ResolvedTerm {
    /// No document has it.
    case absent
    case list(PostingList)
    case union(TermUnion)
    case phrase([PostingList])
    /// Words in sequence, the possible last words, and the distances of all from the first.
    case phrasePrefix([PostingList], TermUnion, places: [UInt32])

    /// The approximate number of bytes to read.
    var cost: Int {
        switch self {
        case .absent: 0
        case .list(let list): list.count
        case .union(let union): union.byteCount
        case .phrase(let lists): lists.map(\.count).min() ?? 0
        case .phrasePrefix(let lists, _, _): lists.map(\.count).min() ?? 0
        }
    }
}

/// Terms of a segment that count as one: those with the same prefix.
struct TermUnion {
    let word: [UInt8]
    /// The weights of one occurrence in quarters: of the word itself, and of longer words.
    let exactQuarters: UInt32
    let longerQuarters: UInt32
    /// Whether parts of tokens with the prefix count as well, a quarter each.
    let reachesParts: Bool
    /// The segment's data about plain tokens with the prefix.
    let beginning: Beginning?
    /// The approximate size of the lists in bytes.
    let byteCount: Int

    /// The number of documents for ranking: those with matching plain tokens. `nil` if they must be counted.
    var documentCount: Int? { beginning?.count }

    /// Calls `body` with each list and the weight of an occurrence in quarters.
    func forEachList(
        in segment: Segment, _ body: (PostingList, UInt32) throws(IndexDamage) -> Void
    ) throws(IndexDamage) {
        try forEachPlainList(in: segment, body)
        try forEachPartList(in: segment, body)
    }

    /// As `forEachList`, for plain tokens only. A list that the segment keeps for a prefix stands for those of its tokens;
    /// it has no positions.
    func forEachPlainList(
        in segment: Segment, _ body: (PostingList, UInt32) throws(IndexDamage) -> Void
    ) throws(IndexDamage) {
        if let all = beginning?.list {
            try body(all, longerQuarters)
            if exactQuarters > longerQuarters, let own = try segment.list(word) {
                try body(own, exactQuarters - longerQuarters)
            }
            return
        }
        var cursor = TermCursor(segment)
        try cursor.seek(word)
        // For a single character, the lists of two characters stand for all tokens with those prefixes.
        for (pair, list) in try pairLists(in: segment) {
            while !cursor.isAtEnd, cursor.compare(pair, pair.count) < 0 { try next() }
            try body(list, longerQuarters)
            try cursor.seek(Self.behind(pair))
        }
        while !cursor.isAtEnd, cursor.hasPrefix(word) { try next() }

        func next() throws(IndexDamage) {
            try body(try cursor.list(), cursor.length == word.count ? exactQuarters : longerQuarters)
            try cursor.next()
        }
    }

    /// As `forEachPlainList`, but with the lists of the tokens themselves, which have positions.
    func forEachTokenList(
        in segment: Segment, _ body: (PostingList, UInt32) throws(IndexDamage) -> Void
    ) throws(IndexDamage) {
        var cursor = TermCursor(segment)
        try cursor.seek(word)
        while !cursor.isAtEnd, cursor.hasPrefix(word) {
            try body(try cursor.list(), cursor.length == word.count ? exactQuarters : longerQuarters)
            try cursor.next()
        }
    }

    private func pairLists(in segment: Segment) throws(IndexDamage) -> [([UInt8], PostingList)] {
        guard let first = word.first, word.count == PrefixLists.characterLength(first) else { return [] }
        var pairs: [([UInt8], PostingList)] = []
        var cursor = TermCursor(segment)
        let mark = [PostingDetail.prefixMark] + word
        try cursor.seek(mark)
        while !cursor.isAtEnd, cursor.hasPrefix(mark) {
            let beginning = Array(cursor.bytes.dropFirst())
            if beginning.count > word.count, Beginning.hasList(beginning, documentCount: segment.documentCount) {
                pairs.append((beginning, try cursor.list()))
            }
            try cursor.next()
        }
        return pairs
    }

    /// The least string of bytes above all strings with the prefix; empty if there is none.
    static func behind(_ prefix: [UInt8]) -> [UInt8] {
        var behind = prefix
        while let last = behind.popLast() {
            if last < 0xFF { return behind + [last + 1] }
        }
        return []
    }

    /// As `forEachList`, for parts of tokens.
    func forEachPartList(
        in segment: Segment, _ body: (PostingList, UInt32) throws(IndexDamage) -> Void
    ) throws(IndexDamage) {
        if !reachesParts { return }
        var cursor = TermCursor(segment)
        let part = [PostingDetail.partMark] + word
        try cursor.seek(part)
        while !cursor.isAtEnd, cursor.hasPrefix(part) {
            try body(try cursor.list(), 1)
            try cursor.next()
        }
    }
}

extension ResolvedTerm {
    init(_ term: ScoredTerm, in segment: Segment) throws(IndexDamage) {
        switch term {
        case .term(let word): self = try segment.list(word).map(Self.list) ?? .absent
        case .prefix(let word):
            self = try Self.union(word, exact: 4, longer: 4, parts: false, segment)
        case .bare(let word, let reachesParts):
            self = try Self.union(word, exact: 4, longer: 1, parts: reachesParts, segment)
        case .phrase(let words):
            var lists: [PostingList] = []
            for word in words {
                guard let list = try segment.list(word) else {
                    self = .absent
                    return
                }
                lists.append(list)
            }
            self = .phrase(lists)
        case .phrasePrefix(let words, let places):
            var lists: [PostingList] = []
            for word in words.dropLast() {
                guard let list = try segment.list(word) else {
                    self = .absent
                    return
                }
                lists.append(list)
            }
            switch try Self.union(words[words.count - 1], exact: 4, longer: 1, parts: false, segment, always: true) {
            case .union(let union): self = .phrasePrefix(lists, union, places: places)
            default: self = .absent
            }
        }
    }

    /// A union, or a single list if that is enough.
    private static func union(
        _ word: [UInt8], exact: UInt32, longer: UInt32, parts: Bool, _ segment: Segment, always: Bool = false
    ) throws(IndexDamage) -> ResolvedTerm {
        let kept = try segment.beginning(word)
        if let list = kept?.list, exact == longer, !parts, !always { return .list(list) }
        var cursor = TermCursor(segment)
        var partCount = 0
        if parts {
            let part = [PostingDetail.partMark] + word
            try cursor.seek(part)
            if !cursor.isAtEnd, cursor.hasPrefix(part) { partCount = 1 }
        }
        try cursor.seek(word)
        let hasPlain = !cursor.isAtEnd && cursor.hasPrefix(word)
        if !hasPlain && partCount == 0 { return .absent }
        let start = cursor.documentOffset
        if hasPlain, partCount == 0, !always {
            let list = try cursor.list()
            // A list with another weight than 1 stays a union of one list.
            let isWhole = (cursor.length == word.count ? exact : longer) == 4
            try cursor.next()
            if isWhole, cursor.isAtEnd || !cursor.hasPrefix(word) { return .list(list) }
        }
        // The end of the lists of all words with the prefix is the start of the next word's list.
        let behind = TermUnion.behind(word)
        var end = start + 64
        if !behind.isEmpty {
            try cursor.seek(behind)
            if !cursor.isAtEnd { end = cursor.documentOffset }
        }
        return .union(
            TermUnion(
                word: word, exactQuarters: exact, longerQuarters: longer, reachesParts: parts,
                beginning: kept, byteCount: max(64, end - start)))
    }
}
