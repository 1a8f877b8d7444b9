package import Files
package import Items
public import Time

/// What one part of the verification found, and when the next is due.
package struct VerificationTurn: Sendable {
    /// An item with faults, or one whose faults are gone.
    package struct Result: Sendable {
        /// The item.
        package let id: ItemID
        /// What is wrong, as `check` says it; empty if the item is sound again.
        package let findings: [Finding]
    }

    /// When to go on.
    package enum Next: Hashable, Sendable {
        /// The bytes of this turn are used up, or the monitor was cancelled.
        case now
        /// Every item was read lately. The next one is due then.
        case at(Timestamp)
        /// There are no items.
        case whenItemsAreAdded
    }

    /// Bytes of the files read.
    package var byteCount = 0
    /// Items read to their ends.
    package var itemCount = 0
    /// In the order of reading.
    package var results: [Result] = []
    /// When to go on.
    package var next = Next.now
    /// Why this device could not note what was read; it notes it later, or reads it again.
    package var memoryFault: FileError?
}

/// How much of the library was read to its end lately.
public struct VerificationStatus: Equatable, Sendable {
    /// All items, those in the trash included.
    public var itemCount = 0
    /// Items that were read within the last 30 days and are sound.
    public var verifiedCount = 0
    /// Items in which something was wrong when they were last read.
    public var faulty: [ItemID] = []

    /// From 0 to 1; 1 for a library without items.
    public var share: Double { itemCount == 0 ? 1 : Double(verifiedCount) / Double(itemCount) }
}

extension Library {
    /// How much of the library this device has read to its end within 30 days.
    ///
    /// - Throws: `ItemError` if a folder of the library cannot be listed.
    public func verificationStatus(at now: Timestamp = .now) throws -> VerificationStatus {
        let table = store.device.map { VerifiedTable.read(in: $0.directory) } ?? VerifiedTable()
        return try VerificationStatus(table, try ids(), at: now)
    }

    /// Reads the library's files little by little to find damage; `nil` if this device cannot note what was read,
    /// because the library is read-only.
    package func verifier() -> Verifier? { Verifier(store) }
}

extension VerificationStatus {
    init(_ table: VerifiedTable, _ ids: [ItemID], at now: Timestamp) throws {
        itemCount = ids.count
        let today = Int(VerifiedDay.day(of: now))
        for id in ids {
            guard let record = table[table.key(id)] else { continue }
            if record.hasFault {
                faulty.append(id)
            } else if Verifier.age(of: record, today).map({ $0 <= Verifier.period }) ?? false {
                verifiedCount += 1
            }
        }
    }
}
