internal import Characters
internal import PropertyList

/// A page with its parts as Safari saves it: a property list of `WebMainResource`, `WebSubresources` and
/// `WebSubframeArchives`, which are such archives themselves.
struct WebArchive {
    let main: SavedResource
    /// All resources except the page.
    let resources: [SavedResource]

    /// Whether the bytes look like a web archive, by their start and the key that every one has.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: "bplist".utf8) || bytes.prefix(1024).firstRange(ofBytes: "<plist") != nil else {
            return false
        }
        return bytes.firstRange(ofBytes: "WebMainResource") != nil
    }

    /// - Returns: `nil` if the bytes are no web archive.
    init?(_ bytes: [UInt8]) {
        guard let list = try? PropertyList(bytes), let main = list["WebMainResource"].flatMap(Self.resource) else {
            return nil
        }
        self.main = main
        var resources: [SavedResource] = []
        var open = [list]
        while let archive = open.popLast() {
            resources += (archive["WebSubresources"]?.elements ?? []).compactMap(Self.resource)
            for frame in archive["WebSubframeArchives"]?.elements ?? [] {
                if let page = frame["WebMainResource"].flatMap(Self.resource) { resources.append(page) }
                open.append(frame)
            }
        }
        self.resources = resources
    }

    private static func resource(_ list: PropertyList) -> SavedResource? {
        guard let url = list["WebResourceURL"]?.string, let body = list["WebResourceData"]?.data else { return nil }
        let encoding = list["WebResourceTextEncodingName"]?.string.map { "; charset=" + $0 } ?? ""
        return SavedResource(
            url: url, contentType: list["WebResourceMIMEType"]?.string.map { $0 + encoding }, body: body)
    }
}
