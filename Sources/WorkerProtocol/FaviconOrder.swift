package import JSONFormat

/// Orders the saving of a site's icon into an empty folder.
package struct FaviconOrder: WorkOrder, Hashable {
    package typealias Progress = Never

    package static let name = "favicon"

    /// An http or https URL of any page of the site.
    package var url: String
    /// The full path of an existing empty folder; the worker makes assets/ in it.
    package var folder: String
    package var access = NetworkAccess()
    /// The time for the whole order, in seconds.
    package var seconds = 30

    package init(url: String, folder: String) {
        self.url = url
        self.folder = folder
    }

    package var members: [(String, JSON?)] {
        [("url", .string(url)), ("folder", .string(folder))] + access.members + [("seconds", .integer(seconds))]
    }

    package init(_ fields: WireFields) throws(WireFault) {
        url = try fields.string("url")
        folder = try fields.string("folder")
        access = try NetworkAccess(fields)
        seconds = try fields.optionalInteger("seconds") ?? seconds
    }

    package struct Reply: WireValue, Hashable {
        /// The icon's path relative to the folder; `nil` if the site has none.
        package let path: String?

        package init(path: String?) { self.path = path }

        package var json: JSON { .members([("favicon", path.map(JSON.string))]) }

        package init(_ fields: WireFields) throws(WireFault) { path = try fields.optionalString("favicon") }
    }
}
