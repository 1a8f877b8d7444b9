internal import Items
internal import JSONFormat

/// The first file of a pack: pack.json. Documentation/Exchange.md § 3.
struct PackHeader {
    /// A tombstone, or a file of collections/, tags/ or smart/.
    struct Beside {
        /// Relative to the library's folder.
        let path: String
        /// Nanoseconds since 1970.
        let modified: Int64

        /// The item whose tombstone it is; `nil` for a small file.
        var purged: ItemID? {
            if case .tombstone(let id)? = ExchangeLayout.place(inPack: path) { id } else { nil }
        }
    }

    let library: ItemID
    /// Packs that the device had taken, or written, before it wrote this one: the last of each device.
    var after: [Items.ContentHash] = []
    var besides: [Beside] = []

    init(library: ItemID) { self.library = library }

    var bytes: [UInt8] {
        JSON.members([
            ("format", .integer(ExchangeLayout.format)), ("library", .string(library.description)),
            ("after", .strings(after.map(\.hex))),
            (
                "besides",
                besides.isEmpty
                    ? nil
                    : .array(
                        besides.map {
                            .members([("path", .string($0.path)), ("modified", .string(String($0.modified)))])
                        })
            ),
        ]).file
    }

    /// - Throws: why the pack is not taken.
    init(_ bytes: [UInt8], of library: ItemID) throws(ExchangeHead.Refusal) {
        guard let json = JSONReading(bytes), let format = json.count("format"), format > 0 else { throw .damaged }
        if format > ExchangeLayout.format { throw .tooNew }
        guard let found = json.id("library") else { throw .damaged }
        if found != library { throw .otherLibrary }
        self.init(library: library)
        after = json.hashes("after")
        for entry in json.objects("besides") {
            guard let path = entry.text("path"), let time = entry.number("modified") else { throw .damaged }
            switch ExchangeLayout.place(inPack: path) {
            case .tombstone, .small: besides.append(Beside(path: path, modified: time))
            default: throw .damaged
            }
        }
    }
}
