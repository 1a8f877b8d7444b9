internal import Files

/// `.sbfs/log-…`: the steps of this device, oldest first by their numbers.
package final class JournalFolder: Sendable {
    let directory: Directory
    private let device: DeviceFolder

    /// - Returns: `nil` if nothing was changed yet, or the library cannot be changed.
    package init?(in store: ItemStore) throws(ItemError) {
        guard let device = store.device else { return nil }
        self.device = device
        let found = try files { () throws(FileError) in try device.journal(isMade: false) }
        guard let found else { return nil }
        directory = found
    }

    /// The numbers of all steps, rising.
    package func numbers() throws(ItemError) -> [Int] {
        try files { () throws(FileError) in try Self.numbers(in: directory) }
    }

    /// Entries with a step's name that are no files, and entries with other names. None of them is read.
    package func strays() throws(ItemError) -> [String] {
        let entries = try files { () throws(FileError) in try directory.entries() }
        let strays = entries.filter { entry in
            guard let name = entry.name.string else { return true }
            if JournalFormat.number(name) != nil { return entry.kind != .regular }
            let stem = name.hasSuffix(JournalFormat.folderSuffix) ? name.dropLast(JournalFormat.folderSuffix.count) : ""
            return entry.kind != .directory || JournalFormat.number(String(stem)) == nil
        }
        return strays.map(\.name.repaired).sorted()
    }

    static func numbers(in folder: borrowing Directory) throws(FileError) -> [Int] {
        try folder.entries().compactMap { $0.name.string.flatMap(JournalFormat.number) }.sorted()
    }

    /// Forgets every step.
    package func clear() throws(ItemError) {
        try files { () throws(FileError) in
            for number in try Self.numbers(in: directory) { try Self.remove(number, in: directory) }
            for entry in try directory.entries() {
                if let name = entry.name.string { try directory.removeTree(name) }
            }
            // The journal of an earlier program.
            try device.directory.removeTree(Layout.earlierLog)
        }
    }

    // MARK: Tidying

    /// Removes the oldest steps above the limit of steps. Checks the limit of bytes only sometimes.
    ///
    /// A step that cannot be removed stays until the next call.
    static func tidy(_ folder: borrowing Directory, _ numbers: [Int]) {
        for number in numbers.dropLast(JournalFormat.stepLimit) { try? remove(number, in: folder) }
        // Checking every file's size costs more than all the rest, so this is done for every 16th step. Large steps
        // check it themselves.
        if let last = numbers.last, last % 16 == 0 { tidyBytes(folder) }
    }

    /// Removes the oldest steps until the rest is within the byte limit; the latest stays.
    static func tidyBytes(_ folder: borrowing Directory) {
        guard let entries = try? folder.entries() else { return }
        var sizes: [Int: Int] = [:]
        for entry in entries {
            guard let name = entry.name.string else { continue }
            if let number = JournalFormat.number(name) {
                sizes[number, default: 0] += (try? folder.statusIfPresent(of: name)?.byteCount) ?? 0
            } else if name.hasSuffix(JournalFormat.folderSuffix), entry.kind == .directory,
                let number = JournalFormat.number(String(name.dropLast(JournalFormat.folderSuffix.count)))
            {
                sizes[number, default: 0] += byteCount(of: name, in: folder)
            }
        }
        var total = 0
        var isFull = false
        for (place, number) in sizes.keys.sorted(by: >).enumerated() {
            let (sum, isTooLarge) = total.addingReportingOverflow(sizes[number] ?? 0)
            total = sum
            isFull = isFull || isTooLarge || total > JournalFormat.byteLimit
            if isFull, place > 0 { try? remove(number, in: folder) }
        }
    }

    private static func byteCount(of shelf: String, in folder: borrowing Directory) -> Int {
        guard let directory = try? folder.directory(shelf), let entries = try? directory.entries() else { return 0 }
        return entries.reduce(0) { sum, entry in
            let status = entry.name.string.flatMap { try? directory.statusIfPresent(of: $0) }
            return sum &+ (status?.byteCount ?? 0)
        }
    }

    /// Removes the documents first: a step without them can still report that.
    private static func remove(_ number: Int, in folder: borrowing Directory) throws(FileError) {
        let name = JournalFormat.name(number)
        try folder.removeTree(name + JournalFormat.folderSuffix)
        // A folder may have a step's name, though no program makes one.
        try folder.removeTree(name)
    }
}
