internal import Files
internal import JSONFormat
package import Time

/// `.sbfs/background`: what background work remembers on this device from run to run. DeviceFiles.md § D9.
///
/// Losing the file costs nothing but a question that is asked again.
package struct BackgroundMemory: Equatable, Sendable {
    /// The number of waiting pages that a person let this device save without a further question; 0 for none.
    package var archiveConsent = 0
    /// What a person was told waits for consent: words of the caller.
    package var told: Set<String> = []
    /// When expired items were last purged.
    package var purgedAt: Timestamp?

    /// A memory of nothing.
    package init() {}

    init?(parsing bytes: [UInt8]) {
        guard let json = try? JSONDocument(parsing: bytes), json.kind(json.root) == .object else { return nil }
        func member(_ key: String) -> JSONDocument.Value? { json.member(key, of: json.root) }
        archiveConsent = member("archiveConsent").flatMap { json.count($0) } ?? 0
        told = Set(member("told").map { json.elements($0).compactMap { json.string($0) } } ?? [])
        purgedAt = member("purgedAt").flatMap { json.string($0) }.flatMap { Timestamp($0) }
    }

    var bytes: [UInt8] {
        JSONWriter.file(
            .members([
                ("archiveConsent", archiveConsent > 0 ? .integer(archiveConsent) : nil),
                ("told", told.isEmpty ? nil : .strings(told.sorted())),
                ("purgedAt", purgedAt.map { .string($0.rfc3339) }),
            ]))
    }
}

extension WriteSession {
    /// What background work remembers here; of nothing if the library cannot be written.
    package var backgroundMemory: BackgroundMemory {
        let contents = try? device?.directory.contentsIfPresent(of: Layout.background, limit: 1 << 16)
        return contents.flatMap { $0 }.flatMap { BackgroundMemory(parsing: $0.bytes) } ?? BackgroundMemory()
    }

    /// Changes the memory while no other sbfs writes.
    ///
    /// - Throws: `ItemError` if the library cannot be written, or the disk is full.
    package func remember(_ change: (inout BackgroundMemory) -> Void) throws(ItemError) {
        guard let device else { throw store.unwritable }
        try locked { () throws(ItemError) in
            let old = backgroundMemory
            var new = old
            change(&new)
            if new == old { return }
            try files { () throws(FileError) in try device.directory.replaceFile(Layout.background, with: new.bytes) }
        }
    }
}
