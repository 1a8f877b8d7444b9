internal import Files

/// `.sbfs/log-…`: the steps of this device, oldest first by their numbers.
package final class JournalFolder: Sendable {
    let directory: Directory
    private let device: DeviceFolder

    /// The file of a step.
    package func path(of number: Int) -> String { directory.path + "/" + JournalFormat.name(number) }

    /// The folder with the files that a step kept, without their names; `nil` if it kept none.
    package func keptFiles(of number: Int) -> String? {
        let name = JournalFormat.name(number) + JournalFormat.folderSuffix
        let status = (try? directory.statusIfPresent(of: name)) ?? nil
        return status?.kind == .directory ? directory.path + "/" + name : nil
    }

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
            let isMark = JournalFormat.number(name, without: JournalFormat.backgroundSuffix) != nil
            if isMark || JournalFormat.number(name) != nil { return entry.kind != .regular }
            return entry.kind != .directory || JournalFormat.number(name, without: JournalFormat.folderSuffix) == nil
        }
        return strays.map(\.name.repaired).sorted()
    }

    static func numbers(in folder: borrowing Directory) throws(FileError) -> [Int] { try Listing(of: folder).numbers }

    /// The steps of a folder, from one listing.
    struct Listing {
        /// All steps, rising.
        private(set) var numbers: [Int] = []
        /// Those that are marked as begun by sbfs itself.
        private(set) var background: Set<Int> = []

        init(of folder: borrowing Directory) throws(FileError) {
            for entry in try folder.entries() {
                guard let name = entry.name.string else { continue }
                if let number = JournalFormat.number(name) {
                    numbers.append(number)
                } else if let number = JournalFormat.number(name, without: JournalFormat.backgroundSuffix) {
                    background.insert(number)
                }
            }
            numbers.sort()
        }

        mutating func append(_ number: Int, isBackground: Bool) {
            numbers.append(number)
            if isBackground { background.insert(number) }
        }

        /// The steps of one group, rising.
        func group(isBackground: Bool) -> [Int] { numbers.filter { background.contains($0) == isBackground } }
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

    private static let groups = [(false, JournalFormat.limits), (true, JournalFormat.backgroundLimits)]

    /// Removes the oldest steps above the limits of steps. Checks the limits of bytes only sometimes.
    ///
    /// A step that cannot be removed stays until the next call.
    static func tidy(_ folder: borrowing Directory, _ listing: Listing) {
        for (isBackground, limits) in groups {
            for number in listing.group(isBackground: isBackground).dropLast(limits.stepCount) {
                try? remove(number, in: folder)
            }
        }
        // Checking every file's size costs more than all the rest, so this is done for every 16th step. Large steps
        // check it themselves.
        if let last = listing.numbers.last, last % 16 == 0 { tidyBytes(folder) }
    }

    /// Removes the oldest steps of each group until the rest is within its byte limit; the latest stays.
    static func tidyBytes(_ folder: borrowing Directory) {
        guard let listing = try? Listing(of: folder) else { return }
        for (isBackground, limits) in groups {
            var total = 0
            var isFull = false
            for (place, number) in listing.group(isBackground: isBackground).reversed().enumerated() {
                let name = JournalFormat.name(number)
                let own = (try? folder.statusIfPresent(of: name)?.byteCount) ?? 0
                let all = own &+ byteCount(of: name + JournalFormat.folderSuffix, in: folder)
                let (sum, isTooLarge) = total.addingReportingOverflow(all)
                total = sum
                isFull = isFull || isTooLarge || total > limits.byteCount
                if isFull, place > 0 { try? remove(number, in: folder) }
            }
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
        try folder.removeTree(name + JournalFormat.backgroundSuffix)
        try folder.removeTree(name + JournalFormat.folderSuffix)
        // A folder may have a step's name, though no program makes one.
        try folder.removeTree(name)
    }
}
