import StuffBucket

/// Writes items as lines of text, and reads them.
struct BulkFile {
    /// In the order of the file.
    private(set) var ids: [ItemID] = []
    private(set) var lines: [ItemID: BulkLine] = [:]

    private static func header(_ count: Int, _ shown: [ItemField], isPrinted: Bool) -> String {
        let fields = shown.map { " " + $0.key + "=value" }.joined()
        return """
            # \(count) item\(count == 1 ? "" : "s"), one a line. Only what you change here changes in the items.
            #
            #   id  flags  "title"  #tag #"two words" @Collection/Nested\(fields)
            #
            # Flags: p pinned, f favourite, x in the trash, - none.
            # Removed tags are removed from the item, new ones are added. A title of "" removes the title.
            # Text in quotation marks: \\" is a quotation mark, \\\\ a backslash. A comment follows a ;.
            # If you delete a line, its item does not change. Lines that begin with # are ignored.

            """
                + (isPrinted
                    ? "# Leave the word that begins with ~: by it, --apply finds what changed in the item since.\n"
                    : "")
    }

    /// The text of items: a header, and a line for each item.
    ///
    /// - Parameters:
    ///   - hasLongIDs: whether to write whole ids even if eight digits are enough.
    ///   - isPrinted: whether each line names the fields that it was printed from, because no base is kept.
    static func text(
        _ items: [StoredItem], _ shown: [ItemField], _ names: BulkNames, _ library: Library, hasLongIDs: Bool = false,
        isPrinted: Bool = false
    ) -> [UInt8] {
        var text = header(items.count, shown, isPrinted: isPrinted)
        for stored in items {
            let remark = stored.item.hasTitle ? nil : library.displayTitle(of: stored)
            let id = hasLongIDs ? stored.id.description : names.name(stored.id)
            var line = BulkLine(stored, shown)
            if isPrinted { line.printedFrom = stored.fieldsName }
            text += line.text(id, shown, remark: remark.map { String($0.prefix(80)) }) + "\n"
        }
        return Array(text.utf8)
    }

    /// Errors in a text, each with its line number.
    struct Faults: Error, CustomStringConvertible {
        let name: String
        let faults: [(line: Int, message: String)]

        var description: String {
            let shown = faults.prefix(10).map { "\(name):\($0.line): \($0.message)" }
            let more = faults.count > 10 ? ["\(name): \(faults.count - 10) more lines are not valid"] : []
            return (shown + more).joined(separator: "\n")
        }
    }

    /// - Parameters:
    ///   - name: the file's name, for messages.
    ///   - find: returns the item for a typed id; throws `BulkLine.Fault`.
    ///   - check: checks a line further; throws the error.
    init(
        parsing bytes: [UInt8], name: String, find: (String) throws -> ItemID,
        check: (BulkLine) throws -> Void = { _ in }
    ) throws {
        var faults: [(line: Int, message: String)] = []
        var numbers: [ItemID: Int] = [:]
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var number = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let line = Array(bytes[start..<end])
            start = end + 1
            number += 1
            let first = line.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
            if first == nil || first == UInt8(ascii: "#") { continue }
            do {
                let (typed, parsed) = try BulkLine.parse(line)
                let id = try find(typed)
                if let earlier = numbers[id] { throw BulkLine.Fault(message: "the item is in line \(earlier) too") }
                try check(parsed)
                numbers[id] = number
                ids.append(id)
                lines[id] = parsed
            } catch let fault as BulkLine.Fault {
                faults.append((number, fault.message))
            } catch {
                faults.append((number, "\(error)"))
            }
        }
        if !faults.isEmpty { throw Faults(name: name, faults: faults) }
    }
}

/// Short names, each of which means exactly one item of the library.
struct BulkNames {
    private var byDigits: [String: [ItemID]] = [:]

    /// Considers all items of the library.
    init(_ library: Library) throws {
        for id in try library.ids() { byDigits[id.short, default: []].append(id) }
    }

    /// Considers only these items.
    init(_ ids: [ItemID]) {
        for id in ids { byDigits[id.short, default: []].append(id) }
    }

    /// Eight digits, or the whole id if another one ends with the same digits.
    func name(_ id: ItemID) -> String { byDigits[id.short, default: []].count > 1 ? id.description : id.short }

    func find(_ name: String) throws -> ItemID {
        if let id = ItemID(name), byDigits[id.short, default: []].contains(id) { return id }
        let ids = byDigits[name.lowercased()] ?? []
        if ids.count > 1 { throw BulkLine.Fault(message: "\"\(name)\" names \(ids.count) items; write the whole id") }
        guard let id = ids.first else { throw BulkLine.Fault(message: "\"\(name)\" is not the id of an item here") }
        return id
    }
}
