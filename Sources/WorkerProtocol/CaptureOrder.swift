public import JSONFormat

/// Save one page into one empty folder.
public struct CaptureOrder: WorkOrder, Hashable {
    /// What the worker answers in the end.
    public typealias Reply = CaptureReport
    /// What the worker tells meanwhile.
    public typealias Progress = CaptureStep

    /// The word that the order has on the wire.
    public static let name = "capture"

    /// http or https.
    public var url: String
    /// An existing empty folder, by its full path; page.html, reader.html, assets/ and document/ are made in it.
    public var folder: String
    /// What the worker may reach, and with whose cookies.
    public var access = NetworkAccess()
    /// `auto`, `never`, or the path of a browser.
    public var browser = "auto"
    /// The time for the whole, in seconds.
    public var seconds = 120
    /// A saved page on disk (HTML of SingleFile or a browser, MHTML, .webarchive) to be taken instead of fetching.
    public var savedFile: String?
    /// What a server said of the capture that is there, so that an unchanged page need not be sent again.
    public var entityTag: String?
    /// The `Last-Modified` of the capture that is there, as the server spelt it; `nil` where that is not known.
    public var lastModified: String?

    /// Makes an order with the usual browser and time, without cookies.
    public init(url: String, folder: String) {
        self.url = url
        self.folder = folder
    }

    /// The order's fields on the wire; those without a value are left out.
    public var members: [(String, JSON?)] {
        [("url", .string(url)), ("folder", .string(folder))] + access.members + [
            ("browser", .string(browser)), ("seconds", .integer(seconds)), ("savedFile", savedFile.map(JSON.string)),
            ("entityTag", entityTag.map(JSON.string)), ("lastModified", lastModified.map(JSON.string)),
        ]
    }

    package init(_ fields: WireFields) throws(WireFault) {
        url = try fields.string("url")
        folder = try fields.string("folder")
        access = try NetworkAccess(fields)
        browser = try fields.optionalString("browser") ?? browser
        seconds = try fields.optionalInteger("seconds") ?? seconds
        savedFile = try fields.optionalString("savedFile")
        entityTag = try fields.optionalString("entityTag")
        lastModified = try fields.optionalString("lastModified")
    }
}

/// How far a capture is.
public enum CaptureStep: WireValue, Hashable {
    case rendering
    case fetching
    /// - Parameter files: how many are written.
    case writing(files: Int)

    /// The step on the wire.
    public var json: JSON {
        switch self {
        case .rendering: .members([("step", .string("rendering"))])
        case .fetching: .members([("step", .string("fetching"))])
        case .writing(let files): .members([("step", .string("writing")), ("files", .integer(files))])
        }
    }

    package init(_ fields: WireFields) throws(WireFault) {
        switch try fields.string("step") {
        case "rendering": self = .rendering
        case "fetching": self = .fetching
        case "writing": self = .writing(files: try fields.integer("files"))
        default: throw WireFault("a capture has no such step")
        }
    }
}
