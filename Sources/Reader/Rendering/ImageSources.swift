/// The addresses a picture may be found under, the likeliest first.
enum ImageSources {
    static func of(_ image: Int, _ tree: borrowing PageTree) -> [[UInt8]] {
        var sources: [[UInt8]] = []
        func add(_ value: ArraySlice<UInt8>?) {
            guard let value, !value.isEmpty, !value.starts(with: "data:".utf8) else { return }
            sources.append(Array(value))
        }
        // A lazy picture's `src` is a placeholder.
        for name in [AttributeName.dataSrc, .dataLazySrc, .dataOriginal, .src] { add(tree.value(image, name)) }
        for name in [AttributeName.srcset, .dataSrcset] {
            if let set = tree.value(image, name) { sources += candidates(set) }
        }
        if let picture = tree.ancestor(image, where: { tree.nodes[$0].tag == .picture }) {
            for index in picture..<Int(tree.nodes[picture].end) where tree.nodes[index].tag == .source {
                for name in [AttributeName.srcset, .dataSrcset] {
                    if let set = tree.value(index, name) { sources += candidates(set) }
                }
            }
        }
        return sources
    }

    /// The addresses of a `srcset`, the last (mostly the largest) first; at most 16.
    private static func candidates(_ set: ArraySlice<UInt8>) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var index = set.startIndex
        while index < set.endIndex, found.count < 16 {
            while index < set.endIndex, isSpace(set[index]) || set[index] == 0x2C { index += 1 }
            let start = index
            while index < set.endIndex, !isSpace(set[index]) { index += 1 }
            var end = index
            while end > start, set[end - 1] == 0x2C { end -= 1 }
            if end > start, !set[start..<end].starts(with: "data:".utf8) { found.append(Array(set[start..<end])) }
            if end < index { continue }
            while index < set.endIndex, set[index] != 0x2C { index += 1 }
        }
        return found.reversed()
    }
}
