public import Files
internal import JSONFormat

/// Why an entry of inbox/ cannot become an item: FORMAT.md § 11.4.
public enum InboxRejection: Equatable, Sendable {
    /// It has no bytes.
    case empty
    /// A link, FIFO, socket or device.
    case notRegular(FileKind)
    /// A folder with more folders around it than a collection may have levels.
    case tooDeep(limit: Int)
    /// It has more bytes than the limit.
    case tooLarge(byteCount: Int, limit: Int)
    /// A shortcut whose address is no http or https URL.
    case noWebAddress(String)
    /// A page that was saved with a folder of files, and does not say where it comes from.
    case pageWithoutAddress

    /// The word for it in the file that says why.
    public var word: String {
        switch self {
        case .empty: "empty"
        case .notRegular(.symbolicLink): "symbolicLink"
        case .notRegular(.fifo): "fifo"
        case .notRegular(.socket): "socket"
        case .notRegular(.device): "device"
        case .notRegular: "notRegular"
        case .tooDeep: "tooDeep"
        case .tooLarge: "tooLarge"
        case .noWebAddress: "noWebAddress"
        case .pageWithoutAddress: "pageWithoutAddress"
        }
    }

    /// The bytes of the file that says why. They hold no time, so that an interrupted move is recognised.
    ///
    /// - Parameter path: the path below inbox/, as a document's original name is spelt (FORMAT.md § 3.2).
    func file(path: String) -> [UInt8] {
        var numbers: (byteCount: Int?, limit: Int?)
        var address: String?
        switch self {
        case .tooLarge(let byteCount, let limit): numbers = (byteCount, limit)
        case .tooDeep(let limit): numbers = (nil, limit)
        case .noWebAddress(let text): address = text
        default: break
        }
        return JSONWriter.file(
            .members([
                ("reason", .string(word)), ("path", .string(path)),
                ("byteCount", numbers.byteCount.map(JSON.integer)), ("limit", numbers.limit.map(JSON.integer)),
                ("address", address.map(JSON.string)),
            ]))
    }

    /// - Returns: `nil` if the file gives no reason that this version knows.
    init?(file bytes: [UInt8]) {
        guard let json = try? JSONDocument(parsing: bytes) else { return nil }
        func text(_ key: String) -> String? { json.member(key, of: json.root).flatMap { json.string($0) } }
        func count(_ key: String) -> Int {
            json.member(key, of: json.root).flatMap { Int(String(decoding: json.spelling($0), as: UTF8.self)) } ?? 0
        }
        switch text("reason") {
        case "empty"?: self = .empty
        case "symbolicLink"?: self = .notRegular(.symbolicLink)
        case "fifo"?: self = .notRegular(.fifo)
        case "socket"?: self = .notRegular(.socket)
        case "device"?: self = .notRegular(.device)
        case "notRegular"?: self = .notRegular(.unknown)
        case "tooDeep"?: self = .tooDeep(limit: count("limit"))
        case "tooLarge"?: self = .tooLarge(byteCount: count("byteCount"), limit: count("limit"))
        case "noWebAddress"?: self = .noWebAddress(text("address") ?? "")
        case "pageWithoutAddress"?: self = .pageWithoutAddress
        default: return nil
        }
    }
}
