import Testing

@testable import Search

struct FoldingTableTests {
    private let rows = FoldingTable.rows.description.unicodeScalars
        .split(separator: "\n", omittingEmptySubsequences: true).map(Array.init)

    @Test func `the table has as many rows as it says`() {
        #expect(rows.count == FoldingTable.count)
    }

    @Test func `rows rise strictly, outside ASCII and the Hangul syllables`() {
        let keys = rows.compactMap(\.first).map(\.value)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
        #expect(keys.allSatisfy { $0 >= 0x80 && !(0xAC00...0xD7A3).contains($0) })
    }

    @Test func `folding a row's scalar gives what the row says`() {
        for row in rows {
            let folded = Folding.fold(String(String.UnicodeScalarView(row[..<1])))
            #expect(Array(folded.unicodeScalars) == Array(row[1...]))
        }
    }

    @Test func `what a row gives is folded already, so folding twice is folding once`() {
        for row in rows {
            let folded = String(String.UnicodeScalarView(row[1...]))
            #expect(Array(Folding.fold(folded).unicodeScalars) == Array(folded.unicodeScalars))
        }
    }

    @Test func `no row keeps a combining mark or an upper-case letter`() {
        let marks = Set(rows.filter { $0.count == 1 }.compactMap(\.first))
        for row in rows {
            for scalar in row[1...] {
                #expect(!marks.contains(scalar))
                #expect(scalar.properties.generalCategory != .nonspacingMark)
                #expect(scalar.properties.generalCategory != .uppercaseLetter)
            }
        }
    }
}
