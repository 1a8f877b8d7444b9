import Items
import Testing

/// The field table of FORMAT.md § 5.3 equals the one in the code.
struct FieldTableTests {
    @Test func `the field table has every key in canonical order`() throws {
        let rows = try FormatDocument().table(behind: "### 5.3")
        #expect(rows.map { FormatDocument.code($0[0]).first } == ItemField.allCases.map { $0.key })
    }

    @Test func `the field table has the types of the code`() throws {
        let rows = try FormatDocument().table(behind: "### 5.3")
        #expect(rows.map { $0[1] } == ItemField.allCases.map { Self.name($0.kind) })
    }

    @Test func `the field table lists the words of the code`() throws {
        for row in try FormatDocument().table(behind: "### 5.3") {
            let field = try #require(FormatDocument.code(row[0]).first.flatMap(ItemField.init(rawValue:)))
            if case .word(let words) = field.kind { #expect(FormatDocument.code(row[6]) == words) }
        }
    }

    @Test func `the settings of library json are those of the code`() throws {
        let keys = try FormatDocument().table(behind: "## 4 library.json").compactMap {
            FormatDocument.code($0[0]).first
        }
        #expect(Set(LibraryFile.Setting.allCases.map(\.rawValue)).isSubset(of: keys))
        #expect(
            Set(keys).subtracting(LibraryFile.Setting.allCases.map(\.rawValue))
                == ["format", "minReader", "minWriter", "id", "createdAt"])
    }

    /// The name of a kind as in the table: that of the case.
    private static func name(_ kind: ItemField.Kind) -> String {
        String("\(kind)".prefix { $0 != "(" })
    }
}
