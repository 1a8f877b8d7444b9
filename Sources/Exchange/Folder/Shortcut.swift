internal import PropertyList

/// A file that holds the address of one page: a Windows .url, a macOS .webloc (XML or binary), or a desktop entry.
package enum Shortcut {
    /// Endings of names, in lower case and without a dot.
    package static let suffixes: Set<String> = ["url", "webloc", "desktop"]
    /// A larger file is no shortcut: 1 MiB.
    package static let byteLimit = 1 << 20

    /// Whether the first line is the header of a Windows .url or of a desktop entry. A .webloc is a property list.
    static func isOne(_ head: ArraySlice<UInt8>) -> Bool {
        let line = head.prefix { $0 != 0x0A && $0 != 0x0D }.map(\.lowercased)
        return line.starts(with: "[internetshortcut]".utf8) || line.starts(with: "[desktop entry]".utf8)
    }

    /// The address as the file spells it; `nil` if there is none.
    package static func url(in bytes: [UInt8]) -> String? {
        if bytes.starts(with: "bplist".utf8) || bytes.starts(with: "<?xml".utf8) {
            return (try? PropertyList(bytes))?["URL"]?.string
        }
        for line in ImportText(bytes).bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            // KDE marks values in which variables are expanded.
            for key in ["URL=", "URL[$e]="] where line.starts(with: key.utf8) {
                return String(decoding: line.dropFirst(key.utf8.count), as: UTF8.self)
            }
        }
        return nil
    }
}
