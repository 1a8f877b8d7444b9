internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// When the index was last compared with all files, and which items could not be read then: the file `sweep`.
struct SweepState: Equatable {
    /// When the comparing began, by this device's clock.
    var begunAt: Timestamp
    /// Items that could not be read, as sentences; at most `faultLimit`.
    var faults: [String] = []
    /// Of all, also beyond the limit.
    var faultCount = 0

    static let faultLimit = 1000

    init(begunAt: Timestamp, faults: [String]) {
        self.begunAt = begunAt
        self.faults = Array(faults.prefix(Self.faultLimit))
        faultCount = faults.count
    }

    /// - Returns: `nil` where there is none; one that is torn counts as none.
    static func read(in place: IndexPlace) -> SweepState? {
        guard let contents = try? place.directory.contentsIfPresent(of: Layout.sweep, limit: 16 << 20),
            let json = try? JSONDocument(parsing: contents.bytes),
            let begunAt = json.member("begunAt", of: json.root).flatMap({ json.string($0) }).flatMap(Timestamp.init),
            let faults = json.member("faults", of: json.root)
        else { return nil }
        return SweepState(begunAt: begunAt, faults: json.elements(faults).compactMap { json.string($0) })
    }

    /// Not synced: without it the next command sweeps.
    func write(in place: IndexPlace) {
        let bytes = JSONWriter.file(
            .members([("begunAt", .string(begunAt.rfc3339)), ("faults", .strings(faults))]))
        try? place.directory.replaceFile(Layout.sweep, with: bytes)
    }
}
