package import JSONFormat

/// Orders the saving of one page into an empty folder.
package struct CaptureOrder: WorkOrder, Hashable {
    /// The worker's final answer.
    package typealias Reply = CaptureReport
    /// The worker's progress reports.
    package typealias Progress = CaptureStep

    /// The order's name on the wire.
    package static let name = "capture"

    /// An http or https URL.
    package var url: String
    /// The full path of an existing empty folder; the worker makes page.html, reader.html, assets/ and document/ in
    /// it.
    package var folder: String
    /// The addresses that the worker may contact, and the cookies.
    package var access = NetworkAccess()
    /// `auto`, `never`, or the path of a browser.
    package var browser = "auto"
    /// The time for the whole order, in seconds.
    package var seconds = 120
    /// Whether dialogs that cover the page stay, with the scroll lock that comes with them.
    package var isAsIs = false
    /// Whether a print, page.pdf, is made too. Only a browser makes one.
    package var isPrinted = false
    /// Whether a picture, page.png, is made too. Only a browser makes one.
    package var isPictured = false
    /// A saved page on disk (HTML of SingleFile or a browser, MHTML, .webarchive) that is used instead of fetching.
    package var savedFile: String?
    /// The `ETag` of the existing capture, so that an unchanged page need not be sent again; `nil` if unknown.
    package var entityTag: String?
    /// The `Last-Modified` of the existing capture, as the server spelt it; `nil` if unknown.
    package var lastModified: String?

    /// Makes an order with the default browser and time, without cookies.
    package init(url: String, folder: String) {
        self.url = url
        self.folder = folder
    }

    /// The order's fields on the wire, without those that have no value.
    package var members: [(String, JSON?)] {
        [("url", .string(url)), ("folder", .string(folder))] + access.members + [
            ("browser", .string(browser)), ("seconds", .integer(seconds)), ("asIs", isAsIs ? .bool(true) : nil),
            ("print", isPrinted ? .bool(true) : nil), ("picture", isPictured ? .bool(true) : nil),
            ("savedFile", savedFile.map(JSON.string)),
            ("entityTag", entityTag.map(JSON.string)), ("lastModified", lastModified.map(JSON.string)),
        ]
    }

    package init(_ fields: WireFields) throws(WireFault) {
        url = try fields.string("url")
        folder = try fields.string("folder")
        access = try NetworkAccess(fields)
        browser = try fields.optionalString("browser") ?? browser
        seconds = try fields.optionalInteger("seconds") ?? seconds
        isAsIs = try fields.flag("asIs")
        isPrinted = try fields.flag("print")
        isPictured = try fields.flag("picture")
        savedFile = try fields.optionalString("savedFile")
        entityTag = try fields.optionalString("entityTag")
        lastModified = try fields.optionalString("lastModified")
    }
}

/// The progress of a capture.
package enum CaptureStep: WireValue, Hashable {
    case rendering
    case fetching
    /// - Parameter files: the number of files written.
    case writing(files: Int)

    /// The step on the wire.
    package var json: JSON {
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
