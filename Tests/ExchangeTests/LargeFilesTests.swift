import Exchange
import Testing

/// Files that are never completely in memory: they are generated while they are read.
struct LargeFilesTests {
    /// A file of a head, one piece repeated many times, and an end.
    // One thread reads it.
    private final class Repeated: @unchecked Sendable {
        let head: [UInt8]
        let piece: [UInt8]
        let count: Int
        let end: [UInt8]
        /// The largest number of bytes requested at once.
        private(set) var largest = 0

        init(_ head: String, _ piece: String, times count: Int, _ end: String) {
            self.head = Array(head.utf8)
            self.piece = Array(piece.utf8)
            self.count = count
            self.end = Array(end.utf8)
        }

        var byteCount: Int { head.count + piece.count * count + end.count }

        func bytes(at start: Int, count wanted: Int) -> [UInt8] {
            largest = max(largest, wanted)
            var output: [UInt8] = []
            output.reserveCapacity(wanted)
            var place = start
            while output.count < wanted, place < byteCount {
                let rest = wanted - output.count
                let part: ArraySlice<UInt8>
                if place < head.count {
                    part = head[place...].prefix(rest)
                } else if place < head.count + piece.count * self.count {
                    part = piece[((place - head.count) % piece.count)...].prefix(rest)
                } else {
                    part = end[(place - head.count - piece.count * self.count)...].prefix(rest)
                }
                output += part
                place += part.count
            }
            return output
        }
    }

    private static let words = String(repeating: "words ", count: 3000)

    static let kinds: [(name: String, head: String, piece: String, end: String)] = [
        ("one object a line", "", #"{"url":"https://example.org/","title":"T","note":""# + words + "\"}\n", ""),
        (
            "a list", "[\n", #"{"url":"https://example.org/","title":"T","note":""# + words + "\"},\n",
            #"{"url":"https://e.org/"}]"#
        ),
        ("CSV", "url,title,note\n", "https://example.org/,T,\"\(words)\n\"\n", ""),
        (
            "HTML", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL>\n",
            "<DT><A HREF=\"https://example.org/\">T</A>\n<DD>\(words)\n", "</DL>"
        ),
        ("links", "", "https://example.org/ \(words)\n", ""),
    ]

    @Test(arguments: kinds.indices)
    func `a list of any size is read with a few megabytes at a time`(index: Int) throws {
        let kind = Self.kinds[index]
        let file = Repeated(kind.head, kind.piece, times: 700, kind.end)
        #expect(file.byteCount > 12_000_000)
        var count = 0
        var faults: [ImportFault] = []
        try ImportFile.read(
            ImportInput(byteCount: file.byteCount) { file.bytes(at: $0, count: $1) }, format: { _ in }
        ) { event in
            switch event {
            case .entry: count += 1
            case .fault(let fault): faults.append(fault)
            case .folder, .untaken: break
            }
        }
        #expect(count == 700 + (kind.name == "a list" ? 1 : 0), "\(kind.name)")
        #expect(faults.isEmpty, "\(kind.name): \(faults.prefix(3))")
        #expect(file.largest <= 4 << 20, "\(kind.name)")
    }
}
